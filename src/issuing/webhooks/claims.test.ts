import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { isOfCluster } from '#kit/db/connections/cluster.ts'
import { newId } from '#lib/id.ts'
import { rowsRead, sumOf } from '#test/support/inspection/rows_read.ts'
import { onServer } from '#test/support/processes/server.ts'
import { openWorld } from '#test/support/world.ts'
import { type Result, updateNextDue, updateResults } from './attempts.ts'
import { type Claimed, claimDeliveries, setByIndex } from './claims.ts'
import { createWebhook } from './webhooks.ts'

const MOST = 8
/** Rows that are read for one delivery: itself from two ends, its object, its claim, its result. */
const READ_MAX = 16
/** Rows that it does not matter to read all of. */
const FEW = 50

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

type Subscribed = { ctx: Context; webhook_id: string }

async function subscribe(): Promise<Subscribed> {
  const { id } = await world.otherTenant()
  const ctx = await world.ctx(id)
  const body = { endpoint: 'http://127.0.0.1:9/unused', events: ['KYC_RESULT' as const] }
  return { ctx, webhook_id: (await createWebhook(ctx, body)).id }
}

/** Events n of objects, each due a second after the one before, the last one `ago` seconds ago. */
async function fill({ ctx, webhook_id }: Subscribed, first: number, objects: string[], ago = 1) {
  const { tenant_id, now } = ctx
  const prefix = newId().slice(0, 13)
  await sql`
    with made as (
      select (${prefix} || '-7000-8000-' || lpad(n::text, 12, '0'))::uuid as id, o.object_id,
        n::int as sequence,
        ${now}::timestamptz - (${objects.length + ago} - o.at) * interval '1 second' as due
      from unnest(${objects}::uuid[]) with ordinality as o (object_id, at)
      cross join lateral (select ${first}::int + o.at as n) as numbered
    ), written as (
      insert into events (tenant_id, id, event, object_id, sequence, payload, created)
      select ${tenant_id}::uuid, id, 'KYC_RESULT', object_id, sequence, '{}', due from made
    )
    insert into deliveries (tenant_id, id, webhook_id, event_id, event, object_id, sequence, status,
      due, created, modified)
    select ${tenant_id}::uuid, id, ${webhook_id}::uuid, id, 'KYC_RESULT', object_id, sequence,
      'PENDING', due, due, due from made`.execute(ctx.db)
}

const ids = (count: number) => Array.from({ length: count }, () => newId())
async function claim(tx: Tx, webhook_id: string, most = MOST) {
  const [, claims] = await Promise.all([
    setByIndex(tx),
    claimDeliveries(tx, [{ webhook_id, most }], 30_000),
  ])
  return { ...claims, taken: claims.byWebhook.get(webhook_id) ?? [] }
}
const sequencesOf = (taken: Claimed[]) =>
  taken.map(({ sequence }) => sequence).sort((a, b) => a - b)

test('a claim takes the oldest and the newest, so that a backlog holds up no new event', async () => {
  const to = await subscribe()
  await fill(to, 0, ids(40))
  const { taken } = await transact(to.ctx, (tx) => claim(tx, to.webhook_id, 4))
  assert.deepEqual(sequencesOf(taken), [1, 2, 39, 40])
  const again = await transact(to.ctx, (tx) => claim(tx, to.webhook_id, 4))
  assert.deepEqual(sequencesOf(again.taken), [3, 4, 37, 38])
})

test('a subscription that another process disables before the claim gives nothing', async () => {
  const to = await subscribe()
  await fill(to, 0, ids(3))
  await sql`update webhooks set status = 'DISABLED', disabled_reason = 'GONE'
    where tenant_id = ${to.ctx.tenant_id} and id = ${to.webhook_id}`.execute(to.ctx.db)
  const { taken, put_off } = await transact(to.ctx, (tx) => claim(tx, to.webhook_id))
  assert.deepEqual({ taken, put_off }, { taken: [], put_off: 0 })
})

test('two claims at one time share what is due', async () => {
  const to = await subscribe()
  await fill(to, 0, ids(10))
  const both = await Promise.all(
    [1, 2].map(() => transact(to.ctx, (tx) => claim(tx, to.webhook_id, 10))),
  )
  const taken = sequencesOf(both.flatMap((one) => one.taken))
  assert.deepEqual(taken, [...new Set(taken)])
  assert.ok(taken.length > 0)
})

test('what follows one of its object is put off where it hides others, and wakes after it', async () => {
  const to = await subscribe()
  const object = newId()
  const others = ids(2)
  await fill(
    to,
    0,
    Array.from({ length: 30 }, () => object),
    10,
  )
  await fill(to, 30, others, 5)
  await fill(
    to,
    32,
    Array.from({ length: 10 }, () => object),
  )
  const found: Claimed[] = []
  await transact(to.ctx, async (tx) => {
    for (let put_off = 1; put_off > 0; ) {
      const claims = await claim(tx, to.webhook_id)
      found.push(...claims.taken)
      put_off = claims.put_off
    }
  })
  assert.deepEqual(sequencesOf(found), [1, 31, 32])
  const first = found.filter(({ sequence }) => sequence === 1)
  await transact(to.ctx, async (tx) => {
    await finish(tx, first)
    assert.equal(await updateNextDue(tx, first), 1)
  })
  const { taken } = await transact(to.ctx, (tx) => claim(tx, to.webhook_id))
  assert.deepEqual(sequencesOf(taken), [2])
})

function finish(tx: Tx, claimed: Claimed[]): Promise<void> {
  const verdict = { status: 'DELIVERED', attempts: 1, due: null, response_status: 200 } as const
  const sent = { sent: tx.now, webhook_timestamp: 1n, duration_ms: 1, masked_headers: [] }
  const results = claimed.map(
    (delivery): Result => ({
      delivery,
      sent,
      verdict: { ...verdict, response_body: null, error: null, gone: false },
    }),
  )
  return updateResults(tx, results)
}

test('claims and results read a few rows a delivery, whatever the backlog', async () => {
  const to = await subscribe()
  const read = async (tx: Tx) => sumOf(await rowsRead(tx, /^deliveries/))
  const once = () =>
    transact(to.ctx, async (tx) => {
      const before = await read(tx)
      const { taken } = await claim(tx, to.webhook_id)
      assert.equal(taken.length, MOST)
      await finish(tx, taken)
      await updateNextDue(tx, taken)
      return ((await read(tx)) - before) / MOST
    })
  const isCluster = await onServer(world.url, isOfCluster)
  let rows = 0
  // On plans that were made for fewer rows, without statistics and with those of any size.
  for (const more of [FEW, 1_000, 4_000]) {
    await fill(to, rows, ids(more))
    rows += more
    // A cluster plans each statement for its values, and few rows may be read by any way then.
    const most = isCluster && rows === FEW ? Number.POSITIVE_INFINITY : READ_MAX
    const assertFew = (each: number) =>
      assert.ok(each > 0 && each <= most, `${each} rows a delivery of ${rows}`)
    for (let run = 0; run < 2; run += 1) assertFew(await once())
    await sql`analyze deliveries`.execute(world.db)
    assertFew(await once())
  }
})
