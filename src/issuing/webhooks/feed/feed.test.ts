import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { makeBatchId } from '#events/event_batches.ts'
import { emit } from '#events/outbox.ts'
import { type Context, transact } from '#kit/context.ts'
import { firstIdAt, newId } from '#lib/id.ts'
import { emitToSubscribers, madeUpEvent } from '#test/support/events.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

let tenant: TestTenant
let ctx: Context
beforeEach(async () => {
  tenant = await world.otherTenant()
  ctx = await world.ctx(tenant.id)
})

const read = (query = '') =>
  world.request('GET', `/v1/events${query}`, undefined, { key: tenant.api_key })
const send = (at: number, object_id = newId()) =>
  transact(ctx, (tx) => emit(tx, madeUpEvent('TRANSACTION', object_id, { at })))

const placesOf = ({ data }: { data: { at: number }[] }) => data.map(({ at }) => at)

/** All events from the start, page by page. */
async function readAll(limit = 200): Promise<{ id: string; at: number }[]> {
  const events: { id: string; at: number }[] = []
  let query = `?limit=${limit}`
  for (;;) {
    const { status, body, text } = await read(query)
    assert.equal(status, 200, text)
    events.push(...body.data)
    if (!body.has_more) return events
    query = `?limit=${limit}&after=${body.after}`
  }
}

describe('GET /events', () => {
  test('lists every event of the tenant as it is delivered, oldest first, in pages', async () => {
    for (let at = 0; at < 7; at++) await send(at)
    await until('all can be seen', async () => (await readAll()).length === 7)
    const events = await readAll(3)
    assert.deepEqual(
      events.map(({ at }) => at),
      [0, 1, 2, 3, 4, 5, 6],
    )
    const stored = await world.db
      .selectFrom('events')
      .select('payload')
      .where('tenant_id', '=', tenant.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      events,
      stored.map(({ payload }) => payload),
    )
  })

  test('400 for a cursor that is none, and for an event of another tenant', async () => {
    await send(1)
    await until('it can be seen', async () => (await readAll()).length === 1)
    const [{ id } = { id: '' }] = await readAll()
    tenant = await world.otherTenant()
    for (const after of ['x', newId(), id]) {
      const answer = await read(`?after=${after}`)
      assert.deepEqual([answer.status, answer.body.code], [400, 'cursor_invalid'])
      assert.equal(answer.body.errors[0].path, 'after')
    }
    for (const query of ['?wait=31', '?wait=-1', '?limit=0', '?limit=201', '?from=1']) {
      assert.equal((await read(query)).status, 400, query)
    }
  })

  test('at the end answers nothing and keeps the cursor', async () => {
    await send(1)
    await until('it can be seen', async () => (await readAll()).length === 1)
    const { body } = await read()
    const end = await read(`?after=${body.after}`)
    assert.deepEqual(end.body, { data: [], after: body.after, has_more: false })
  })

  test('lists what is committed later behind what is listed already', async () => {
    const open = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const slow = transact(ctx, async (tx) => {
      await emit(tx, madeUpEvent('TRANSACTION', newId(), { at: 1 }))
      written.resolve()
      await open.promise
    })
    await written.promise
    await send(2)
    const { body } = await read()
    assert.deepEqual(placesOf(body), [2])
    open.resolve()
    await slow
    assert.deepEqual(placesOf((await read(`?after=${body.after}`)).body), [1])
    assert.deepEqual(placesOf((await read()).body), [2, 1])
  })

  test('does not wait for a transaction of another tenant, however long it writes', async () => {
    await transact(await world.ctx(), async (stranger) => {
      await sql`select pg_current_xact_id()`.execute(stranger.db)
      await send(1)
      assert.deepEqual(placesOf((await read()).body), [1])
    })
  })

  test('lists the events of an object in the order of its changes', async () => {
    const object_id = newId()
    for (let at = 0; at < 20; at++) await send(at, object_id)
    assert.deepEqual(
      placesOf((await read()).body),
      Array.from({ length: 20 }, (_, at) => at),
    )
  })

  test('begins at the end with `after=latest`', async () => {
    const empty = await read('?after=latest')
    assert.deepEqual([empty.status, empty.body], [200, { data: [], has_more: false }])
    await send(1)
    const { body } = await read()
    const end = await read('?after=latest')
    assert.deepEqual(end.body, { data: [], after: body.after, has_more: false })
    await send(2)
    assert.deepEqual(placesOf((await read(`?after=${end.body.after}`)).body), [2])
  })

  test('`after=latest` is behind an event that has no number yet', async () => {
    await send(1)
    const { body: end } = await read('?after=latest')
    assert.equal(typeof end.after, 'string')
    await send(2)
    assert.deepEqual(placesOf((await read(`?after=${end.after}`)).body), [2])
  })

  test('an event that is no longer kept is 400 with the advice where to begin', async () => {
    await send(1)
    const { status, body } = await read(`?after=${firstIdAt(Date.now() - 200 * 86_400_000)}`)
    assert.deepEqual([status, body.code], [400, 'cursor_invalid'])
    assert.match(body.detail, /no longer kept: list again without it.*`after=latest`/)
    assert.equal(body.errors[0].path, 'after')
  })

  test('knows a cursor whose event has no number yet', async () => {
    await send(1)
    await send(2)
    const { rows } = await sql<{ id: string }>`
      select id from events where tenant_id = ${tenant.id} order by place`.execute(world.db)
    assert.deepEqual(placesOf((await read(`?after=${rows[0]?.id}`)).body), [2])
  })

  test('misses nothing and repeats nothing while many transactions overlap', async () => {
    const total = 240
    let done = false
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let count = 0; count < total / 6; count++) {
        await transact(ctx, async (tx) => {
          const at = writer * 1000 + count
          await emit(tx, madeUpEvent('TRANSACTION', newId(), { at }))
          await pause((writer * 7 + count * 3) % 12)
        })
      }
    })
    const events: number[] = []
    const reader = (async () => {
      let query = '?limit=10'
      while (!done || events.length < total) {
        const { body } = await read(`${query}&wait=1`)
        events.push(...body.data.map(({ at }: { at: number }) => at))
        if (body.after) query = `?limit=10&after=${body.after}`
        assert.ok(events.length <= total)
      }
    })()
    await Promise.all(writers)
    done = true
    await reader
    assert.equal(events.length, total)
    assert.equal(new Set(events).size, total)
  })
})

