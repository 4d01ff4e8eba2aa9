/** Workers are killed at random moments while a receiver misbehaves. */

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { test } from 'node:test'
import { sql } from 'kysely'
import { makeBatchId } from '#events/event_batches.ts'
import { emit } from '#events/outbox.ts'
import { softwareCustody } from '#issuing/vault/vault.ts'
import { transact } from '#kit/context.ts'
import { openDatabase } from '#kit/db/database.ts'
import { tenantContext } from '#kit/http/callers/callers.ts'
import { masterKeyWrapper, openKeyring } from '#kit/keys/keyring.ts'
import { newId } from '#lib/id.ts'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { chances, SEED } from '#test/support/chances.ts'
import { emitToSubscribers, madeUpEvent } from '#test/support/events.ts'
import { asMerchant } from '#test/support/network/merchants.ts'
import type { WorkerEnv } from '#test/support/processes/delivery_worker.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { openReceiver } from '#test/support/services/receiver.ts'
import { listPlacedEvents, type Place, type PlacedEvent, START } from './feed/feed_store.ts'
import { createWebhook } from './webhooks.ts'

const deep = process.env['TEST_DEEP'] === '1'
const KILLS = deep ? 50 : 10
const OBJECTS = deep ? 200 : 100
const EVENTS_OF_OBJECT = 10
/** Every second object is reported in batches of so many objects. */
const BATCH = 10
const WORKERS = 3
const TIMEOUT_MS = 1_000
const CLAIM_MS = 2_500
/**
 * Events that may come twice. In a short run a kill costs what a worker has sent and not yet noted:
 * half of its share of the objects on a busy machine. That they came near a kill is asserted too.
 */
const DUPLICATES_MAX = deep ? 0.02 * OBJECTS * EVENTS_OF_OBJECT : KILLS * 16
const PATIENCE_MS = deep ? 240_000 : 60_000

/**
 * The deliveries that the receiver has answered with 200; `attempt` names the call by its event and
 * its time.
 */
type Taken = { id: string; object_id: string; at: number; arrived: number; attempt: string }

