import { route } from '#kit/route.ts'
import { IdPath } from '#kit/schema.ts'
import { InstalledKeys, TestKeys } from './schema.ts'
import { installTestKeys } from './vault.ts'

export const vaultRoutes = [
  route({
    id: 'putSimulateCardproductsIdKeys',
    tag: 'Simulation',
    description: '',
    method: 'PUT',
    path: '/simulate/cardproducts/{id}/keys',
    permission: 'write',
    sandbox: true,
    summary: 'Install known test keys for a card product',
    params: IdPath,
    body: TestKeys,
    answer: InstalledKeys,
    errors: ['not_found'],
    run: (ctx, { params, body }) => installTestKeys(ctx, params.id, body),
  }),
]
