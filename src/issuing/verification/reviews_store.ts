/**
 * The SQL of compliance reviews. The operator belongs to no tenant, so these read all of them;
 * changes run within the one tenant that they find.
 */

import { type SqlBool, sql } from 'kysely'
import type { UserRow } from '#issuing/users/users.ts'
import type { Context } from '#kit/context.ts'
import { isInRange, type PageRange } from '#kit/http/lists.ts'

/** The user of an identification; the caller knows that it exists. */
export async function findOwner({ db, tenant_id }: Context, id: string): Promise<string> {
  const { user_id } = await db
    .selectFrom('identifications')
    .select('user_id')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return user_id
}

/**
 * Users of all tenants that await review, newest first: before the first review, after a rejection,
 * or with a KYC request that awaits compliance. Each of the two halves reads no more than a page.
 */
export async function listInReview(
  { db }: Context,
  tenant_id: string | undefined,
  range: PageRange,
): Promise<UserRow[]> {
  const { limit } = range
  const older = isInRange(range, { by: 'u.created', id: 'u.id' })
  const ofTenant =
    tenant_id === undefined ? sql<SqlBool>`true` : sql<SqlBool>`u.tenant_id = ${tenant_id}`
  const { rows } = await sql<UserRow>`
    (select u.* from users u
      where (u.status = 'PENDINGKYB' or (u.status = 'SUSPENDED' and u.status_reason_code = 'S5'))
        and ${older} and ${ofTenant}
      order by u.created desc, u.id desc limit ${limit})
    union
    (select u.* from kyc_requests k join users u on u.tenant_id = k.tenant_id and u.id = k.user_id
      where k.status = 'SUBMITTED' and k.due is null and ${older} and ${ofTenant}
      order by u.created desc, u.id desc limit ${limit})
    order by created desc, id desc limit ${limit}`.execute(db)
  return rows
}
