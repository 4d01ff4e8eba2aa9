/**
 * Effects of calls on the session: each call passes here, so that no page can forget it (D-971).
 */

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

/** Throws a Problem where the session of the browser is not the member's. */
export function demandMember(request: Request): void {
  if (OPEN.has(nameOf(request))) return
  // Nothing is asked for with a session that is not the member's.
  if (presentLapse()) throw new Problem(401, { code: 'unauthenticated' })
  const own = ownSession()
  if (own) request.headers.set(MEMBER_HEADER, own.member.id)
}

/** Tells the listener where the answer begins, ends or doubts a session. */
export function noteEffects(request: Request, { ok, status }: Response): void {
  const name = nameOf(request)
  // 202 asks for a second step.
  if (CHANGES.has(name) && ok && status !== 202) heard?.changed()
  if (status === 401 && !OPEN.has(name)) heard?.doubted()
}
