/** Signing in and out. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  Challenge,
  ListSessionsQuery,
  PresentSession,
  Session,
  SignedIn,
  SignInBody,
  VerifySignInBody,
} from '../types.ts'

/** Signing in and out. */
export class SessionsGroup extends Group {
  /**
   * Sign in.
   *
   * Begins a session, whose cookie the answer sets; or answers 202 with a challenge where the member
   * has a second factor, for `POST /sessions:verify`. Ten failures of an account or fifty of an
   * address of the network (of IPv6 its /64) within 15 minutes are followed by 429. A session that
   * the request comes with ends.
   *
   * Errors of its own: `credentials_wrong`.
   *
   * `POST /sessions`
   */
  signIn(body: SignInBody, options?: RequestOptions): Promise<SignedIn | Challenge> {
    return this.transport.send('POST', '/sessions', { body }, options)
  }

  /**
   * List sessions.
   *
   * Lists the sessions of the member that have not ended, newest first.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /sessions`
   */
  list(query?: ListSessionsQuery, options?: RequestOptions): List<Session> {
    return this.transport.list('GET', '/sessions', { query }, options)
  }

  /**
   * Verify a sign-in.
   *
   * The second step of a sign-in: takes the challenge and a code of the second factor, and begins a
   * session. A challenge is valid once, for five minutes.
   *
   * Errors of its own: `credentials_wrong`.
   *
   * `POST /sessions:verify`
   */
  verifySignIn(body: VerifySignInBody, options?: RequestOptions): Promise<SignedIn> {
    return this.transport.send('POST', '/sessions:verify', { body }, options)
  }

  /**
   * Get the session.
   *
   * Returns the member of the session with tenant, role and what the role allows. Members of the
   * operator’s team have no tenant, and name one in the header `tenant_header`. A request with the
   * header `x-session-member` is answered only where the session is of the member with that id, else
   * 401: so a page never acts for another member who has signed in since.
   *
   * `GET /session`
   */
  get(options?: RequestOptions): Promise<PresentSession> {
    return this.transport.send('GET', '/session', {}, options)
  }

  /**
   * Sign out.
   *
   * Ends the session of the request and removes its cookie.
   *
   * `DELETE /session`
   */
  signOut(options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', '/session', {}, options)
  }

  /**
   * End a session.
   *
   * Ends one session of the member, in every process within a second.
   *
   * Errors of its own: `not_found`.
   *
   * `DELETE /sessions/{id}`
   */
  end(id: string, options?: RequestOptions): Promise<void> {
    return this.transport.send('DELETE', path`/sessions/${id}`, {}, options)
  }
}
