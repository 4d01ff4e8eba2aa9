import { type Route, route } from '#kit/http/route.ts'
import { reconciliationCsv, reconciliationOf } from './report.ts'
import { Reconciliation, ReconciliationQuery } from './schema.ts'

/** `ownIssuer`: whether the merchants' payments go to this program; called with each request. */
export const reconciliationRoutes = (ownIssuer: () => boolean): readonly Route[] => [
  route({
    id: 'getReconciliation',
    tag: 'Operator',
    description:
      'Compares the orders of merchants, the messages of the acquirer, and the transactions and ' +
      'the ledger of the issuer of a day, and the chargebacks of shops with their payouts and ' +
      'the disputes of the issuer, and names each difference by its kind. An entry under ' +
      'way is listed as open. With `Accept: text/csv` the answer has every difference, every ' +
      'open entry and the sums of each merchant, whatever their number. A process makes two at ' +
      'one time; a further one fails with `reconciliations_running`.',
    method: 'GET',
    path: '/operator/reconciliation',
    permission: 'operator',
    summary: 'Reconcile a day',
    query: ReconciliationQuery,
    answer: Reconciliation,
    errors: ['reconciliations_running'],
    run: (ctx, { query }) => reconciliationOf(ctx, { ...query, own_issuer: ownIssuer() }),
    csv: (ctx, { query }) => reconciliationCsv(ctx, { ...query, own_issuer: ownIssuer() }),
  }),
]
