/** Payments that the card network authorized and cleared. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  AuthorizationStatistics,
  GetAuthorizationStatisticsQuery,
  ListTransactionEntriesAnswer,
  ListTransactionMessagesAnswer,
  ListTransactionsQuery,
  Transaction,
  TransactionTrace,
} from '../types.ts'

/** Payments that the card network authorized and cleared. */
export class TransactionsGroup extends Group {
  /**
   * List card transactions.
   *
   * Lists card transactions, newest first, declined ones too. The filters combine. `amount`,
   * `currency`, `status_code` and `transaction_type` need a period of at most 31 days, a card,
   * account or user, a retrieval reference or the transaction that they refer to. With `account_id`
   * or `user_id` it lists the transactions of the cards that belong to the account or user now.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /transactions`
   */
  list(query?: ListTransactionsQuery, options?: RequestOptions): List<Transaction> {
    return this.transport.list('GET', '/transactions', { query }, options)
  }

  /**
   * Get a card transaction.
   *
   * Returns a card transaction as it is now, with the events of its life in `events`.
   *
   * `GET /transactions/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Transaction> {
    return this.transport.send('GET', path`/transactions/${id}`, {}, options)
  }

  /**
   * List the ledger entries of a transaction.
   *
   * Lists the entries of the ledger that a card transaction has posted, oldest first: the debit and
   * the credit of each movement, so that they sum to zero in every currency. An amount that is only
   * held has no entries.
   *
   * `GET /transactions/{id}/entries`
   */
  listEntries(id: string, options?: RequestOptions): Promise<ListTransactionEntriesAnswer> {
    return this.transport.send('GET', path`/transactions/${id}/entries`, {}, options)
  }

  /**
   * Get the decision trace of a transaction.
   *
   * Returns the checks of the decision about the first message of the transaction, in their order.
   * The first that declined gave the code; those after it have `decisive` false. The status code is
   * the present one of the transaction.
   *
   * `GET /transactions/{id}/trace`
   */
  getTrace(id: string, options?: RequestOptions): Promise<TransactionTrace> {
    return this.transport.send('GET', path`/transactions/${id}/trace`, {}, options)
  }

  /**
   * List the network messages of a transaction.
   *
   * Lists the messages of the card network that belong to a transaction, oldest first, each field by
   * field: requests, repeats, advices and reversals, with their answers. Card data is masked. They
   * are a diagnostic: messages may be missing where many came at one time, and another process of
   * the platform writes them up to a second later. They are kept as long as MESSAGES_KEPT_DAYS.
   *
   * `GET /transactions/{id}/messages`
   */
  listMessages(id: string, options?: RequestOptions): Promise<ListTransactionMessagesAnswer> {
    return this.transport.send('GET', path`/transactions/${id}/messages`, {}, options)
  }

  /**
   * Get authorizations by hour.
   *
   * Counts the authorizations of the tenant by hour of its clock, in at most 14 days: requests and
   * advices that began a transaction, by their first decision. Credits, presentments without an
   * authorization, reversals and approved increments are not counted. Hours are whole hours of UTC.
   * If many hours are counted for the first time, the answer has state PARTIAL and the next call
   * goes on.
   *
   * `GET /statistics/authorizations`
   */
  getAuthorizationStatistics(
    query?: GetAuthorizationStatisticsQuery,
    options?: RequestOptions,
  ): Promise<AuthorizationStatistics> {
    return this.transport.send('GET', '/statistics/authorizations', { query }, options)
  }
}
