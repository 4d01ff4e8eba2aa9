import { lockRow } from '#kit/db/locks.ts'
import { route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import { cancelBacktest, createBacktest, findBacktest, listBacktests } from './backtests.ts'
import { presentBacktest } from './present.ts'
import { Backtest, BacktestList, BacktestQuery, NewBacktest } from './schema.ts'

const TAG = { tag: 'Backtests' } as const

export const backtestRoutes = [
  route({
    ...TAG,
    id: 'createBacktest',
    method: 'POST',
    path: '/controls:backtest',
    description:
      'Decides the stored decisions of a period again with proposed settings, lists and limits, ' +
      'and reports which would turn. It runs as a job: the answer has the status RUNNING. ' +
      'Nothing but the backtest itself is written. At most five run at one time ' +
      '(`backtests_running`).',
    permission: 'write',
    summary: 'Backtest settings, lists and limits',
    body: NewBacktest,
    status: 202,
    answer: Backtest,
    errors: ['id_taken', 'backtests_running'],
    run: async (ctx, { body }) => presentBacktest(await createBacktest(ctx, body)),
  }),
  route({
    ...TAG,
    id: 'listBacktests',
    method: 'GET',
    path: '/controls/backtests',
    description: 'Lists the backtests of the tenant, newest first, in pages.',
    permission: 'read',
    summary: 'List backtests',
    query: BacktestQuery,
    answer: BacktestList,
    run: async (ctx, { query }) => {
      const page = await listBacktests(ctx, query)
      return { ...page, data: page.data.map(presentBacktest) }
    },
  }),
  route({
    ...TAG,
    id: 'getBacktest',
    method: 'GET',
    path: '/controls/backtests/{id}',
    description:
      'Answers a backtest with its progress and with what it has found so far. It is deleted 30 ' +
      'days after it was created.',
    permission: 'read',
    summary: 'Get a backtest',
    params: IdPath,
    answer: Backtest,
    errors: ['not_found'],
    lock: (tx, params) => lockRow(tx, 'backtests', params.id),
    run: async (ctx, { params }) => presentBacktest(await findBacktest(ctx, params.id)),
  }),
  route({
    ...TAG,
    id: 'cancelBacktest',
    method: 'POST',
    path: '/controls/backtests/{id}:cancel',
    description:
      'Ends a running backtest; its results so far stay. Fails with `backtest_ended` if it is ' +
      'COMPLETED or FAILED.',
    permission: 'write',
    summary: 'Cancel a backtest',
    params: IdPath,
    answer: Backtest,
    errors: ['not_found', 'backtest_ended'],
    run: async (ctx, { params }) => presentBacktest(await cancelBacktest(ctx, params.id)),
  }),
]
