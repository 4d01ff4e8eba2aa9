import { type Route, route } from '#kit/http/route.ts'
import { listRates, setRates } from './rates.ts'
import { RateList, RateQuery, Rates, RatesChange } from './schema.ts'

export const rateRoutes: readonly Route[] = [
  route({
    id: 'setRates',
    tag: 'Operator',
    description:
      'Sets rates at which card transactions in another currency than that of the account are ' +
      'converted. With `tenant_id` they are rates of that tenant; without it they apply to every ' +
      'tenant that has no own rate of the two currencies. A rate converts `from` to `to`, not ' +
      'the other way, and acts on the next authorization. Rates that are not sent stay; those ' +
      'that are replaced are kept as history.',
    method: 'PUT',
    path: '/operator/rates',
    permission: 'operator',
    summary: 'Set rates of exchange',
    body: RatesChange,
    answer: Rates,
    run: (ctx, { body }) => setRates(ctx, body),
  }),
  route({
    id: 'listRates',
    tag: 'Operator',
    description:
      'Lists the rates of exchange that are in force, newest first; with `history=true` those ' +
      'that were replaced as well.',
    method: 'GET',
    path: '/operator/rates',
    permission: 'operator',
    summary: 'List rates of exchange',
    query: RateQuery,
    answer: RateList,
    run: (ctx, { query }) => listRates(ctx, query),
  }),
]
