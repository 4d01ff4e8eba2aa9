/** Public functions of sessions, which a member has after signing in (D-135, D-136). */

import { keyPermissionsOf, type Role } from '#callers/roles.ts'
import { findTenant } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { CALLERS } from '#kit/http/callers/caller_cache.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import type { Visit } from '#kit/http/visit.ts'
import { ApiError } from '#lib/result.ts'
import { memberOf, readMember } from '#portal/people/people.ts'
import type { PresentSession } from './schema.ts'
import { deleteSession, deleteSessionsOf, listSessionRows } from './store.ts'

export { memberOf } from '#portal/people/people.ts'
export { beginSession } from './begin.ts'
export { signIn, verifySignIn } from './sign_in.ts'
export { deleteEnded } from './store.ts'

/** Ends all sessions of a person, whose role or password changes or who is removed (D-136). */
export async function endSessionsOf(tx: Tx, person_id: string): Promise<void> {
  await deleteSessionsOf(tx, person_id)
  tx.afterCommit(() => tx.notify(CALLERS))
}

/** The terms that a session is shown with. */
export type SessionTerms = {
  /** The operations that a role may call, over all APIs. */
  operationsOf: (role: Role) => readonly string[]
  /** The header with which a member of the operator's team names a tenant (D-576). */
  tenant_header: string
}

export async function readSession(
  ctx: Context,
  { operationsOf, tenant_header }: SessionTerms,
): Promise<PresentSession> {
  const { id, tenant_id, role, expires, lacks_second_factor } = memberOf(ctx)
  const [tenant, member] = await Promise.all([
    tenant_id === null ? undefined : findTenant(ctx, tenant_id),
    readMember(ctx, id),
  ])
  return {
    member,
    ...(tenant ? { tenant } : { tenant_header }),
    role,
    expires,
    second_factor_required: lacks_second_factor,
    permissions: [...keyPermissionsOf(role)],
    operations: [...operationsOf(role)],
  }
}

/** The sessions of the member, newest first. */
export async function listSessions(ctx: Context, query: ListQuery) {
  const { membership_id, session_id } = memberOf(ctx)
  const page = await listPage('sessions', query, (range) =>
    listSessionRows(ctx, membership_id, range),
  )
  const data = page.data.map(
    ({ token_hash: _, membership_id: _of, with_factor: _with, ...session }) => ({
      ...session,
      current: session.id === session_id,
    }),
  )
  return { ...page, data }
}

/** Ends a session of the member. Throws `not_found` if the member has none of that id. */
export function endSession(ctx: Context | Tx, id: string, visit: Visit): Promise<void> {
  const { membership_id, session_id } = memberOf(ctx)
  return transact(ctx, async (tx) => {
    if (!(await deleteSession(tx, membership_id, id))) throw new ApiError('not_found')
    tx.afterCommit(() => tx.notify(CALLERS))
    if (id === session_id) visit.setSession(undefined)
  })
}
