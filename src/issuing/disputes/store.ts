/** The SQL of disputes: every statement within one tenant. */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import { dueBy, dueKind } from '#kit/jobs/due_work.ts'
import { finalStatuses } from './rules/states.ts'
import type { DisputeQuery, DisputeRow } from './schema.ts'

/** Deadlines, and the times ahead of them. */
export const disputesDue = dueKind({ name: 'disputes', table: 'disputes' })

const stored = ({ evidence, moves, ...row }: DisputeRow) => ({
  ...row,
  evidence: JSON.stringify(evidence),
  moves: JSON.stringify(moves),
})

/** False when the id is taken. */
export async function insertDispute(tx: Tx, row: DisputeRow): Promise<boolean> {
  const { db, tenant_id } = tx
  await dueBy(tx, disputesDue, row.due)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('disputes')
    .values({ tenant_id, ...stored(row) })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The caller has locked it. */
export async function updateDisputeRow(tx: Tx, row: DisputeRow): Promise<void> {
  const { db, tenant_id } = tx
  // A row that was read has its tenant beside its members, which a cluster lets nobody set.
  const {
    tenant_id: _o,
    id,
    transaction_id: _t,
    account_id: _a,
    card_id: _c,
    created: _n,
    ...changes
  } = { tenant_id, ...stored(row) }
  await dueBy(tx, disputesDue, row.due)
  await db
    .updateTable('disputes')
    .set(changes)
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

const ofTenant = ({ db, tenant_id }: Context) =>
  db.selectFrom('disputes').selectAll().where('tenant_id', '=', tenant_id)

export function findDisputeRow(ctx: Context, id: string): Promise<DisputeRow | undefined> {
  // The words are those of the checks of the table.
  return ofTenant(ctx).where('id', '=', id).executeTakeFirst() as Promise<DisputeRow | undefined>
}

export function lockDisputeRow(tx: Tx, id: string): Promise<DisputeRow | undefined> {
  const locked = ofTenant(tx).where('id', '=', id).forNoKeyUpdate()
  // The words are those of the checks of the table.
  return locked.executeTakeFirst() as Promise<DisputeRow | undefined>
}

export function listDisputeRows(
  ctx: Context,
  query: DisputeQuery,
  range: PageRange,
): Promise<DisputeRow[]> {
  let all = ofTenant(ctx)
  for (const name of ['transaction_id', 'account_id', 'card_id', 'status', 'reason'] as const) {
    const value = query[name]
    if (value !== undefined) all = all.where(name, '=', value)
  }
  if (query.deadline_before) all = all.where('deadline', '<', new Date(query.deadline_before))
  const rows =
    query.sort_by === 'deadline'
      ? selectRange(all.where('deadline', 'is not', null), range, {
          by: 'deadline',
          direction: 'asc',
        })
      : selectRange(all, range)
  // The words are those of the checks of the table.
  return rows.execute() as Promise<DisputeRow[]>
}

/** Those with a message that has to leave for the card network, longest first. */
export function listOutgoingRows(ctx: Context, limit: number): Promise<DisputeRow[]> {
  const leaving = ofTenant(ctx).where('outgoing', 'is not', null)
  // The words are those of the checks of the table.
  return leaving.orderBy('modified').orderBy('id').limit(limit).execute() as Promise<DisputeRow[]>
}

/** The disputes about these transactions. */
export function listDisputesAbout(
  ctx: Context,
  transaction_ids: readonly string[],
): Promise<DisputeRow[]> {
  const about = ofTenant(ctx).where('transaction_id', 'in', transaction_ids)
  // The words are those of the checks of the table.
  return about.orderBy('id').execute() as Promise<DisputeRow[]>
}

/**
 * The amount that the disputes of a transaction take of it, but for one: all of an open one, and
 * the credit of the cardholder by one that has ended.
 */
export async function findDisputed(
  { db, tenant_id }: Tx,
  transaction_id: string,
  but_id: string,
): Promise<bigint> {
  const { rows } = await sql<{ taken: bigint }>`
    select coalesce(sum(case when status = any (${plainArray(finalStatuses)}::text[])
      then credited else amount end), 0)::bigint as taken
    from disputes
    where tenant_id = ${tenant_id} and transaction_id = ${transaction_id} and id <> ${but_id}
  `.execute(db)
  return rows[0]?.taken ?? 0n
}

/** The ids of those that are due, longest first. */
export async function listDueDisputes(
  { db, tenant_id, now }: Context,
  most: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('disputes')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('due', '<=', now)
    .orderBy('due')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}
