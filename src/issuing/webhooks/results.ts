/** The results of attempts, written in batches: while one is at the database the next gathers. */

import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { DELIVERIES } from '#kit/db/events/outbox.ts'
import { dueBy } from '#kit/jobs/due_work.ts'
import { metrics } from '#kit/metrics.ts'
import { type Result, updateHealth, updateNextDue, updateResults } from './attempts.ts'
import { type DueWebhook, setByIndex } from './claims.ts'
import { deliveriesDue } from './due.ts'
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

export function createResultWriter(): ResultWriter {
  const waiting = new Map<string, { finished: Finished; done: () => void }[]>()

  async function drain(tenant_id: string): Promise<void> {
    for (;;) {
      // Attempts that end in the same turn of the loop share their transaction.
      await setImmediate()
      const batch = waiting.get(tenant_id)?.splice(0, BATCH_MAX) ?? []
      if (batch.length === 0) break
      await keepTrying(batch.map(({ finished }) => finished))
      for (const { done } of batch) done()
      if (batch.length >= BUSY) await pause(GATHER_MS)
    }
    waiting.delete(tenant_id)
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

/** A short outage of the database must not make receivers get the same again. */
async function keepTrying(batch: Finished[]): Promise<void> {
  for (;;) {
    const held = batch.filter(({ delivery }) => delivery.held_until > performance.now())
    const [first] = held
    if (!first) return
    try {
      return await transact(latest(first.ctx, held), (tx) => write(tx, held))
    } catch {
      metrics.sweepFailures.inc({ sweep: 'webhook_results' })
      await pause(RETRY_PAUSE_MS)
    }
  }
}

function latest(ctx: Context, batch: Finished[]): Context {
  return { ...ctx, now: new Date(Math.max(...batch.map((one) => one.ctx.now.getTime()))) }
}

async function write(tx: Tx, batch: Finished[]): Promise<void> {
  const ended = batch.filter(({ verdict }) => verdict.due === null)
  const [, , next] = await Promise.all([
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
  return [...byWebhook.values()].flatMap((results) => {
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
  // Of calls that end at one time, one disables it.
  if (reason && hasChanged) tx.afterCommit(() => metrics.webhooksDisabled.inc({ reason }))
}
