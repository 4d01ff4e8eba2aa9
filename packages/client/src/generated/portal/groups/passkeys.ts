/** Passkeys, which sign in without a password. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'

import type {
  ConfirmPasskeyBody,
  CreatePasskeyBody,
  DeletePasskeyBody,
  ListPasskeysAnswer,
  Passkey,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  SignedIn,
  SignInWithPasskeyBody,
} from '../types.ts'

/** Passkeys, which sign in without a password. */
export class PasskeysGroup extends Group {
  /**
   * Begin a sign-in with a passkey.
   *
   * Returns what the browser needs to sign in with a passkey. The challenge in it is valid once, for
   * five minutes. It names no account. Fails with `not_configured` if the host of `PUBLIC_URL` is an
   * address other than loopback, since passkeys belong to a name.
   *
   * Errors of its own: `not_configured`.
   *
   * `POST /passkeys:options`
   */
  createChallenge(options?: RequestOptions): Promise<PasskeyRequestOptions> {
    return this.transport.send('POST', '/passkeys:options', {}, options)
  }

  /**
   * Sign in with a passkey.
   *
   * Begins a session with a passkey, which is both factors: it was verified by its device. Failures
   * count like those of a sign-in.
   *
   * Errors of its own: `credentials_wrong`, `not_configured`.
   *
   * `POST /sessions:passkey`
   */
  signInWithPasskey(body: SignInWithPasskeyBody, options?: RequestOptions): Promise<SignedIn> {
    return this.transport.send('POST', '/sessions:passkey', { body }, options)
  }

  /**
   * Begin to register a passkey.
   *
   * Returns what the browser needs to make a passkey. The challenge in it is valid once, for five
   * minutes, and for this member. Takes the password, unless a second factor has signed in within
   * the last five minutes, or the team requires one that the member lacks and the sign-in was within
   * the last ten minutes. After ten wrong passwords of the session within 15 minutes a further one
   * is 429.
   *
   * Errors of its own: `credentials_wrong`, `idempotency_key_reused`, `idempotency_key_in_use`,
   * `not_configured`.
   *
   * `POST /passkeys`
   */
  create(body?: CreatePasskeyBody, options?: RequestOptions): Promise<PasskeyCreationOptions> {
    return this.transport.send('POST', '/passkeys', { body, keyed: true }, options)
  }

  /**
   * List passkeys.
   *
   * Lists the passkeys of the member, oldest first.
   *
   * `GET /passkeys`
   */
  list(options?: RequestOptions): Promise<ListPasskeysAnswer> {
    return this.transport.send('GET', '/passkeys', {}, options)
  }

  /**
   * Register a passkey.
   *
   * Registers the passkey that the browser has made, in the session that has begun it. A member has
   * at most 20. The member gets a mail.
   *
   * Errors of its own: `passkey_invalid`, `idempotency_key_reused`, `idempotency_key_in_use`,
   * `not_configured`.
   *
   * `POST /passkeys:confirm`
   */
  confirm(body: ConfirmPasskeyBody, options?: RequestOptions): Promise<Passkey> {
    return this.transport.send('POST', '/passkeys:confirm', { body, keyed: true }, options)
  }

  /**
   * Remove a passkey.
   *
   * Removes a passkey. Takes the password, unless a second factor has signed in within the last five
   * minutes; after ten wrong ones of the session within 15 minutes a further one is 429. The member
   * gets a mail.
   *
   * Errors of its own: `credentials_wrong`, `not_found`.
   *
   * `DELETE /passkeys/{id}`
   */
  delete(id: string, body?: DeletePasskeyBody, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/passkeys/${id}`, { body }, options)
  }
}
