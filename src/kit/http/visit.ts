/** The source of a request without a caller, for routes that begin and end sessions. */

import type { AuditActor } from '#kit/audit_log/request.ts'
import type { Context } from '#kit/context.ts'

export type Visit = {
  /** An IP address; '' if there is none. */
  address: string
  /** At most 200 characters. */
  user_agent: string
  /** The value of the cookie that the request came with. */
  presented: string | undefined
  /** Sends the cookie of a session with the answer, or removes it. */
  setSession: (token: string | undefined) => void
  /** The context whose transaction records the request as `operation` of `actor` (D-143). */
  recordedBy: (
    ctx: Context,
    described: { operation: string; actor: AuditActor; status: number; email: string },
  ) => Context
}

/** The kit gives it to every route with `visits`. */
export function visitIn({ visit }: { visit?: Visit }): Visit {
  if (!visit) throw new Error('a route that needs a visit lacks `visits`')
  return visit
}
