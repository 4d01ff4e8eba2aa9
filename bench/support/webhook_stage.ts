/** The worker of this process on a real server, a receiver in a process of its own, and tenants. */

import { fork } from 'node:child_process'
import { DELIVERIES, emit } from '#events/outbox.ts'
import { createWebhook } from '#issuing/webhooks/webhooks.ts'
import { createWorker } from '#issuing/webhooks/worker.ts'
import { type Context, transact } from '#kit/context.ts'
import { type Services, tenantContext } from '#kit/http/callers/callers.ts'
import { createSweeper } from '#kit/jobs/sweeper.ts'
import { createLog } from '#kit/log.ts'
import { newId } from '#lib/id.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { onServer } from '#test/support/processes/server.ts'
import type { Arrivals, ArrivalsQuestion, Opened } from '../webhook_receiver.ts'
import { openPlatform } from './platform.ts'

const CONNECTIONS = 20
/** How long an event may still arrive after the last was sent. */
const PATIENCE_MS = 10_000
const LOOK_MS = 50
const PORTION = 50_000
const EVENT = 'CARD_STATUS_CHANGE'

export type Stage = {
  url: string
  /** The subscriptions of a new tenant, at /ok. */
  tenant: (subscriptions: number) => Promise<Subscribed>
  /** Sends the deliveries of one subscription to another path from now on. */
  redirect: (to: Subscribed, at: number, path: string) => Promise<void>
  /** Writes so many events a second, each of a new object and in a transaction of its own. */
  measure: (load: EventLoad) => Promise<Delays>
  /** Deliveries of events of so many objects, in turn over the subscriptions, due now. */
  fill: (to: Subscribed, deliveries: number, objects: number) => Promise<void>
  /** Whether something of a tenant is still to be delivered; costs as good as nothing. */
  isOpen: (to: Subscribed) => Promise<boolean>
  /** Ends what is still open of all tenants. */
  clear: () => Promise<void>
  start: () => void
  /** Deliveries that have arrived until now. */
  arrived: () => number
  vacuum: () => Promise<void>
  close: () => Promise<void>
}
export type Subscribed = {
  tenant_id: string
  webhook_ids: string[]
  /** Subscriptions that do not go to /ok. */
  redirected: Set<string>
}
/** The tenants take turns. */
export type EventLoad = { to: readonly Subscribed[]; rate: number; seconds: number }
/** Milliseconds from each commit to each arrival at /ok, and how many never came there. */
export type Delays = { ms: number[]; missing: number }

