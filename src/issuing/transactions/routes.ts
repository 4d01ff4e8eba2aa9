import { route } from '#kit/route.ts'
import { IdPath, ListOf } from '#kit/schema.ts'
import { LIMIT_DEFAULT } from '#lib/paging.ts'
import { Trace, Transaction, TransactionQuery } from './schema.ts'
import { findTransaction, listTransactions, readTrace } from './transactions.ts'

const limitOf = ({ limit = LIMIT_DEFAULT }: { limit?: number }) => ({ limit })

export const transactionRoutes = [
  route({
    id: 'getTransactions',
    tag: 'Transactions',
    description: '',
    method: 'GET',
    path: '/transactions',
    permission: 'read',
    summary: 'List card transactions',
    query: TransactionQuery,
    answer: ListOf(Transaction),
    run: (ctx, { query }) => listTransactions(ctx, { ...query, ...limitOf(query) }),
  }),
  route({
    id: 'getTransactionsId',
    tag: 'Transactions',
    description: '',
    method: 'GET',
    path: '/transactions/{id}',
    permission: 'read',
    summary: 'Read a card transaction',
    params: IdPath,
    answer: Transaction,
    run: (ctx, { params }) => findTransaction(ctx, params.id),
  }),
  route({
    id: 'getTransactionsIdTrace',
    tag: 'Transactions',
    description: '',
    method: 'GET',
    path: '/transactions/{id}/trace',
    permission: 'read',
    summary: 'Read the checks that decided a transaction',
    params: IdPath,
    answer: Trace,
    run: (ctx, { params }) => readTrace(ctx, params.id),
  }),
]