describe('GET /events with batches', () => {
  const idsOf = (events: { id: string }[]) => events.map(({ id }) => id)
  const numbered = (batch_id: string, count: number) =>
    Array.from({ length: count }, (_, n) => batch_id.slice(0, -3) + n.toString(16).padStart(3, '0'))
  async function sendBatch(count: number): Promise<string[]> {
    const id = makeBatchId()
    const events = Array.from({ length: count }, () => ({
      ...({ event: 'TRANSACTION', object_id: newId(), sequence: 1 } as const),
    }))
    await transact(ctx, (tx) => emitToSubscribers(tx, id, events))
    return numbered(id, count)
  }
  async function sendAll(): Promise<string[]> {
    const sent: string[] = []
    for (const count of [1, 17, 300, 2]) {
      sent.push(...(await sendBatch(count)))
      await send(count)
    }
    const { length } = sent
    await until('all can be seen', async () => (await readAll()).length === length + 4)
    return sent
  }

  test('lists each event of a batch once and in its order, whatever the pages', async () => {
    const sent = new Set(await sendAll())
    const all = idsOf(await readAll())
    assert.deepEqual(
      all.filter((id) => sent.has(id)),
      [...sent],
    )
    for (const limit of [1, 7, 19, 100]) assert.deepEqual(idsOf(await readAll(limit)), all)
    const { body } = await read('?limit=1')
    const created = (await world.ctx(tenant.id)).now.toISOString().slice(0, 10)
    assert.deepEqual(body.data, [
      { id: all[0], event: 'TRANSACTION', created: body.data[0].created },
    ])
    assert.ok(body.data[0].created.startsWith(created))
  })

  test('goes on from any event of a batch, also in upper case', async () => {
    await sendAll()
    const all = idsOf(await readAll())
    for (const [at, id] of all.entries()) {
      if (at % 23 !== 0) continue
      const { body } = await read(`?limit=3&after=${id.toUpperCase()}`)
      assert.deepEqual(idsOf(body.data), all.slice(at + 1, at + 4))
      assert.equal(body.has_more, all.length > at + 4)
    }
    const end = await read(`?after=${all.at(-1)}`)
    assert.deepEqual(end.body, { data: [], after: all.at(-1), has_more: false })
  })

  test('400 for the number of an event that the batch does not have', async () => {
    const sent = await sendBatch(3)
    await until('they can be seen', async () => (await readAll()).length === 3)
    const [first = ''] = sent
    for (const n of ['003', 'fff']) {
      const { status, body } = await read(`?after=${first.slice(0, -3)}${n}`)
      assert.deepEqual([status, body.code], [400, 'cursor_invalid'])
    }
  })
})