export async function openStage(): Promise<Stage> {
  const platform = await openPlatform(CONNECTIONS)
  const services: Services = {
    ...platform.services,
    db: platform.ctx().db,
    notify: (channel, tenant_id) => sweeper.notify(channel, tenant_id),
  }
  const contextOf = (id: string) => tenantContext(services, id, { kind: 'system', id: 'sweep' })
  const sweeper = createSweeper({
    db: services.db,
    log: createLog('warn'),
    contextOf,
    sweeps: [createWorker()],
  })
  const receiver = fork(new URL('../webhook_receiver.ts', import.meta.url))
  const answer = <Message>() =>
    new Promise<Message>((resolve) => receiver.once('message', (sent) => resolve(sent as Message)))
  const { port } = await answer<Opened>()
  const pathTo = (path: string) => `http://127.0.0.1:${port}${path}`
  const query = (text: string, values: unknown[] = []) =>
    onServer(platform.url, async (client) => {
      await client.query('set statement_timeout = 0')
      return (await client.query(text, values)).rows
    })
  /** Arrivals at /ok by the number of the event. */
  const seen = new Map<number, number[]>()
  let [arrived, numbers] = [0, 0]
  const look = setInterval(
    () => receiver.send({ kinds: 'arrivals' } satisfies ArrivalsQuestion),
    LOOK_MS,
  )
  receiver.on('message', ({ count, numbered }: Arrivals) => {
    arrived += count
    for (const [path, n, at] of numbered) {
      if (path === '/ok') seen.set(n, [...(seen.get(n) ?? []), at])
    }
  })
  const contexts = new Map<string, Context>()
  const known = async (id: string) => {
    const ctx = contexts.get(id) ?? (await contextOf(id))
    contexts.set(id, ctx)
    return { ...ctx, now: new Date() }
  }
  const send = async ({ tenant_id, webhook_ids, redirected }: Subscribed) => {
    const n = ++numbers
    const event = madeUpEvent(EVENT, newId(), { n })
    await transact(await known(tenant_id), (tx) => emit(tx, event))
    const at = performance.timeOrigin + performance.now()
    return [n, at, webhook_ids.length - redirected.size] as [number, number, number]
  }
  return {
    url: platform.url,
    async tenant(subscriptions) {
      const tenant_id = newId()
      await query(
        `insert into tenants (id, name, settings, created, modified)
         values ($1, 'bench', '{"allow_private_endpoints": true}', now(), now())`,
        [tenant_id],
      )
      await query('insert into tenant_anchors values ($1)', [tenant_id])
      const ctx = await contextOf(tenant_id)
      const webhook_ids: string[] = []
      for (let at = 0; at < subscriptions; at += 1) {
        const made = await createWebhook(ctx, { endpoint: pathTo('/ok'), events: [EVENT] })
        webhook_ids.push(made.id)
      }
      return { tenant_id, webhook_ids, redirected: new Set() }
    },
    async redirect({ tenant_id, webhook_ids, redirected }, at, path) {
      const id = webhook_ids[at] ?? ''
      if (path === '/ok') redirected.delete(id)
      else redirected.add(id)
      await query(
        `update webhooks set endpoint = $3, failing_since = null
         where tenant_id = $1 and id = $2`,
        [tenant_id, id, pathTo(path)],
      )
    },
    async measure({ to, rate, seconds }) {
      const sent: Promise<[n: number, at: number, expected: number]>[] = []
      const start = performance.now()
      for (let at = 0; at < rate * seconds; at += 1) {
        await pause(start + (at * 1000) / rate - performance.now())
        const tenant = to[at % to.length]
        if (tenant) sent.push(send(tenant))
      }
      const end = performance.now() + PATIENCE_MS
      const events = await Promise.all(sent)
      const isHere = ([n, , expected]: (typeof events)[0]) => (seen.get(n)?.length ?? 0) >= expected
      while (performance.now() < end && !events.every(isHere)) await pause(LOOK_MS)
      const ms = events.flatMap(([n, at]) => (seen.get(n) ?? []).map((arrived) => arrived - at))
      const expected = events.reduce((sum, [, , count]) => sum + count, 0)
      return { ms, missing: expected - ms.length }
    },
    async fill({ tenant_id, webhook_ids }, deliveries, objects) {
      for (let from = 0; from < deliveries; from += PORTION) {
        const to = Math.min(deliveries, from + PORTION)
        await query(FILL, [tenant_id, webhook_ids, newId().slice(0, 13), from, to, objects])
        await query(DUE, [tenant_id, DELIVERIES])
      }
    },
    async isOpen({ webhook_ids }) {
      const [row] = await query(
        `select exists (select from unnest($1::uuid[]) as w (id) cross join lateral (
           select from deliveries d where d.webhook_id = w.id and d.due is not null
           order by d.object_id, d.sequence limit 1) as o) as is_open`,
        [webhook_ids],
      )
      return row.is_open
    },
    async clear() {
      await query(`update deliveries set status = 'EXPIRED', due = null, claimed_until = null
        where due is not null`)
    },
    start: () => sweeper.start(),
    arrived: () => arrived,
    vacuum: platform.vacuum,
    async close() {
      clearInterval(look)
      await sweeper.stop()
      receiver.disconnect()
      await platform.close()
    },
  }
}

const pause = (ms: number) =>
  ms > 0 ? new Promise<void>((resolve) => setTimeout(resolve, ms)) : undefined

/** The sweep finds the tenant by it (D-691). */
const DUE = `insert into due_work values ($1, $2, now() - interval '1 minute')
  on conflict (tenant_id, kind) do update set due = least(due_work.due, excluded.due)`

/** Event n of object n % objects goes to one subscription, as if each had objects of its own. */
const FILL = `
  with made as (
    select n, ($3::text || '-7' || substr(md5(n::text), 1, 3) || '-8' || substr(md5(n::text), 4, 3)
      || '-' || lpad(to_hex(n), 12, '0'))::uuid as id,
      md5('object' || (n % $6::int))::uuid as object_id, n / $6::int + 1 as sequence,
      ($2::uuid[])[(n % $6::int) % cardinality($2::uuid[]) + 1] as webhook_id
    from generate_series($4::int, $5::int - 1) as n
  ), written as (
    insert into events (tenant_id, id, event, object_id, sequence, payload, created)
    select $1::uuid, id, '${EVENT}', object_id, sequence,
      json_build_object('id', id, 'event', '${EVENT}', 'created', now(),
        'card_status_change', json_build_object('card_id', object_id, 'old_status', 'ACTIVE',
        'new_status', 'SUSPENDED')), now()
    from made
  )
  insert into deliveries (tenant_id, id, webhook_id, event_id, event, object_id, sequence, status,
    due, created, modified)
  select $1::uuid, id, webhook_id, id, '${EVENT}', object_id, sequence, 'PENDING',
    date_trunc('milliseconds', now()) - interval '1 minute' + n * interval '1 microsecond',
    now(), now() from made`
