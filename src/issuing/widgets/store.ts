/** The SQL of widget tokens. Only the digest of a token is stored. */

import { type Insertable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import type { WidgetName } from './schema.ts'

type NewTokenRow = Pick<
  Insertable<Database['widget_tokens']>,
  'digest' | 'card_id' | 'widget' | 'origin' | 'expires'
>

export async function insertToken({ db, tenant_id, now }: Tx, row: NewTokenRow): Promise<void> {
  await db
    .insertInto('widget_tokens')
    .values({ ...row, tenant_id, created: now })
    .execute()
}

/** Card, widget and origin of a token; undefined when it is used or expired. */
export function findUsableToken(
  { db, tenant_id, now }: Context,
  digest: Buffer,
): Promise<{ card_id: string; widget: WidgetName; origin: string } | undefined> {
  return db
    .selectFrom('widget_tokens')
    .select(['card_id', 'widget', 'origin'])
    .where('tenant_id', '=', tenant_id)
    .where('digest', '=', digest)
    .where('used', 'is', null)
    .where('expires', '>', now)
    .executeTakeFirst()
}

/** Uses a token up and returns its card; exactly one of many concurrent calls gets it. */
export async function updateTokenUsed(
  { db, tenant_id, now }: Tx,
  digest: Buffer,
  widget: WidgetName,
): Promise<string | undefined> {
  const row = await db
    .updateTable('widget_tokens')
    .set({ used: now })
    .where('tenant_id', '=', tenant_id)
    .where('digest', '=', digest)
    .where('widget', '=', widget)
    .where('used', 'is', null)
    .where('expires', '>', now)
    .returning('card_id')
    .executeTakeFirst()
  return row?.card_id
}

/**
 * Counts a failure under a token that this transaction has used up, and makes it usable again
 * unless there were `most`. Returns the number of failures.
 */
export async function updateTokenFailed(
  { db, tenant_id }: Tx,
  digest: Buffer,
  most: number,
): Promise<number> {
  const { failures } = await db
    .updateTable('widget_tokens')
    .set({
      failures: sql`failures + 1`,
      used: sql`case when failures + 1 >= ${most} then used end`,
    })
    .where('tenant_id', '=', tenant_id)
    .where('digest', '=', digest)
    .returning('failures')
    .executeTakeFirstOrThrow()
  return failures
}

/** Returns how many were deleted. */
export async function deleteExpiredTokens(
  { db, tenant_id, now }: Context,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from widget_tokens where tenant_id = ${tenant_id} and digest in (
      select digest from widget_tokens where tenant_id = ${tenant_id} and expires <= ${now}
      order by expires limit ${limit})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
