/** Access tokens of a merchant. */
import { Group, type RequestOptions } from '../../../core/group.ts'

import type { CreateMerchantTokenBody, Token } from '../types.ts'

/** Access tokens of a merchant. */
export class AuthenticationGroup extends Group {
  /**
   * Create a token from a key pair.
   *
   * Exchanges the key pair of a merchant for a bearer token. The token is valid for `token_minutes`
   * of the merchant (30 minutes by default), while the key pair is not revoked and the merchant is
   * `ACTIVE`. Send it as `Authorization: Bearer <token>` with every other request.
   *
   * `POST /merchant/authentication`
   */
  createMerchantToken(body: CreateMerchantTokenBody, options?: RequestOptions): Promise<Token> {
    return this.transport.send('POST', '/merchant/authentication', { body }, options)
  }
}
