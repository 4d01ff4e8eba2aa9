import { route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { chargeAccount, findCharge, listCharges } from './charges.ts'
import { Charge, ChargeList, ChargePath, ChargesQuery, NewChargeInput } from './schema.ts'

export const chargeRoutes = [
  route({
    id: 'chargeAccount',
    tag: 'Charges',
    description:
      'Takes a single charge from the account at once, and sends CHARGE_APPLIED. The account ' +
      'must be ACTIVE and its available balance must cover the whole charge, unless its product ' +
      'allows charges below zero.',
    method: 'POST',
    path: '/accounts/{id}:charge',
    permission: 'write',
    summary: 'Charge an account',
    params: IdPath,
    body: NewChargeInput,
    answer: Charge,
    errors: ['not_found', 'id_taken', 'account_not_active', 'insufficient_funds'],
    run: (ctx, { params, body }) => chargeAccount(ctx, params.id, body),
  }),
  route({
    id: 'listAccountCharges',
    tag: 'Charges',
    description:
      'Lists the charges of the account, newest first, in pages: those that were taken, and ' +
      'those that wait for funds.',
    method: 'GET',
    path: '/accounts/{id}/charges',
    permission: 'read',
    summary: 'List the charges of an account',
    params: IdPath,
    query: ChargesQuery,
    answer: ChargeList,
    errors: ['not_found'],
    run: (ctx, { params, query }) => listCharges(ctx, params.id, query),
  }),
  route({
    id: 'getAccountCharge',
    tag: 'Charges',
    description: 'Returns one charge of the account.',
    method: 'GET',
    path: '/accounts/{id}/charges/{charge_id}',
    permission: 'read',
    summary: 'Get a charge',
    params: ChargePath,
    answer: Charge,
    errors: ['not_found'],
    run: (ctx, { params }) => findCharge(ctx, params.id, params.charge_id),
  }),
]
