/** Movements of money between two accounts. */
import { Group, type RequestOptions } from '../../../core/group.ts'

import type { CreateTransferBody, Transfer } from '../types.ts'

/** Movements of money between two accounts. */
export class TransfersGroup extends Group {
  /**
   * Transfer funds between accounts.
   *
   * Moves money between two card accounts of one currency, at once. Both accounts must be ACTIVE,
   * the card products of both must allow the transfer, and the available balance of the sender must
   * cover the amount. A dry run makes every check and changes nothing.
   *
   * Errors of its own: `account_not_active`, `insufficient_funds`, `balance_too_large`,
   * `minimum_account_balance_limit_reached`, `minimum_user_balance_limit_reached`,
   * `maximum_account_balance_limit_reached`, `maximum_user_balance_limit_reached`,
   * `outgoing_transfers_not_allowed`, `incoming_transfers_not_allowed`.
   *
   * `POST /transfers`
   */
  create(body: CreateTransferBody, options?: RequestOptions): Promise<Transfer> {
    return this.transport.send('POST', '/transfers', { body, keyed: true }, options)
  }
}
