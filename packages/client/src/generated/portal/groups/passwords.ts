/** New passwords for those that were forgotten. */
import { Group, type RequestOptions } from '../../../core/group.ts'

import type {
  Accepted,
  CheckPasswordResetBody,
  ConfirmPasswordResetBody,
  RequestPasswordResetBody,
  SecondFactors,
} from '../types.ts'

/** New passwords for those that were forgotten. */
export class PasswordsGroup extends Group {
  /**
   * Ask for a new password.
   *
   * Sends a mail with a link for a new password, where the address has a member. The answer is the
   * same where it has none, and where the caller has asked for too many within 15 minutes: 20 from
   * one address of the network, in sandbox 1,000, or five for one member. The link is valid once,
   * for 30 minutes, and ends with the password that it replaces; its token is for `POST
   * /passwords:confirm`.
   *
   * `POST /passwords:reset`
   */
  requestReset(body: RequestPasswordResetBody, options?: RequestOptions): Promise<Accepted> {
    return this.transport.send('POST', '/passwords:reset', { body }, options)
  }

  /**
   * Get the factors behind a link.
   *
   * Returns the second factors of the member for whom a link is, so that the member can choose to
   * remove them. The link stays valid.
   *
   * Errors of its own: `token_invalid`.
   *
   * `POST /passwords:check`
   */
  checkReset(body: CheckPasswordResetBody, options?: RequestOptions): Promise<SecondFactors> {
    return this.transport.send('POST', '/passwords:check', { body }, options)
  }

  /**
   * Set a new password.
   *
   * Sets a new password with the token of a link, and ends every session of the member. A password
   * that is not accepted leaves the link valid. Second factors stay as they are, unless
   * `remove_factors` is true; those that the member has then are the answer.
   *
   * Errors of its own: `token_invalid`.
   *
   * `POST /passwords:confirm`
   */
  confirmReset(body: ConfirmPasswordResetBody, options?: RequestOptions): Promise<SecondFactors> {
    return this.transport.send('POST', '/passwords:confirm', { body }, options)
  }
}
