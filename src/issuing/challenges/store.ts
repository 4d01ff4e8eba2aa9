/** The SQL of challenges: every statement within one tenant. */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import { TRIES_MAX } from './rules.ts'
import type { ChallengeQuery, ChallengeRow, Sending } from './schema.ts'

/** False when the id is taken. */
export async function insertChallenge({ db, tenant_id }: Tx, row: ChallengeRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('challenges')
    .values({ tenant_id, ...row })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

const ofTenant = ({ db, tenant_id }: Context) =>
  db.selectFrom('challenges').selectAll().where('tenant_id', '=', tenant_id)

export function findChallengeRow(ctx: Context, id: string): Promise<ChallengeRow | undefined> {
  // The words are those of the checks of the table.
  return ofTenant(ctx).where('id', '=', id).executeTakeFirst() as Promise<ChallengeRow | undefined>
}

export function listChallengeRows(
  ctx: Context,
  { card_id }: ChallengeQuery,
  range: PageRange,
): Promise<ChallengeRow[]> {
  const all = ofTenant(ctx)
  const chosen = card_id === undefined ? all : all.where('card_id', '=', card_id)
  // The words are those of the checks of the table.
  return selectRange(chosen, range).execute() as Promise<ChallengeRow[]>
}

/** A challenge that may still be answered: one of two answers at two processes finds it. */
const pending = ({ db, tenant_id, now }: Tx, id: string) =>
  db
    .updateTable('challenges')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .where('expires', '>', now)

/**
 * Counts a try and judges it in one statement, so that no two tries are counted as one. Undefined
 * if the challenge has ended, or has no code.
 */
export function updateTried(
  tx: Tx,
  id: string,
  code_digest: Buffer,
): Promise<ChallengeRow | undefined> {
  const isRight = sql`code_digest = ${code_digest}`
  const counted = pending(tx, id)
    .where('code_digest', 'is not', null)
    .set({
      tries: sql`tries + 1`,
      status: sql`case when ${isRight} then 'PASSED'
        when tries + 1 >= ${TRIES_MAX}::int then 'FAILED' else status end`,
      passed: sql`case when ${isRight} then ${tx.now}::timestamptz end`,
      code_digest: sql`case when ${isRight} then null
        when tries + 1 >= ${TRIES_MAX}::int then null else code_digest end`,
      modified: tx.now,
    })
    .returningAll()
  // The words are those of the checks of the table.
  return counted.executeTakeFirst() as Promise<ChallengeRow | undefined>
}

/** Ends a challenge by the word of the cardholder; undefined if it has ended before. */
export function updateDecided(
  tx: Tx,
  id: string,
  status: 'PASSED' | 'DECLINED',
): Promise<ChallengeRow | undefined> {
  const passed = status === 'PASSED' ? tx.now : null
  const ended = pending(tx, id)
    .set({ status, passed, code_digest: null, modified: tx.now })
    .returningAll()
  // The words are those of the checks of the table.
  return ended.executeTakeFirst() as Promise<ChallengeRow | undefined>
}

/** The first outcome of sending counts. */
export async function updateSending(
  { db, tenant_id }: Context,
  id: string,
  sending: Sending,
): Promise<void> {
  await db
    .updateTable('challenges')
    .set({ sending })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('sending', '=', 'PENDING')
    .execute()
}
