/**
 * Approvals that took effect but whose answer the network never got (D-301). Each answer has a row
 * until the approval is reversed, or kept for another answer (D-528), so that neither an outage nor
 * the end of this process leaves its money held.
 */

import { sql } from 'kysely'
import type { TransactionRow } from '#issuing/transactions/rules.ts'
import { databaseNow } from '#kit/clock.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { plainArray, textArray } from '#kit/db/arrays.ts'
import { Write } from '#kit/db/write.ts'
import type { Backlog } from '#kit/jobs/backlogs.ts'
import { dueBy, dueKind } from '#kit/jobs/due_work.ts'
import type { Unanswered } from '../../decide/state/unanswered.ts'
import { listOriginals } from './originals.ts'

/** Wakes the sweep that reverses them. */
export const UNANSWERED = 'unanswered approvals'
export const unansweredDue = dueKind({
  name: UNANSWERED,
  table: 'unanswered_approvals',
  realTime: true,
})

/**
 * Stores them until they are reversed. Whether they still are is decided with the reversal: a
 * repeat that comes before it is answered as approved, and keeps the approval (D-528).
 */
export async function insertUnanswered(ctx: Context, all: readonly Unanswered[]): Promise<void> {
  await transact(ctx, async (tx) => {
    await dueBy(tx, unansweredDue, 0)
    await sql`
      insert into unanswered_approvals (tenant_id, due, created, message_key, answer_number,
        transaction_id, processing_code, amount)
      select anchor.tenant_id, ${databaseNow}, ${databaseNow}, given.*
      from tenant_anchors anchor cross join rows from (
        unnest(${textArray(all.map((one) => one.message_key))}::text[]),
        unnest(${plainArray(all.map((one) => one.answer_number))}::int[]),
        unnest(${plainArray(all.map((one) => one.transaction_id))}::uuid[]),
        unnest(${textArray(all.map((one) => one.processing_code))}::text[]),
        unnest(${plainArray(all.map((one) => one.amount))}::bigint[])) as given
      where anchor.tenant_id = ${tx.tenant_id}
      on conflict (tenant_id, message_key, answer_number) do nothing`.execute(tx.db)
  })
}

type Name = Pick<Unanswered, 'message_key' | 'answer_number'>

/** Called in the transaction in which they are reversed, or kept. */
export function deleteUnanswered(tx: Tx, answers: readonly Name[]): Write {
  if (answers.length === 0) return Write.of(tx.db)
  const deleted = sql`
    delete from unanswered_approvals
    where tenant_id = ${tx.tenant_id} and (message_key, answer_number) in (
      select * from unnest(${textArray(answers.map((one) => one.message_key))}::text[],
        ${plainArray(answers.map((one) => one.answer_number))}::int[]))`
  return Write.of(tx.db, deleted)
}

type Claimed = Unanswered & { row: TransactionRow | undefined }

const CLAIMS = 100
/** The pause before the next try grows from one second to this, seconds. */
const LONGEST_RETRY_S = 60

/** Takes those that are due, with their transactions; they are due again if this try fails. */
export async function claimUnanswered(ctx: Context): Promise<{ due: Claimed[]; more: boolean }> {
  const { rows } = await sql<Unanswered>`
    with claimed as (
      select message_key, answer_number, ${databaseNow}
        + least(power(2, least(tries, 10)), ${LONGEST_RETRY_S}::int) * interval '1 second' as again
      from unanswered_approvals where tenant_id = ${ctx.tenant_id} and due <= ${databaseNow}
      order by due limit ${sql.lit(CLAIMS)} for update skip locked
    )
    update unanswered_approvals u set tries = u.tries + 1, due = c.again
    from claimed c where u.tenant_id = ${ctx.tenant_id}
      and u.message_key = c.message_key and u.answer_number = c.answer_number
    returning u.message_key, u.answer_number, u.transaction_id, u.processing_code,
      u.amount`.execute(ctx.db)
  const ids = [...new Set(rows.map((one) => one.transaction_id))]
  const { transactions } = await listOriginals(ctx, { ids, message_keys: [], by_rrn: [] })
  const byId = new Map(transactions.map(({ row }) => [row.id, row]))
  const due = rows.map((one) => ({ ...one, row: byId.get(one.transaction_id) }))
  return { due, more: rows.length === CLAIMS }
}

export const unansweredBacklog: Backlog = {
  queue: 'unanswered_approvals',
  rows: (reached) => sql`
    select created as since from unanswered_approvals${reached('where', 'tenant_id')}
    order by tenant_id, due`,
}
