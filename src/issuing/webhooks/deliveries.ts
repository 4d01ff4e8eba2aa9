/** Deliveries for clients: list, one with its attempts, ping, resend, recover. D-64, D-491. */

import { DELIVERIES, emit } from '#events/outbox.ts'
import { readClock } from '#kit/clock.ts'
import { type Context, isTx, type Tx, transact } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { listPage } from '#kit/http/lists.ts'
import { dueBy } from '#kit/jobs/due_work.ts'
import { firstIdAt } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { parseInstant } from '#lib/time.ts'
import { type AttemptRow, listAttemptRows, SENT_HEADERS } from './attempts.ts'
import { deliveriesDue } from './due.ts'
import { pingOf } from './events.ts'
import { lastNumber, numberWithin } from './expansion.ts'
import type { DeliveryQuery, ObjectDeliveriesQuery, Recovery } from './schema.ts'
import {
  type DeliveryRow,
  findDeliveryRow,
  findWebhookRow,
  insertNewestDelivery,
  listDeliveryRows,
  listObjectDeliveryRows,
  lockDelivery,
  type Missed,
  updateDeliveryReopened,
  upsertMissedDeliveries,
  type WebhookRow,
} from './store.ts'
import { lockWebhook } from './subscriptions.ts'

/** Events that one call of `:recover` delivers at most. */
const RECOVERED_MAX = 10_000
/** Clocks of two machines may differ by this when ids are compared with times. */
const SKEW_MS = 60_000

export function listDeliveries(ctx: Context, webhook_id: string, query: DeliveryQuery) {
  return listPage('deliveries', query, async (range) => {
    if (!(await findWebhookRow(ctx, webhook_id))) throw new ApiError('not_found')
    return listDeliveryRows(ctx, { webhook_id, ...query }, range)
  })
}

/** Deliveries to all subscriptions about one object, of whatever age (D-1430). */
export const listObjectDeliveries = (ctx: Context, query: ObjectDeliveriesQuery) =>
  listPage('object_deliveries', query, (range) =>
    listObjectDeliveryRows(ctx, query.object_id, range),
  )

/** The delivery with its newest attempts; attempts of all starts are counted together. */
export async function findDelivery(ctx: Context | Tx, id: string) {
  const read = (db: Db) =>
    Promise.all([findDeliveryRow({ ...ctx, db }, id), listAttemptRows({ ...ctx, db }, id)])
  const [row, kept] = await (isTx(ctx) ? read(ctx.db) : ctx.db.runSession(read))
  if (!row) throw new ApiError('not_found')
  // Only the last attempt may be without a row of its own: it succeeded.
  const last = kept[0]?.number === row.attempts_made ? [] : lastAttemptOf(row)
  return { ...row, history: [...last, ...kept].map((one) => presentAttempt(row, one)) }
}

function lastAttemptOf(row: DeliveryRow): AttemptRow[] {
  const { id, attempts_made, sent, webhook_timestamp, duration_ms } = row
  if (sent === null || webhook_timestamp === null || duration_ms === null) return []
  const { response_status, response_body, error, masked_headers } = row
  return [
    {
      delivery_id: id,
      number: attempts_made,
      sent,
      webhook_timestamp,
      duration_ms,
      response_status,
      response_body,
      error,
      masked_headers,
    },
  ]
}

function presentAttempt({ event_id }: DeliveryRow, attempt: AttemptRow) {
  const { masked_headers, webhook_timestamp, delivery_id: _own, ...members } = attempt
  const masked = ['webhook-signature', ...(masked_headers ?? [])]
  const shown = {
    ...SENT_HEADERS,
    'webhook-id': event_id,
    'webhook-timestamp': String(webhook_timestamp),
  }
  const request_headers = [
    ...Object.entries(shown).map(([name, value]) => ({ name, value })),
    ...masked.map((name) => ({ name, value: '***' })),
  ]
  return { ...members, request_headers }
}

/** Sends a PING event to this subscription alone; answers its delivery, still pending. */
export function pingWebhook(ctx: Context | Tx, id: string) {
  return transact(ctx, async (tx) => {
    const webhook = await lockWebhook(tx, id)
    requireEnabled(webhook)
    await emit(tx, pingOf(webhook))
    await dueBy(tx, deliveriesDue, tx.now)
    return insertNewestDelivery(tx, webhook)
  })
}

