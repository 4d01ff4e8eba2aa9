import { route } from '#kit/http/route.ts'
import { ListOf } from '#kit/http/schema.ts'
import { listEntries } from './entries.ts'
import { Entries, Trace, Transaction, TransactionPath, TransactionQuery } from './schema.ts'
import { findTransaction, listTransactions, readTrace } from './transactions.ts'

export const transactionRoutes = [
  route({
    id: 'listTransactions',
    tag: 'Transactions',
    description:
      'Lists card transactions, newest first, declined ones too. The filters combine. ' +
      '`amount`, `currency`, `status_code` and `transaction_type` need a period of at most 31 ' +
      'days, a card, account or user, a retrieval reference or the transaction that they refer ' +
      'to. With `account_id` or `user_id` it lists the transactions of the cards that belong to ' +
      'the account or user now.',
    method: 'GET',
    path: '/transactions',
    permission: 'read',
    summary: 'List card transactions',
    query: TransactionQuery,
    answer: ListOf(Transaction),
    run: (ctx, { query }) => listTransactions(ctx, query),
  }),
  route({
    id: 'getTransaction',
    tag: 'Transactions',
    description:
      'Returns a card transaction as it is now, with the events of its life in `events`.',
    method: 'GET',
    path: '/transactions/{id}',
    permission: 'read',
    summary: 'Get a card transaction',
    params: TransactionPath,
    answer: Transaction,
    run: (ctx, { params }) => findTransaction(ctx, params.id),
  }),
  route({
    id: 'listTransactionEntries',
    tag: 'Transactions',
    description:
      'Lists the entries of the ledger that a card transaction has posted, oldest first: ' +
      'the debit and the credit of each movement, so that they sum to zero in every currency. An ' +
      'amount that is only held has no entries.',
    method: 'GET',
    path: '/transactions/{id}/entries',
    permission: 'read',
    summary: 'List the ledger entries of a transaction',
    params: TransactionPath,
    answer: Entries,
    run: (ctx, { params }) => listEntries(ctx, params.id),
  }),
  route({
    id: 'getTransactionTrace',
    tag: 'Transactions',
    description:
      'Returns the checks of the decision about the first message of the transaction, in their ' +
      'order. The first that declined gave the code; those after it have `decisive` false. The ' +
      'status code is the present one of the transaction.',
    method: 'GET',
    path: '/transactions/{id}/trace',
    permission: 'read',
    summary: 'Get the decision trace of a transaction',
    params: TransactionPath,
    answer: Trace,
    run: (ctx, { params }) => readTrace(ctx, params.id),
  }),
]
