/**
 * The worker: claims due deliveries, calls, writes the results. A round only claims and starts; the
 * calls run side by side, so a hanging endpoint occupies nothing but its own places. The claim
 * commits before the call: while it runs no connection and no lock is held.
 */

import type { KeyObject } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { DELIVERIES } from '#events/outbox.ts'
import { mergeSettings, type TenantSettings } from '#issuing/tenants/tenants.ts'
import { runningFrom } from '#kit/clock.ts'
import { type Context, transact } from '#kit/context.ts'
import { createNamedTenants } from '#kit/jobs/named_tenants.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { createOutgoing, type Outgoing } from '#kit/net/fetch.ts'
import { signatureHeaders, signingKey } from '#kit/net/signature.ts'
import { inSpan, placeOf } from '#kit/tracing/tracing.ts'
import { SENT_HEADERS, type SentAttempt } from './attempts.ts'
import {
  type Claimed,
  type Claims,
  claimDeliveries,
  type DueWebhook,
  listDueWebhooks,
  releaseClaims,
  type Share,
  setForClaims,
} from './claims.ts'
import { openCredentials, openSecret } from './credentials.ts'
import { deliveriesDue, tenantsToAwait } from './due.ts'
import { metrics } from './metrics.ts'
import { createPlaces, type Places, type Subscription } from './places.ts'
import { createResultWriter, type Finished } from './results.ts'
import type { Credentials } from './rules/config.ts'
import { checkOutcome } from './rules/outcome.ts'

/** More than twice what a call may take, so that no two workers hold one delivery. */
const CLAIM_MS = 30_000
/** The part of a claim that must be left when its call begins: for the call and for its result. */
const LEFT = 3 / 4
/**
 * The time from the start of a tenant's turn to that of the next one, so that it claims more at
 * once.
 */
const REST_MS = 10
/** How long calls may still run once the program begins to stop. */
const STOP_MS = 5_000

export type WorkerOptions = {
  outgoing?: Outgoing
  /** Real milliseconds; shorter in tests only. */
  claim_ms?: number
}

/** The parts that all attempts of one claim share. */
type Target = {
  ctx: Context
  webhook: DueWebhook
  settings: TenantSettings
  headers: Record<string, string>
  /** Names of those that are secret. */
  masked_headers: string[]
  keys: KeyObject[]
  /** The tenant's clock, as it runs on from the claim. */
  clock: () => Date
  /**
   * Real time, with which receivers compare the time of the signature (D-115). It is not made from
   * the tenant's clock, which may be moved while a claim is under way.
   */
  realClock: () => Date
}

export function createWorker(options: WorkerOptions = {}): Sweep {
  const { outgoing = createOutgoing(), claim_ms = CLAIM_MS } = options
  const places = createPlaces()
  const results = createResultWriter()
  const tenants = createNamedTenants(DELIVERIES)
  const running = new Set<Promise<void>>()
  let stop_at: number | undefined

  /**
   * Waits for its call, then makes it, unless the claim might end before the call does. The next
   * call begins at once; the place is kept until the result is written, so that places bound what
   * is unwritten too.
   */
  async function start(target: Target, delivery: Claimed): Promise<void> {
    const { ctx } = target
    await places.take(ctx.tenant_id, target.webhook)
    const begun = performance.now()
    const isLate = delivery.held_until - begun < claim_ms * LEFT
    const finished = isLate ? undefined : await tryOnce(outgoing, target, delivery)
    places.endCall(delivery.webhook_id, performance.now() - begun)
    await (finished ? results.add(finished) : release(ctx, delivery))
    const isDue = places.leave(ctx.tenant_id, target.webhook)
    if (isDue) ctx.notify(DELIVERIES, ctx.tenant_id)
  }

  return {
    ...deliveriesDue,
    channel: DELIVERIES,
    outside: true,
    notified: tenants.notified,
    named: tenants.named,
    unfinished: tenantsToAwait,
    async run(ctx) {
      tenants.begin(ctx.tenant_id)
      tenants.rest(ctx, REST_MS)
      const clock = runningFrom(ctx.now)
      const { webhooks, shares, byWebhook, put_off } = await take(ctx, places, claim_ms)
      for (const webhook of webhooks) {
        const claimed = byWebhook.get(webhook.id) ?? []
        const { most = 0 } = shares.find(({ webhook_id }) => webhook_id === webhook.id) ?? {}
        places.await(ctx.tenant_id, webhook, claimed.length >= most)
        if (claimed.length === 0) continue
        const target = targetOf(ctx, webhook, clock)
        for (const delivery of claimed) {
          const attempt = start(target, delivery).finally(() => running.delete(attempt))
          running.add(attempt)
        }
      }
      // A delivery that was put off was in the way of others.
      return { more: put_off > 0 }
    },
    prepareStop() {
      stop_at ??= performance.now() + STOP_MS
    },
    // Nothing may have announced it.
    stop: () => endCalls(outgoing, Promise.all(running), stop_at ?? performance.now() + STOP_MS),
  }
}

