/**
 * The results of attempts, written in batches: while one is at the database the next gathers. The
 * results of a batch that fails are written apart from all others, at last each by itself: a row
 * that is locked, or at fault, keeps no other result from being written (D-934).
 */

import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { DELIVERIES } from '#events/outbox.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { isLocked, limitLocks } from '#kit/db/locks.ts'
import { dueBy } from '#kit/jobs/due_work.ts'
import { metrics as kitMetrics } from '#kit/metrics.ts'
import { type Result, updateHealth, updateNextDue, updateResults } from './attempts.ts'
import { type DueWebhook, setByIndex } from './claims.ts'
import { deliveriesDue } from './due.ts'
import { metrics } from './metrics.ts'
import { checkHealth, type Health } from './rules/health.ts'

const BATCH_MAX = 500
const RETRY_PAUSE_MS = 250
/** After a batch of so many the next one gathers for longer: half of its cost is that of any batch. */
const BUSY = 4
const GATHER_MS = 5

/** `ctx.now` is the tenant's time at the end of the attempt. */
export type Finished = Result & { ctx: Context; webhook: DueWebhook }

export type ResultWriter = {
  /** Resolves when it is written, or when the claim ran out before that was possible. */
  add: (finished: Finished) => Promise<void>
}

type Waiting = { finished: Finished; done: () => void }

export function createResultWriter(): ResultWriter {
  /**
   * The results of each tenant that were in no batch yet, and the parts of batches that have
   * failed.
   */
  const waiting = new Map<string, Waiting[]>()
  const apart = new Map<string, Waiting[][]>()

  async function drain(tenant_id: string): Promise<void> {
    for (;;) {
      // Attempts that end in the same turn of the loop share their transaction.
      await setImmediate()
      const batch = waiting.get(tenant_id)?.splice(0, BATCH_MAX) ?? []
      if (batch.length === 0) break
      setApart(tenant_id, await tryOnce(batch))
      if (batch.length >= BUSY) await pause(GATHER_MS)
    }
    waiting.delete(tenant_id)
  }

  function setApart(tenant_id: string, parts: Waiting[][]): void {
    const known = apart.get(tenant_id)
    if (known) known.push(...parts)
    else if (parts.length > 0) {
      apart.set(tenant_id, parts)
      void drainApart(tenant_id, parts)
    }
  }

  /** Writes parts beside the batches, on one connection. */
  async function drainApart(tenant_id: string, parts: Waiting[][]): Promise<void> {
    while (parts.length > 0) {
      for (const part of parts.splice(0)) parts.push(...(await tryAll(part)))
      if (parts.length > 0) await pause(RETRY_PAUSE_MS)
    }
    apart.delete(tenant_id)
  }

  return {
    add(finished) {
      const { tenant_id } = finished.ctx
      const { promise, resolve: done } = Promise.withResolvers<void>()
      const line = waiting.get(tenant_id)
      if (line) line.push({ finished, done })
      else {
        waiting.set(tenant_id, [{ finished, done }])
        void drain(tenant_id)
      }
      return promise
    },
  }
}

/** Tries a part and, if it fails, its parts. Returns what is still to be written. */
async function tryAll(part: readonly Waiting[]): Promise<Waiting[][]> {
  const left = await tryOnce(part)
  if (left.length < 2) return left
  const rest: Waiting[][] = []
  for (const one of left) rest.push(...(await tryAll(one)))
  return rest
}

/**
 * Writes the results that are still held. Returns what could not be written, in parts of which one
 * may be at fault; in one part if the database is away, as a short outage must not make receivers
 * get the same again.
 */
async function tryOnce(batch: readonly Waiting[]): Promise<Waiting[][]> {
  const held = batch.filter(({ finished }) => finished.delivery.held_until > performance.now())
  const results = held.map(({ finished }) => finished)
  const [first] = results
  try {
    if (first) await transact(latest(first.ctx, results), (tx) => write(tx, results))
    for (const { done } of batch) done()
    return []
  } catch (error) {
    kitMetrics.sweepFailures.inc({ sweep: 'webhook_results' })
    for (const one of batch) if (!held.includes(one)) one.done()
    const isAway = error instanceof DatabaseUnavailable && !isLocked(error)
    return isAway ? [held] : partsOf(held)
  }
}

/** The results by subscription, or each by itself. */
function partsOf(batch: Waiting[]): Waiting[][] {
  const bySubscription = Map.groupBy(batch, ({ finished }) => finished.webhook.id)
  return bySubscription.size > 1 ? [...bySubscription.values()] : batch.map((one) => [one])
}

function latest(ctx: Context, batch: Finished[]): Context {
  return { ...ctx, now: new Date(Math.max(...batch.map((one) => one.ctx.now.getTime()))) }
}

async function write(tx: Tx, batch: Finished[]): Promise<void> {
  const ended = batch.filter(({ verdict }) => verdict.due === null)
  const [, , , next] = await Promise.all([
    limitLocks(tx).start(),
    setByIndex(tx),
    updateResults(tx, batch),
    ended.length > 0
      ? updateNextDue(
          tx,
          ended.map(({ delivery }) => delivery),
        )
      : 0,
    ...healthWrites(tx, batch),
  ])
  const retries = batch.map(({ verdict }) => verdict.due)
  await dueBy(tx, deliveriesDue, ...retries, next > 0 ? tx.now : null)
  // A further one of an object was not found while this one was under way.
  if (next > 0) tx.afterCommit(() => tx.notify(DELIVERIES, tx.tenant_id))
}

function healthWrites(tx: Tx, batch: Finished[]): Promise<void>[] {
  const byWebhook = Map.groupBy(batch, ({ webhook }) => webhook.id)
  // Sorted by their ids, so that two processes never wait for each other.
  const inOrder = [...byWebhook].sort(([one], [other]) => (one < other ? -1 : 1))
  return inOrder.flatMap(([, results]) => {
    const webhook = results.at(-1)?.webhook
    if (!webhook) return []
    const result = {
      delivered: results.some(({ verdict }) => verdict.status === 'DELIVERED'),
      gone: results.some(({ verdict }) => verdict.gone),
    }
    const health = checkHealth(webhook, result, tx.now)
    return health ? [writeHealth(tx, webhook, health)] : []
  })
}

async function writeHealth(tx: Tx, webhook: DueWebhook, health: Health): Promise<void> {
  const hasChanged = await updateHealth(tx, webhook, health)
  const reason = health.disabled_reason
  // Among calls that end at one time, one disables it.
  if (reason && hasChanged) tx.afterCommit(() => metrics.webhooksDisabled.inc({ reason }))
}
