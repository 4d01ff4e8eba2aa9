/** Orders that cardholders contest. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type { ListChargebacksQuery, MerchantDispute, MerchantEvidence } from '../types.ts'

/** Orders that cardholders contest. */
export class DisputesGroup extends Group {
  /**
   * List disputes.
   *
   * Lists the disputes of the merchant, newest first or by their deadline: what the card network
   * took back of its orders for cardholders that contest them. The filters combine.
   *
   * `GET /disputes`
   */
  listChargebacks(query?: ListChargebacksQuery, options?: RequestOptions): List<MerchantDispute> {
    return this.transport.list('GET', '/disputes', { query }, options)
  }

  /**
   * Get a dispute.
   *
   * Returns one dispute of the merchant.
   *
   * `GET /disputes/{id}`
   */
  getChargeback(id: string, options?: RequestOptions): Promise<MerchantDispute> {
    return this.transport.send('GET', path`/disputes/${id}`, {}, options)
  }

  /**
   * Send evidence.
   *
   * Contests a dispute with status `NEEDS_RESPONSE` by evidence, once; it is `UNDER_REVIEW` then.
   * Sends CHARGEBACK_STATUS_CHANGE.
   *
   * Errors of its own: `chargeback_move_refused`.
   *
   * `POST /disputes/{id}/evidence`
   */
  answerChargeback(
    id: string,
    body: MerchantEvidence,
    options?: RequestOptions,
  ): Promise<MerchantDispute> {
    return this.transport.send(
      'POST',
      path`/disputes/${id}/evidence`,
      { body, keyed: true },
      options,
    )
  }

  /**
   * Accept a dispute.
   *
   * Accepts a dispute with status `NEEDS_RESPONSE`: its amount is not given back. Sends
   * CHARGEBACK_STATUS_CHANGE.
   *
   * Errors of its own: `chargeback_move_refused`.
   *
   * `POST /disputes/{id}/accept`
   */
  acceptChargeback(id: string, options?: RequestOptions): Promise<MerchantDispute> {
    return this.transport.send('POST', path`/disputes/${id}/accept`, { keyed: true }, options)
  }
}
