/** Codes by time and recovery codes. */
import { Group, type RequestOptions } from '../../../core/group.ts'

import type {
  ConfirmTotpBody,
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
   * with `totp_active` where codes are set up.
   *
   * Errors of its own: `idempotency_key_reused`, `idempotency_key_in_use`, `totp_active`.
   *
   * `POST /totp`
   */
  createTotp(options?: RequestOptions): Promise<TotpSecret> {
    return this.transport.send('POST', '/totp', { keyed: true }, options)
  }

  /**
   * Remove codes by time.
   *
   * Removes the secret and the recovery codes. Takes the password; failures count like those of a
   * sign-in.
   *
   * Errors of its own: `credentials_wrong`, `totp_missing`.
   *
   * `DELETE /totp`
   */
  deleteTotp(body: DeleteTotpBody, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', '/totp', { body }, options)
  }

  /**
   * Confirm codes by time.
   *
   * Takes the first code of the app; from now on a sign-in needs one. Returns ten recovery codes,
   * each valid once in place of a code.
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
