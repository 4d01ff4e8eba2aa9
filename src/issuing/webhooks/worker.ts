/**
 * The worker: takes due deliveries, calls, writes what came of it. A round only takes and starts;
 * the calls run beside each other, so a hanging endpoint holds nothing but its own places. The
 * claim commits before the call: while it runs no connection and no lock is held.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { mergeSettings, type TenantSettings } from '#issuing/tenants/tenants.ts'
import { type Context, transact } from '#kit/context.ts'
import { createOutgoing, type Outgoing } from '#kit/fetch.ts'
import { metrics } from '#kit/metrics.ts'
import { DELIVERIES } from '#kit/outbox.ts'
import type { Sweep } from '#kit/sweeper.ts'
import {
  type Claimed,
  claimDeliveries,
  type DueWebhook,
  dueWebhooks,
  putOffFollowers,
  releaseClaims,
  spareFlush,
  tenantsToServe,
} from './claims.ts'
import { openCredentials, openSecret } from './credentials.ts'
import { createResultWriter, type ResultWriter } from './results.ts'
import type { Credentials } from './rules/config.ts'
import { ruleOnOutcome } from './rules/outcome.ts'
import { signatureHeaders, signingKey } from './signature.ts'

/** Calls of this process at one time, and of those the ones to one subscription. */
const PLACES = 256
const PLACES_OF_WEBHOOK = 32
/** An endpoint that fails may not keep more than these busy. */
const PLACES_OF_FAILING = 4
/** Longer than a call may take, so that no two workers hold one delivery. */
const CLAIM_MS = 30_000
/** How long calls may still run when the program stops. */
const STOP_MS = 5_000
const FIRST_ID = '00000000-0000-0000-0000-000000000000'

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
  /** What the tenant's clock is ahead of real time. */
  ahead_ms: number
}

export function createWorker(options: WorkerOptions = {}): Sweep {
  const { outgoing = createOutgoing(), claim_ms = CLAIM_MS } = options
  const places = createPlaces()
  const results = createResultWriter()
  const running = new Set<Promise<void>>()
  let lastTenant = FIRST_ID

  return {
    name: 'deliveries',
    bell: DELIVERIES,
    outside: true,
    /** Goes round all tenants, so that none is left waiting behind a hundred busy ones. */
    async dueTenants(db, now, limit) {
      const found = await tenantsToServe(db, now, lastTenant, limit)
      if (lastTenant !== FIRST_ID && found.length < limit) {
        const rest = await tenantsToServe(db, now, FIRST_ID, limit - found.length)
        found.push(...rest.filter((id) => id <= lastTenant))
      }
      lastTenant = found.length === limit ? (found.at(-1) ?? FIRST_ID) : FIRST_ID
      return found
    },
    async run(ctx) {
      const real_now = new Date()
      const claim = { real_now, until: new Date(real_now.getTime() + claim_ms) }
      const wanted = placesFor(await dueWebhooks(ctx, real_now), places)
      const claims = await take(ctx, wanted, claim)
      if (wanted.length > 0 && claims.every((taken) => taken.length === 0)) {
        await putOffFollowers(
          ctx,
          wanted.map(({ webhook }) => webhook.id),
        )
      }
      for (const [at, { webhook }] of wanted.entries()) {
        const target = targetOf(ctx, webhook, real_now)
        for (const delivery of claims[at] ?? []) {
          places.take(webhook.id)
          const attempt = tryOnce(outgoing, results, target, delivery).finally(() => {
            places.leave(webhook.id)
            running.delete(attempt)
            // A place is free, and the next of the object may go: so look again.
            ctx.ring(DELIVERIES)
          })
          running.add(attempt)
        }
      }
      return { more: false }
    },
    async stop() {
      const ended = Promise.all(running)
      await Promise.race([ended, pause(STOP_MS, undefined, { ref: false })])
      outgoing.abort()
      await ended
      await outgoing.close()
    },
  }
}

type Wanted = { webhook: DueWebhook; limit: number }

function placesFor(webhooks: DueWebhook[], places: Places): Wanted[] {
  let left = places.free()
  return webhooks.flatMap((webhook) => {
    const most = webhook.failing_since === null ? PLACES_OF_WEBHOOK : PLACES_OF_FAILING
    const limit = Math.min(left, most - places.takenBy(webhook.id))
    if (limit <= 0) return []
    left -= limit
    return [{ webhook, limit }]
  })
}

function take(ctx: Context, wanted: Wanted[], claim: { real_now: Date; until: Date }) {
  if (wanted.length === 0) return Promise.resolve([])
  return transact(ctx, async (tx) => {
    const [, ...claims] = await Promise.all([
      spareFlush(tx),
      ...wanted.map(({ webhook, limit }) => claimDeliveries(tx, webhook.id, limit, claim)),
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
  const { webhook, settings, ahead_ms } = target
  const signature = signatureHeaders(target.keys, delivery.event_id, delivery.body, new Date())
  const outcome = await outgoing.post({
    url: webhook.endpoint,
    headers: { ...target.headers, ...signature },
    body: delivery.body,
    allow_private: settings.allow_private_endpoints,
  })
  if (outcome.kind === 'aborted') {
    // When the database is away as well, the claim runs out by itself.
    return releaseClaims(target.ctx, [delivery]).catch(() => {})
  }
  const real_now = new Date()
  const now = new Date(real_now.getTime() + ahead_ms)
  const verdict = ruleOnOutcome(outcome, {
    attempts: delivery.attempts,
    schedule: settings.webhook_retry_seconds,
    now,
    real_now,
    chance: Math.random(),
  })
  metrics.deliveries.inc({ result: verdict.status })
  const ctx = { ...target.ctx, now }
  await new Promise<void>((done) => results.add({ ctx, webhook, delivery, verdict }, done))
}

function targetOf(ctx: Context, webhook: DueWebhook, real_now: Date): Target {
  const { id, sealed_secret, sealed_previous_secret: previous, previous_secret_until } = webhook
  const both = previous && previous_secret_until && previous_secret_until > ctx.now
  const secrets = both ? [sealed_secret, previous] : [sealed_secret]
  return {
    ctx,
    webhook,
    settings: mergeSettings(webhook.settings, ctx.mode),
    headers: headersOf(webhook.basic_auth_username, openCredentials(ctx, webhook)),
    keys: secrets.map((sealed) => signingKey(openSecret(ctx, id, sealed))),
    ahead_ms: ctx.now.getTime() - real_now.getTime(),
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
  return {
    free: () => PLACES - all,
    takenBy: (webhook_id: string) => taken.get(webhook_id) ?? 0,
    take(webhook_id: string) {
      all += 1
      taken.set(webhook_id, (taken.get(webhook_id) ?? 0) + 1)
    },
    leave(webhook_id: string) {
      all -= 1
      const left = (taken.get(webhook_id) ?? 0) - 1
      if (left > 0) taken.set(webhook_id, left)
      else taken.delete(webhook_id)
    },
  }
}
