/**
 * Effects of calls on the session: each call passes here, so that no page can forget it (D-971).
 */

import type { Middleware } from 'openapi-fetch'
import { Problem } from './problem.ts'
import { ownSession, presentLapse } from './standing.ts'

/** A call with it is answered only if the session is of this member. */
const MEMBER_HEADER = 'x-session-member'

const PORTAL = '/portal/v1'
const THE_SESSION = `${PORTAL}/session`

/** Calls that may begin a session, or end those of a person. */
const CHANGES: ReadonlySet<string> = new Set(
  [
    ...['/sessions', '/sessions:verify', '/sessions:passkey', '/registrations'],
    ...['/registrations:confirm', '/invitations:accept', '/passwords:confirm'],
  ].map((path) => `POST ${PORTAL}${path}`),
)
/** Calls of those who have not signed in, beside these. */
const OPEN: ReadonlySet<string> = new Set([
  ...CHANGES,
  `GET ${THE_SESSION}`,
  `POST ${PORTAL}/passkeys:options`,
  `POST ${PORTAL}/passwords:reset`,
])

const nameOf = ({ method, url }: Request): string => `${method} ${new URL(url).pathname}`

type Heard = {
  /** A session has begun or ended by a call of this tab. */
  changed: () => void
  /** A call was answered 401. */
  doubted: () => void
}

let heard: Heard | undefined

export function hearCallsOfSession(listener: Heard): void {
  heard = listener
}

/** Looks whether the session is still there, as after a call that was answered 401. */
export const doubtSession = (): void => heard?.doubted()

export const sessionCalls: Middleware = {
  onRequest({ request }) {
    const name = nameOf(request)
    if (OPEN.has(name)) return undefined
    // Nothing is asked for with a session that is not the member's.
    if (presentLapse()) throw new Problem(401, { code: 'unauthenticated' })
    const own = ownSession()
    if (own) request.headers.set(MEMBER_HEADER, own.member.id)
    return request
  },
  onResponse({ request, response }) {
    const name = nameOf(request)
    // 202 asks for a second step.
    if (CHANGES.has(name) && response.ok && response.status !== 202) heard?.changed()
    if (response.status === 401 && !OPEN.has(name)) heard?.doubted()
  },
}