/** Waits for the calls until then, and ends those that still run. */
async function endCalls(outgoing: Outgoing, ended: Promise<unknown>, stop_at: number) {
  const left = Math.max(0, stop_at - performance.now())
  await Promise.race([ended, pause(left, undefined, { ref: false })])
  outgoing.abort()
  await ended
  await outgoing.close()
}

/**
 * The share of each subscription: an equal part of the free places, and of what may be held ahead,
 * to those that have the fewest first, and one part stays free. Otherwise the first ones would take
 * all places that become free while they have a backlog. Subscriptions of merchants take no more
 * than the rest for merchants.
 */
export function sharesOf(
  { tenant_id }: Pick<Context, 'tenant_id'>,
  webhooks: readonly Subscription[],
  places: Places,
): Share[] {
  let left = places.roomOf(tenant_id)
  let leftAhead = places.roomAheadOf(tenant_id)
  let leftOfMerchants = places.roomOfMerchants(tenant_id)
  const byHeld = webhooks.toSorted((one, other) => places.heldOf(one.id) - places.heldOf(other.id))
  return byHeld.flatMap((webhook, at) => {
    const partOf = (room: number) => Math.ceil(room / (byHeld.length + 1 - at))
    const isMerchants = webhook.merchant_id !== null
    const room = Math.min(partOf(left), isMerchants ? leftOfMerchants : left)
    const { calls, ahead } = places.mostOf(webhook, room, partOf(leftAhead))
    if (calls + ahead === 0) return []
    left -= calls
    leftAhead -= ahead
    if (isMerchants) leftOfMerchants -= calls
    return [{ webhook_id: webhook.id, most: calls + ahead }]
  })
}

type Taken = Claims & { webhooks: DueWebhook[]; shares: Share[] }

async function take(ctx: Context, places: Places, claim_ms: number): Promise<Taken> {
  return transact(ctx, async (tx) => {
    const [, webhooks] = await Promise.all([setForClaims(tx), listDueWebhooks(tx)])
    const shares = sharesOf(ctx, webhooks, places)
    const claims = await claimDeliveries(tx, shares, claim_ms)
    return { ...claims, webhooks, shares }
  })
}

/** One call and its result; undefined if the program stops and the call counts as not made. */
async function tryOnce(
  outgoing: Outgoing,
  target: Target,
  delivery: Claimed,
): Promise<Finished | undefined> {
  const { webhook, settings, clock, realClock } = target
  const { event_id, body } = delivery
  const sent = clock()
  metrics.deliveryLateness.observe(Math.max(0, sent.getTime() - delivery.due.getTime()) / 1000)
  const signature = signatureHeaders(target.keys, event_id, body, realClock())
  const begun = performance.now()
  const call = {
    url: webhook.endpoint,
    headers: { ...target.headers, ...signature },
    body,
    allow_private: settings.allow_private_endpoints,
  }
  const outcome = await inSpan(
    `webhook ${delivery.event}`,
    { kind: 'client', parent: placeOf(delivery), attributes: { event_id } },
    () => outgoing.post(call),
  )
  if (outcome.kind === 'aborted') return undefined
  const now = clock()
  const verdict = checkOutcome(outcome, {
    attempts: delivery.attempts,
    schedule: settings.webhook_retry_seconds,
    now,
    real_now: realClock(),
    chance: Math.random(),
  })
  metrics.deliveries.inc({ result: verdict.status })
  const ctx = { ...target.ctx, now }
  const made: SentAttempt = {
    sent,
    webhook_timestamp: BigInt(signature['webhook-timestamp']),
    duration_ms: Math.round(performance.now() - begun),
    masked_headers: target.masked_headers,
  }
  return { ctx, webhook, delivery, verdict, sent: made }
}

/** When the database is unreachable, the claim runs out by itself. */
const release = (ctx: Context, delivery: Claimed): Promise<void> =>
  releaseClaims(ctx, [delivery]).catch(() => {})

function targetOf(ctx: Context, webhook: DueWebhook, clock: () => Date): Target {
  const { id, sealed_secret, sealed_previous_secret: previous, previous_secret_until } = webhook
  const both = previous && previous_secret_until && previous_secret_until > ctx.now
  const secrets = both ? [sealed_secret, previous] : [sealed_secret]
  const secretHeaders = headersOf(webhook.basic_auth_username, openCredentials(ctx, webhook))
  return {
    ctx,
    webhook,
    settings: mergeSettings(webhook.settings, ctx.profile),
    headers: { ...SENT_HEADERS, ...secretHeaders },
    masked_headers: Object.keys(secretHeaders),
    keys: secrets.map((sealed) => signingKey(openSecret(ctx, id, sealed))),
    clock,
    realClock: runningFrom(webhook.real_now),
  }
}

function headersOf(username: string | null, { basic_auth_password, custom_headers }: Credentials) {
  const headers: Record<string, string> = {}
  if (username !== null) {
    const pair = Buffer.from(`${username}:${basic_auth_password ?? ''}`)
    headers['authorization'] = `Basic ${pair.toString('base64')}`
  }
  for (const { header_name, header_value } of custom_headers) headers[header_name] = header_value
  return headers
}
