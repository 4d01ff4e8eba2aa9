/**
 * The rows of attempts and the effects of their results. The last attempt of a delivery is in its
 * own row; one that failed has a row of its own as well, so that the usual delivery, which succeeds
 * at once, costs no more than its row (D-491).
 */

import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { instantArray, plainArray, textArray } from '#kit/db/arrays.ts'
import type { Database } from '#kit/db/tables.ts'
import type { Claimed, DueWebhook } from './claims.ts'
import type { Health } from './rules/health.ts'
import type { Verdict } from './rules/outcome.ts'
import { insertAttempts } from './store.ts'

/** Headers of every delivery beside those that sign it. */
export const SENT_HEADERS = {
  'content-type': 'application/json',
  'user-agent': 'Bezant-Webhooks/1',
} as const

/** Attempts of one delivery that are shown, the newest ones. */
const SHOWN_MAX = 100

/**
 * The attempt that was sent and its time; `webhook_timestamp` is the one that the receiver was
 * given.
 */
export type SentAttempt = {
  sent: Date
  webhook_timestamp: bigint
  duration_ms: number
  /** Names of the headers whose values are secret. */
  masked_headers: readonly string[]
}

export type Result = { delivery: Claimed; verdict: Verdict; sent: SentAttempt }
export type AttemptRow = Omit<Selectable<Database['delivery_attempts']>, 'tenant_id'>

/**
 * Writes verdicts of the deliveries that are still held under the claim they were tried under. Rows
 * are found by the list of ids: a join with the values alone may read all deliveries of the tenant.
 */
export async function updateResults(tx: Tx, results: Result[]): Promise<void> {
  const { db, tenant_id, now } = tx
  const of = <Value>(member: (result: Result) => Value) => results.map(member)
  const names = ({ sent }: Result) => sent.masked_headers.join() || null
  const given = of(({ delivery }) => delivery.id)
  const ids = plainArray(given)
  // So that it reads the months alone that have them.
  const sorted = given.toSorted()
  const updated = sql`
    update deliveries d set status = r.status, attempts = r.attempts, due = r.due,
      attempts_made = d.attempts_made + 1, sent = r.sent,
      webhook_timestamp = r.webhook_timestamp, duration_ms = r.duration_ms,
      response_status = r.response_status, response_body = r.response_body, error = r.error,
      masked_headers = string_to_array(r.masked_headers, ','),
      claimed_until = null, modified = ${now}
    from unnest(${ids}::uuid[],
      ${instantArray(of(({ delivery }) => delivery.claimed_until))}::timestamptz[],
      ${plainArray(of(({ verdict }) => verdict.status))}::text[],
      ${plainArray(of(({ verdict }) => verdict.attempts))}::int[],
      ${instantArray(of(({ verdict }) => verdict.due))}::timestamptz[],
      ${instantArray(of(({ sent }) => sent.sent))}::timestamptz[],
      ${plainArray(of(({ sent }) => sent.webhook_timestamp))}::bigint[],
      ${plainArray(of(({ sent }) => sent.duration_ms))}::int[],
      ${textArray(of(names))}::text[],
      ${plainArray(of(({ verdict }) => verdict.response_status))}::int[],
      ${textArray(of(({ verdict }) => verdict.response_body))}::text[],
      ${textArray(of(({ verdict }) => verdict.error))}::text[]
    ) as r (id, claimed_until, status, attempts, due, sent, webhook_timestamp, duration_ms,
      masked_headers, response_status, response_body, error)
    where d.tenant_id = ${tenant_id} and d.id = any (${ids}::uuid[])
      and d.id between ${sorted.at(0)} and ${sorted.at(-1)}
      and d.id = r.id and d.claimed_until = r.claimed_until`.execute(db)
  const failed = results.filter(({ verdict }) => verdict.status !== 'DELIVERED')
  await Promise.all([updated, failed.length > 0 ? keepAttempts(tx, failed) : undefined])
}

/**
 * Keeps the attempts that were just written: no other attempt of a delivery was sent at that
 * instant.
 */
function keepAttempts(tx: Tx, failed: readonly Result[]): Promise<void> {
  const ids = plainArray(failed.map(({ delivery }) => delivery.id))
  const sent = instantArray(failed.map((result) => result.sent.sent))
  return insertAttempts(tx, sql`id = any (${ids}::uuid[]) and sent = any (${sent}::timestamptz[])`)
}

/**
 * Makes the next delivery of each object due that was put off behind one that has ended, in the
 * place that it had: among the newest it would come before new events. A claim puts off only
 * deliveries behind a row that it has locked, so a next one that is due stays as it is and costs no
 * write. Returns how many have a next one.
 */
export async function updateNextDue({ db, tenant_id, now }: Tx, ended: Claimed[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with next as materialized (
      select n.* from unnest(
        ${plainArray(ended.map(({ webhook_id }) => webhook_id))}::uuid[],
        ${plainArray(ended.map(({ object_id }) => object_id))}::uuid[],
        ${plainArray(ended.map(({ sequence }) => sequence))}::int[]
      ) as e (webhook_id, object_id, sequence)
      cross join lateral (
        select d.id, d.due, d.attempts from deliveries d
        where d.tenant_id = ${tenant_id} and d.webhook_id = e.webhook_id
          and d.object_id = e.object_id and d.sequence > e.sequence and d.due is not null
        order by d.sequence limit 1) n
    ), woken as (
      update deliveries d set due = least(d.created, ${now}), modified = ${now}
      where d.tenant_id = ${tenant_id} and d.id = any (array(
          select id from next where due > ${now} and attempts = 0))
        and d.attempts = 0
    )
    select count(*)::int as count from next`.execute(db)
  return rows[0]?.count ?? 0
}

/**
 * Only an ACTIVE subscription changes: one that a client disabled meanwhile stays as it is. So does
 * one whose failing has ended or begun since `seen` was read, unless it is gone (D-515), and one
 * that has another endpoint by now (D-778). Returns whether it has changed.
 */
export async function updateHealth(
  tx: Tx,
  seen: Pick<DueWebhook, 'id' | 'endpoint' | 'failing_since'>,
  health: Health,
): Promise<boolean> {
  const isGone = health.disabled_reason === 'GONE'
  const { numUpdatedRows } = await tx.db
    .updateTable('webhooks')
    .set({ ...health, modified: tx.now })
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', seen.id)
    .where('endpoint', '=', seen.endpoint)
    .where('status', '=', 'ACTIVE')
    .$if(!isGone, (query) =>
      query.where('failing_since', 'is not distinct from', seen.failing_since),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The kept attempts of a delivery, newest first, without the one that its own row shows. */
export async function listAttemptRows(
  { db, tenant_id }: Context,
  delivery_id: string,
): Promise<AttemptRow[]> {
  return db
    .selectFrom('delivery_attempts')
    .select(['delivery_id', 'number', 'sent', 'webhook_timestamp', 'duration_ms'])
    .select(['response_status', 'response_body', 'error', 'masked_headers'])
    .where('tenant_id', '=', tenant_id)
    .where('delivery_id', '=', delivery_id)
    .orderBy('number', 'desc')
    .limit(SHOWN_MAX)
    .execute()
}