test(`no event is lost, doubled or out of order through kills (SEED=${SEED})`, async (t) => {
  const chance = chances(SEED)
  const database = await createTestDatabase()
  const { db, close } = openDatabase(database.url, 4)
  const master_key = randomBytes(32)
  const keys = await openKeyring(db, masterKeyWrapper(master_key), new Date())
  const services = {
    db,
    keys,
    profile: PROFILES.sandbox,
    custody: softwareCustody,
    notify() {},
    runDueJobs: async () => [],
    async react() {},
  }
  const tenant_id = newId()
  const now = new Date()
  const settings = JSON.stringify({ webhook_retry_seconds: Array(20).fill(1) })
  await db
    .insertInto('tenants')
    .values({ id: tenant_id, name: 'killed', settings, created: now, modified: now })
    .execute()
  await db.insertInto('tenant_anchors').values({ tenant_id }).execute()
  const ctx = await tenantContext(services, tenant_id, { kind: 'system', id: 'test' })

  const receiver = await openReceiver()
  const taken: Taken[] = []
  /** Events of batches by id: they are rendered from transactions, which this test has none of. */
  const batched = new Map<string, { object_id: string; at: number }>()
  const killed: number[] = []
  const givenUp = new Set<string>()
  const held = new Map<string, number>()
  let heldTwice = 0
  receiver.answer((response, { body, headers, at: arrived }) => {
    // A worker gives a call up after its time, of which the way to the receiver is a part.
    const since = held.get(body.id) ?? 0
    if (arrived - since < TIMEOUT_MS / 2) heldTwice += 1
    held.set(body.id, arrived)
    const dice = chance()
    if (dice < 0.01) return
    const { object_id = '', at = 0 } = batched.get(body.id) ?? body
    const attempt = `${body.id} ${headers['webhook-timestamp']}`
    if (dice >= 0.1) taken.push({ id: body.id, object_id, at, arrived, attempt })
    setTimeout(() => {
      held.delete(body.id)
      if (dice < 0.05) response.writeHead(500).end()
      else if (dice < 0.1) response.socket?.resetAndDestroy()
      else response.end()
    }, dice * 10)
  })
  await createWebhook(ctx, { endpoint: receiver.url, events: ['TRANSACTION'] })
  // Every second object that is reported by itself is of a merchant, who has an endpoint too.
  const merchant_id = newId()
  const ofMerchant = await openReceiver()
  await createWebhook(asMerchant(ctx, merchant_id), {
    endpoint: ofMerchant.url,
    events: ['TRANSACTION'],
  })

  const env: WorkerEnv = {
    WORKER_DATABASE: database.url,
    WORKER_KEY: master_key.toString('hex'),
    WORKER_TIMEOUT_MS: String(TIMEOUT_MS),
    WORKER_CLAIM_MS: String(CLAIM_MS),
  }
  const start = () =>
    spawn(process.execPath, ['test/support/processes/delivery_worker.ts'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const workers: ChildProcess[] = Array.from({ length: WORKERS }, start)
  const kill = async (at: number) => {
    const [worker] = workers.splice(at, 1)
    if (!worker) return
    const ended = once(worker, 'exit')
    worker.kill('SIGKILL')
    killed.push(Date.now())
    await ended
  }

  const objects = Array.from({ length: OBJECTS }, () => newId())
  const isOfMerchant = (object_id: string) => objects.indexOf(object_id) % 2 === 1
  const write = (object_id: string, at: number) => {
    const event = madeUpEvent('TRANSACTION', object_id, { object_id, at })
    const owner = isOfMerchant(object_id) ? { merchant_id } : {}
    return transact(ctx, (tx) => emit(tx, { ...event, ...owner }))
  }
  const writeBatch = async (object_ids: readonly string[], at: number) => {
    const id = makeBatchId()
    for (const [n, object_id] of object_ids.entries()) {
      batched.set(id.slice(0, -1) + n.toString(16), { object_id, at })
    }
    const event = { event: 'TRANSACTION', sequence: at + 1 } as const
    const events = object_ids.map((object_id) => ({ ...event, object_id }))
    await transact(ctx, (tx) => emitToSubscribers(tx, id, events))
  }
  const open = async () => {
    const row = await db
      .selectFrom('deliveries')
      .select((of) => of.fn.countAll().as('count'))
      .where('tenant_id', '=', tenant_id)
      .where('status', '<>', 'DELIVERED')
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }
  const unexpanded = async () =>
    (await db.selectFrom('events').select('id').where('place', 'is not', null).execute()).length > 0
  const moveClock = () =>
    db
      .updateTable('tenants')
      .set((of) => ({ clock_offset_ms: of('clock_offset_ms', '+', 1200n) }))
      .where('id', '=', tenant_id)
      .execute()

  /** The events that a client of the feed has read so far, which never numbers events itself. */
  const read: PlacedEvent[] = []
  const readOn = async () => {
    const from: Place = read.at(-1) ?? START
    const { events } = await listPlacedEvents(ctx, from, 200)
    read.push(...events)
    return events.length > 0
  }

  try {
    // Events come steadily, as they do in life; a kill comes somewhere in each share of them.
    const inBatches = objects.slice(0, OBJECTS / 2)
    const writes = Array.from({ length: EVENTS_OF_OBJECT }, (_, at) => [
      ...Array.from(
        { length: inBatches.length / BATCH },
        (_, n) => () => writeBatch(inBatches.slice(n * BATCH, (n + 1) * BATCH), at),
      ),
      ...objects.slice(OBJECTS / 2).map((object_id) => () => write(object_id, at)),
    ]).flat()
    const share = writes.length / KILLS
    for (let first = 0; first < writes.length; first += share) {
      const moment = first + Math.floor(chance() * share)
      for (const [place, writeNext] of writes.slice(first, first + share).entries()) {
        await writeNext()
        if (place % 20 === 0) await moveClock()
        if (place % 5 === 0) await readOn()
        if (first + place !== moment) continue
        await kill(Math.floor(chance() * workers.length))
        workers.push(start())
      }
    }
    const end = Date.now() + PATIENCE_MS
    while ((await open()) > 0 || (await unexpanded())) {
      assert.ok(Date.now() < end, `${await open()} deliveries are still open`)
      await moveClock()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    while (await readOn());
    // A receiver that was not run for a second has answered too late: it was asked again rightly.
    const { rows } = await sql<{ attempt: string }>`
      select d.event_id || ' ' || a.webhook_timestamp as attempt from delivery_attempts a
      join deliveries d on d.tenant_id = a.tenant_id and d.id = a.delivery_id
      where a.tenant_id = ${tenant_id} and a.error = 'timeout'`.execute(db)
    for (const { attempt } of rows) givenUp.add(attempt)
  } finally {
    while (workers.length > 0) await kill(0)
    await Promise.all([receiver.close(), ofMerchant.close()])
    await close()
    await database.drop()
  }

  const total = OBJECTS * EVENTS_OF_OBJECT
  const distinct = new Set(taken.map(({ id }) => id))
  assert.equal(distinct.size, total, 'every event arrived')
  assert.equal(read.length, total, 'the feed has every event')
  assert.deepEqual(new Set(read.map(({ id }) => id)), distinct, 'once')
  for (const events of Map.groupBy(read, ({ object_id }) => object_id).values()) {
    const sequences = events.map(({ sequence }) => sequence)
    assert.deepEqual(
      sequences,
      Array.from(sequences, (_, at) => at + 1),
      'in order',
    )
  }
  const single = objects.slice(OBJECTS / 2).filter(isOfMerchant)
  const ofOwner = ofMerchant.received.map(({ body }) => `${body.object_id} ${body.at}`)
  const expected = single.flatMap((object_id) =>
    Array.from({ length: EVENTS_OF_OBJECT }, (_, at) => `${object_id} ${at}`),
  )
  assert.deepEqual([...new Set(ofOwner)].sort(), expected.sort(), 'the merchant has its own')
  // A delivery that a worker had in flight when it was killed comes again; all others are taken
  // once.
  const again = taken.filter(({ id }, place) =>
    taken.some((one, at) => at > place && one.id === id),
  )
  const lost = again.filter(({ attempt }) => !givenUp.has(attempt))
  for (const { arrived } of lost) {
    // A worker still has the claim of calls that it had made and not noted when it was killed.
    const near = killed.some((moment) => Math.abs(moment - arrived) < CLAIM_MS)
    assert.ok(near, `taken at ${arrived} and again, far from the kills at ${killed}`)
  }
  t.diagnostic(`${lost.length} of ${total} came twice, ${again.length - lost.length} too late`)
  assert.ok(lost.length <= DUPLICATES_MAX, `${lost.length} of ${total} came twice`)
  assert.equal(heldTwice, 0, 'no event was held by two workers at a time')
  for (const object of objects) {
    const places = taken.filter(({ object_id }) => object_id === object).map(({ at }) => at)
    assert.deepEqual(
      places,
      places.toSorted((one, other) => one - other),
      'in order',
    )
  }
})
