/** Charges that accounts pay to the program. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  Charge,
  ChargeAccountBody,
  ChargeAccountHeaders,
  ListAccountChargesQuery,
} from '../types.ts'

/** Charges that accounts pay to the program. */
export class ChargesGroup extends Group {
  /**
   * Charge an account.
   *
   * Takes a single charge from the account at once, and sends CHARGE_APPLIED. The account must be
   * ACTIVE and its available balance must cover the whole charge, unless its product allows charges
   * below zero.
   *
   * Errors of its own: `id_taken`, `account_not_active`, `insufficient_funds`.
   *
   * `POST /accounts/{id}:charge`
   */
  chargeAccount(
    id: string,
    body: ChargeAccountBody,
    options?: RequestOptions & { headers?: ChargeAccountHeaders },
  ): Promise<Charge> {
    return this.transport.send('POST', path`/accounts/${id}:charge`, { body, keyed: true }, options)
  }

  /**
   * List the charges of an account.
   *
   * Lists the charges of the account, newest first, in pages: those that were taken, and those that
   * wait for funds.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /accounts/{id}/charges`
   */
  listAccountCharges(
    id: string,
    query?: ListAccountChargesQuery,
    options?: RequestOptions,
  ): List<Charge> {
    return this.transport.list('GET', path`/accounts/${id}/charges`, { query }, options)
  }

  /**
   * Get a charge.
   *
   * Returns one charge of the account.
   *
   * `GET /accounts/{id}/charges/{charge_id}`
   */
  getAccountCharge(id: string, charge_id: string, options?: RequestOptions): Promise<Charge> {
    return this.transport.send('GET', path`/accounts/${id}/charges/${charge_id}`, {}, options)
  }
}
