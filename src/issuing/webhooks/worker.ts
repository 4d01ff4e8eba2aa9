/**
 * The worker: claims due deliveries, calls, writes the results. A round only claims and starts; the
 * calls run side by side, so a hanging endpoint occupies nothing but its own places. The claim
 * commits before the call: while it runs no connection and no lock is held.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { mergeSettings, type TenantSettings } from '#issuing/tenants/tenants.ts'
import { runningFrom } from '#kit/clock.ts'
import { type Context, transact } from '#kit/context.ts'
import { DELIVERIES } from '#kit/db/outbox.ts'
import type { Sweep } from '#kit/jobs/sweeper.ts'
import { metrics } from '#kit/metrics.ts'
import { createOutgoing, type Outgoing } from '#kit/net/fetch.ts'
import { signatureHeaders, signingKey } from '#kit/net/signature.ts'
import {
  type Claimed,
  claimDeliveries,
  type DueWebhook,
  listDueWebhooks,
  releaseClaims,
  type Share,
  setAsyncCommit,
  tenantsToAwait,
  tenantsToServe,
  updateFollowersPostponed,
} from './claims.ts'
import { openCredentials, openSecret } from './credentials.ts'
import { createResultWriter, type ResultWriter } from './results.ts'
import type { Credentials } from './rules/config.ts'
import { checkOutcome } from './rules/outcome.ts'

/** Calls of this process at one time. */
const PLACES = 512
/**
 * Of those the ones of one tenant, and never more than half of what is free: however many tenants
 * have endpoints that hang, the next one still finds a place (D-352).
 */
const PLACES_OF_TENANT = 128
/** The ones to one subscription, and in a round never more than half of what is left. */
const PLACES_OF_WEBHOOK = 32
/** An endpoint that fails occupies at most this many. */
const PLACES_OF_FAILING = 4
/** Longer than a call may take, so that no two workers hold one delivery. */
const CLAIM_MS = 30_000
/** How long calls may still run once the program begins to stop. */
const STOP_MS = 5_000

export type WorkerOptions = {
  outgoing?: Outgoing
  /** Real milliseconds; shorter in tests only. */
  claim_ms?: number
}

/** What all attempts of one claim share. */
type Target = {
  ctx: Context
  webhook: DueWebhook
  settings: TenantSettings
  headers: Record<string, string>
  keys: Buffer[]
  /** The tenant's clock, as it runs on from the claim. */
  clock: () => Date
}

export function createWorker(options: WorkerOptions = {}): Sweep {
  const { outgoing = createOutgoing(), claim_ms = CLAIM_MS } = options
  const places = createPlaces()
  const results = createResultWriter()
  const running = new Set<Promise<void>>()
  let stop_at = Number.POSITIVE_INFINITY

  return {
    name: 'deliveries',
    channel: DELIVERIES,
    outside: true,
    dueTenants: tenantsToServe,
    unfinished: tenantsToAwait,
    async run(ctx) {
      const room = places.roomOf(ctx.tenant_id)
      if (room === 0) return { more: false }
      const clock = runningFrom(ctx.now)
      const webhooks = await listDueWebhooks(ctx)
      const shares = sharesOf(webhooks, places, room)
      if (shares.length === 0) return { more: false }
      const claims = await take(ctx, shares, claim_ms)
      if (claims.size === 0) {
        await updateFollowersPostponed(
          ctx,
          shares.flatMap(({ webhook_ids }) => webhook_ids),
        )
      }
      for (const webhook of webhooks) {
        const claimed = claims.get(webhook.id)
        if (claimed === undefined) continue
        const target = targetOf(ctx, webhook, clock)
        for (const delivery of claimed) {
          places.take(ctx.tenant_id, webhook.id)
          const attempt = tryOnce(outgoing, results, target, delivery).finally(() => {
            places.leave(ctx.tenant_id, webhook.id)
            running.delete(attempt)
            // A place is free, and the next delivery of the object may start.
            ctx.notify(DELIVERIES)
          })
          running.add(attempt)
        }
      }
      return { more: false }
    },
    prepareStop() {
      stop_at = Math.min(stop_at, performance.now() + STOP_MS)
    },
    async stop() {
      const ended = Promise.all(running)
      const left = Math.max(0, stop_at - performance.now())
      await Promise.race([ended, pause(left, undefined, { ref: false })])
      outgoing.abort()
      await ended
      await outgoing.close()
    },
  }
}

