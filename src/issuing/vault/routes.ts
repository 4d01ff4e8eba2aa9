import { route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { InstalledKeys, TestKeys } from './schema.ts'
import { installTestKeys } from './vault.ts'

export const vaultRoutes = [
  route({
    id: 'installTestKeys',
    tag: 'Simulation',
    description:
      'Replaces keys of a card product with known test keys and answers their check values. Keys ' +
      'that are left out are unchanged. Existing cards use the new keys at once; after a change ' +
      'of `pvk` or `pvki` a PIN that was set before does not verify. Sandbox only.',
    method: 'PUT',
    path: '/simulate/cardproducts/{id}/keys',
    permission: 'write',
    sandbox: true,
    summary: 'Install test keys for a card product',
    params: IdPath,
    body: TestKeys,
    answer: InstalledKeys,
    errors: ['not_found'],
    run: (ctx, { params, body }) => installTestKeys(ctx, params.id, body),
  }),
]
