/** Questions to responders without a URL. Their deadlines are real time (D-115). */

import { type Selectable, sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import type { Database } from '#kit/db/tables.ts'
import { QUESTIONS_MAX, type ResponderAnswer, type ResponderRequest } from './schema.ts'

type Row = Selectable<Database['sandbox_responder_requests']>
type Reader = Pick<Context, 'db' | 'tenant_id'>

/** A question is kept so long after its deadline, so that a late answer gets the reason. */
const KEPT_MS = 60_000
const forgettable = sql`${databaseNowPlus(-KEPT_MS)}`

/** `transaction` is JSON. Old questions of the tenant are deleted with it. */
export async function insertQuestion(
  { db, tenant_id }: Reader,
  { id, transaction, timeout_ms }: { id: string; transaction: string; timeout_ms: number },
): Promise<void> {
  await sql`
    with forgotten as (
      delete from sandbox_responder_requests
      where tenant_id = ${tenant_id} and deadline < ${forgettable})
    insert into sandbox_responder_requests (tenant_id, id, transaction, deadline)
    values (${tenant_id}, ${id}, ${transaction}, ${databaseNowPlus(timeout_ms)})`.execute(db)
}

/** The questions that wait for an answer, by their deadlines. */
export async function listQuestions(
  { db, tenant_id }: Reader,
  except: readonly string[],
): Promise<ResponderRequest[]> {
  const { rows } = await sql<ResponderRequest>`
    select id, transaction, deadline from sandbox_responder_requests
    where tenant_id = ${tenant_id} and deadline > ${databaseNow}
      and not is_over and answer is null
      and id <> all (${plainArray(except)}::uuid[])
    order by deadline, id limit ${QUESTIONS_MAX}`.execute(db)
  return rows
}

type Locked = Pick<Row, 'answer'> & { is_over: boolean; currency: string }

/** Until the end of the transaction the process that asks waits, and then sees the answer. */
export async function lockQuestion(
  { db, tenant_id }: Reader,
  id: string,
): Promise<Locked | undefined> {
  const { rows } = await sql<Locked>`
    select answer, is_over or deadline <= ${databaseNow} as is_over,
      transaction ->> 'currency' as currency
    from sandbox_responder_requests
    where tenant_id = ${tenant_id} and id = ${id} for update`.execute(db)
  return rows[0]
}

export async function updateAnswer(
  { db, tenant_id }: Reader,
  id: string,
  answer: ResponderAnswer,
): Promise<void> {
  await db
    .updateTable('sandbox_responder_requests')
    .set({ answer: JSON.stringify(answer) })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

/** Ends a question and returns its answer, null without one. No answer is taken after that. */
export async function updateOver({ db, tenant_id }: Reader, id: string): Promise<unknown> {
  const { rows } = await sql<Pick<Row, 'answer'>>`
    update sandbox_responder_requests set is_over = true
    where tenant_id = ${tenant_id} and id = ${id}
    returning answer`.execute(db)
  return rows[0]?.answer ?? null
}

/** Deletes questions of every tenant whose time has been over for a while. */
export async function deleteOldQuestions(db: Db): Promise<void> {
  await sql`delete from sandbox_responder_requests where deadline < ${forgettable}`.execute(db)
}