/** What each subscription may be given, those of one limit together. */
function sharesOf(webhooks: DueWebhook[], places: Places, room: number): Share[] {
  const shares = new Map<number, string[]>()
  let left = room
  for (const { id, failing_since } of webhooks) {
    const most = failing_since === null ? PLACES_OF_WEBHOOK : PLACES_OF_FAILING
    const limit = Math.min(Math.ceil(left / 2), most - places.takenBy(id))
    if (limit <= 0) continue
    left -= limit
    shares.set(limit, [...(shares.get(limit) ?? []), id])
  }
  return [...shares].map(([limit, webhook_ids]) => ({ limit, webhook_ids }))
}

function take(ctx: Context, shares: Share[], claim_ms: number) {
  return transact(ctx, async (tx) => {
    const [, claims] = await Promise.all([
      setAsyncCommit(tx),
      claimDeliveries(tx, shares, claim_ms),
    ])
    return claims
  })
}

/** One call and its result. Ends when the result is written, so places bound the unwritten too. */
async function tryOnce(
  outgoing: Outgoing,
  results: ResultWriter,
  target: Target,
  delivery: Claimed,
): Promise<void> {
  const { webhook, settings, clock } = target
  // Receivers compare the time of the signature with the real one (D-115).
  const real = (now: Date) => new Date(now.getTime() - Number(webhook.clock_offset_ms))
  const { event_id, body } = delivery
  const signature = signatureHeaders(target.keys, event_id, body, real(clock()))
  const outcome = await outgoing.post({
    url: webhook.endpoint,
    headers: { ...target.headers, ...signature },
    body,
    allow_private: settings.allow_private_endpoints,
  })
  if (outcome.kind === 'aborted') {
    // When the database is unreachable as well, the claim runs out by itself.
    return releaseClaims(target.ctx, [delivery]).catch(() => {})
  }
  const now = clock()
  const verdict = checkOutcome(outcome, {
    attempts: delivery.attempts,
    schedule: settings.webhook_retry_seconds,
    now,
    real_now: real(now),
    chance: Math.random(),
  })
  metrics.deliveries.inc({ result: verdict.status })
  const ctx = { ...target.ctx, now }
  await new Promise<void>((done) => results.add({ ctx, webhook, delivery, verdict }, done))
}

function targetOf(ctx: Context, webhook: DueWebhook, clock: () => Date): Target {
  const { id, sealed_secret, sealed_previous_secret: previous, previous_secret_until } = webhook
  const both = previous && previous_secret_until && previous_secret_until > ctx.now
  const secrets = both ? [sealed_secret, previous] : [sealed_secret]
  return {
    ctx,
    webhook,
    settings: mergeSettings(webhook.settings, ctx.profile),
    headers: headersOf(webhook.basic_auth_username, openCredentials(ctx, webhook)),
    keys: secrets.map((sealed) => signingKey(openSecret(ctx, id, sealed))),
    clock,
  }
}

function headersOf(username: string | null, { basic_auth_password, custom_headers }: Credentials) {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'user-agent': 'Bezant-Webhooks/1',
  }
  if (username !== null) {
    const pair = Buffer.from(`${username}:${basic_auth_password ?? ''}`)
    headers['authorization'] = `Basic ${pair.toString('base64')}`
  }
  for (const { header_name, header_value } of custom_headers) headers[header_name] = header_value
  return headers
}

type Places = ReturnType<typeof createPlaces>

function createPlaces() {
  const taken = new Map<string, number>()
  let all = 0
  const count = (id: string, by: number) => {
    const left = (taken.get(id) ?? 0) + by
    if (left > 0) taken.set(id, left)
    else taken.delete(id)
  }
  const takenBy = (id: string) => taken.get(id) ?? 0
  return {
    /** What a tenant may still take. The last place of all is open to any tenant. */
    roomOf(tenant_id: string) {
      const own = PLACES_OF_TENANT - takenBy(tenant_id)
      return Math.max(0, Math.min(own, Math.ceil((PLACES - all) / 2)))
    },
    takenBy,
    take(...ids: [tenant_id: string, webhook_id: string]) {
      all += 1
      for (const id of ids) count(id, 1)
    },
    leave(...ids: [tenant_id: string, webhook_id: string]) {
      all -= 1
      for (const id of ids) count(id, -1)
    },
  }
}
