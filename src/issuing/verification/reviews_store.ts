/**
 * The SQL of compliance reviews. The operator belongs to no tenant, so these read all of them;
 * changes run within the one tenant that they find.
 */

import { type SqlBool, sql } from 'kysely'
import type { UserRow } from '#issuing/users/users.ts'
import type { Context } from '#kit/context.ts'
import { isInRange, type PageRange } from '#kit/http/lists.ts'
import type { ReviewQuery } from './schema.ts'

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
 * with a KYC request that awaits compliance or whose provider does not answer, or with a match that
 * is open. Each of the three parts reads no more than a page.
 */
export async function listInReview(
  { db }: Context,
  { tenant_id, status, user_type }: Pick<ReviewQuery, 'tenant_id' | 'status' | 'user_type'>,
  range: PageRange,
): Promise<UserRow[]> {
  const { limit } = range
  const older = isInRange(range, { by: 'u.created', id: 'u.id' })
  const conditions = [
    older,
    ...(tenant_id === undefined ? [] : [sql<SqlBool>`u.tenant_id = ${tenant_id}`]),
    ...(status === undefined ? [] : [sql<SqlBool>`u.status = ${status}`]),
    ...(user_type === undefined ? [] : [sql<SqlBool>`u.user_type = ${user_type}`]),
  ]
  const matching = sql.join(conditions, sql` and `)
  const { rows } = await sql<UserRow>`
    (select u.* from users u
      where (u.status = 'PENDINGKYB' or (u.status = 'SUSPENDED' and u.status_reason_code = 'S5'))
        and ${matching}
      order by u.created desc, u.id desc limit ${limit})
    union
    (select u.* from kyc_requests k join users u on u.tenant_id = k.tenant_id and u.id = k.user_id
      where k.status = 'SUBMITTED' and (k.due is null or k.failure is not null) and ${matching}
      order by u.created desc, u.id desc limit ${limit})
    union
    (select u.* from users u
      where exists (select from screening_matches m
        where m.tenant_id = u.tenant_id and m.user_id = u.id and m.status = 'OPEN')
        and ${matching}
      order by u.created desc, u.id desc limit ${limit})
    order by created desc, id desc limit ${limit}`.execute(db)
  return rows
}