/**
 * Whatever its state, the delivery is due at once; those of its object that follow it wait. Without
 * its event, which is no longer kept, it is not found (D-407).
 */
export function resendDelivery(ctx: Context | Tx, id: string) {
  return transact(ctx, async (tx) => {
    const delivery = await lockDelivery(tx, id)
    if (!delivery) throw new ApiError('not_found')
    requireEnabled(await lockWebhook(tx, delivery.webhook_id))
    tx.afterCommit(() => tx.notify(DELIVERIES, tx.tenant_id))
    await dueBy(tx, deliveriesDue, tx.now)
    const reopened = await updateDeliveryReopened(tx, delivery)
    if (!reopened) throw new ApiError('not_found')
    return reopened
  })
}

/**
 * Delivers what this subscription has missed since an instant and before `until`, of some of its
 * kinds or of all: events while it was disabled or before it was made, and expired deliveries. At
 * most 10,000 a call, the oldest first; `has_more` means that the call is to be repeated.
 */
export function recoverDeliveries(ctx: Context | Tx, id: string, recovery: Recovery) {
  return transact(ctx, async (tx) => {
    const [since, until] = [parseInstant(recovery.since), parseInstant(recovery.until ?? '')]
    if (!since) throw invalid('since', 'is not an instant')
    if (recovery.until !== undefined && !until) throw invalid('until', 'is not an instant')
    const webhook = await lockWebhook(tx, id)
    requireEnabled(webhook)
    const { events = webhook.events } = recovery
    const other = events.findIndex((event) => !webhook.events.includes(event))
    if (other >= 0) throw invalid(`events.${other}`, 'is not a kind that it receives')
    await dueBy(tx, deliveriesDue, tx.now)
    tx.afterCommit(() => tx.notify(DELIVERIES, tx.tenant_id))
    return recoverSince(tx, { webhook, since, until: until ?? null, events })
  })
}

type Wanted = { webhook: WebhookRow; since: Date; until: Date | null; events: readonly string[] }

/**
 * Numbered events come first, which may be many. Then the events that were numbered meanwhile, and
 * last those without a number: only for those is the feed locked, which all events of the tenant
 * need (D-935).
 */
async function recoverSince(tx: Tx, wanted: Wanted) {
  const [real_now, before] = await Promise.all([readClock(tx.db), lastNumber(tx)])
  // Starts in the middle of the key, at the least id that an event of that instant can have.
  const first = firstIdAt(realTimeOf(tx, wanted.since, real_now))
  let recovered = await recoverAfter(tx, wanted, first, RECOVERED_MAX)
  const meanwhile = await lastNumber(tx)
  if (meanwhile > before) {
    recovered += await recoverAfter(tx, wanted, before, RECOVERED_MAX - recovered)
  }
  if (recovered === RECOVERED_MAX) return { recovered, has_more: true }
  const { more } = await numberWithin(tx)
  recovered += await recoverAfter(tx, wanted, meanwhile, RECOVERED_MAX - recovered)
  return { recovered, has_more: more || recovered === RECOVERED_MAX }
}

/** Recovers at most `most`; returns how many. */
async function recoverAfter<After extends string | bigint>(
  tx: Tx,
  wanted: Wanted,
  first: After,
  most: number,
): Promise<number> {
  let recovered = 0
  let after: After | null = first
  while (after !== null && recovered < most) {
    const missed: Missed<After> = { ...wanted, after, limit: most - recovered }
    const found = await upsertMissedDeliveries(tx, missed)
    recovered += found.recovered
    after = found.last
  }
  return recovered
}

function requireEnabled({ status }: Pick<WebhookRow, 'status'>): void {
  if (status === 'DISABLED') throw new ApiError('webhook_disabled')
}

/** No later than the real time at which the tenant's clock, which only gains, showed `instant`. */
function realTimeOf({ now }: Context, instant: Date, real_now: Date): number {
  const gained = now.getTime() - real_now.getTime()
  return Math.max(0, instant.getTime() - gained - SKEW_MS)
}
