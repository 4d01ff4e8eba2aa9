/** Codes by time and recovery codes. */
import { Group, type RequestOptions } from '../../../core/group.ts'

import type {
  ConfirmTotpBody,
  CreateTotpBody,
  DeleteTotpBody,
  RecoveryCodes,
  SecondFactors,
  TotpSecret,
} from '../types.ts'

/** Codes by time and recovery codes. */
export class SecondFactorsGroup extends Group {
  /**
   * Get the second factors.
   *
   * Returns which second factors the member has.
   *
   * `GET /second_factors`
   */
  get(options?: RequestOptions): Promise<SecondFactors> {
    return this.transport.send('GET', '/second_factors', {}, options)
  }

  /**
   * Begin to set up codes by time.
   *
   * Returns a new secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). It is
   * used once `POST /totp:confirm` has its first code; until then another call replaces it. Fails
   * with `totp_active` if codes are set up. Takes the password, unless a second factor has signed in
   * within the last five minutes, or the team requires one that the member lacks and the sign-in was
   * within the last ten minutes. After ten wrong passwords of the session within 15 minutes a
   * further one is 429.
   *
   * Errors of its own: `credentials_wrong`, `idempotency_key_reused`, `idempotency_key_in_use`,
   * `totp_active`.
   *
   * `POST /totp`
   */
  createTotp(body?: CreateTotpBody, options?: RequestOptions): Promise<TotpSecret> {
    return this.transport.send('POST', '/totp', { body, keyed: true }, options)
  }

  /**
   * Remove codes by time.
   *
   * Removes the secret and the recovery codes. Takes the password, unless a second factor has signed
   * in within the last five minutes; after ten wrong ones of the session within 15 minutes a further
   * one is 429. The member gets a mail.
   *
   * Errors of its own: `credentials_wrong`, `totp_missing`.
   *
   * `DELETE /totp`
   */
  deleteTotp(body?: DeleteTotpBody, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', '/totp', { body }, options)
  }

  /**
   * Confirm codes by time.
   *
   * Takes the first code of the app; from now on a sign-in needs one. Returns ten recovery codes,
   * each valid once in place of a code. The member gets a mail. Fails with `totp_missing` in another
   * session than that of `POST /totp`, and five minutes after it. After ten wrong codes or passwords
   * of the session within 15 minutes a further one is 429.
   *
   * Errors of its own: `code_wrong`, `idempotency_key_reused`, `idempotency_key_in_use`,
   * `totp_active`, `totp_missing`.
   *
   * `POST /totp:confirm`
   */
  confirmTotp(body: ConfirmTotpBody, options?: RequestOptions): Promise<RecoveryCodes> {
    return this.transport.send('POST', '/totp:confirm', { body, keyed: true }, options)
  }
}
