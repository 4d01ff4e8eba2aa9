/** Fees, the statement, and what is paid out. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type { GetStatementQuery, ListPayoutsQuery, Payout, Statement } from '../types.ts'

/** Fees, the statement, and what is paid out. */
export class PayoutsGroup extends Group {
  /**
   * Get a statement.
   *
   * Returns what the merchant captured, refunded, lost by disputes and paid in fees from one day to
   * another, for each currency and by day, and what it is owed at present. An operation belongs to
   * the day in UTC on which it succeeded, and its fee is that of the time of its request.
   *
   * `GET /statement`
   */
  getStatement(query?: GetStatementQuery, options?: RequestOptions): Promise<Statement> {
    return this.transport.send('GET', '/statement', { query }, options)
  }

  /**
   * List payouts.
   *
   * Lists the payouts of the merchant, newest first. A payout is made after the end of a day in UTC
   * for each currency in which something was captured, refunded or disputed.
   *
   * `GET /payouts`
   */
  list(query?: ListPayoutsQuery, options?: RequestOptions): List<Payout> {
    return this.transport.list('GET', '/payouts', { query }, options)
  }

  /**
   * Get a payout.
   *
   * Returns one payout. The filter `payout_id` of the lists of captures and refunds lists its parts.
   *
   * `GET /payouts/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Payout> {
    return this.transport.send('GET', path`/payouts/${id}`, {}, options)
  }
}
