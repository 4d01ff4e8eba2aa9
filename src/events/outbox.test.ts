import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type Context, transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { openWorld } from '#test/support/world.ts'
import { BATCH_MAX, makeBatchId } from './event_batches.ts'
import { DELIVERIES, EVENTS, emit, emitBatch, eventsOf, type ObjectEvent } from './outbox.ts'

const EMITTERS = 32

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const eventsAbout = (object_id: string) =>
  world.db
    .selectFrom('events')
    .selectAll()
    .where('object_id', '=', object_id)
    .orderBy('sequence')
    .execute()

/** The tenant's row stands for the object that the caller has locked. */
const lockObject = ({ db, tenant_id }: Context) =>
  db.selectFrom('tenants').select('id').where('id', '=', tenant_id).forUpdate().execute()

describe('emit', () => {
  test('counts the events of one object without gap, however many emit at once', async () => {
    const ctx = await world.ctx()
    const object_id = newId()
    await Promise.all(
      Array.from({ length: EMITTERS }, (_, at) =>
        transact(ctx, async (tx) => {
          await lockObject(tx)
          const about = (payload: object) => madeUpEvent('PIN_CHANGE', object_id, payload)
          await emit(tx, about({ at }), about({ at, second: true }))
        }),
      ),
    )
    const rows = await eventsAbout(object_id)
    assert.deepEqual(
      rows.map(({ sequence }) => sequence),
      Array.from({ length: EMITTERS * 2 }, (_, at) => at + 1),
    )
    for (let at = 0; at < rows.length; at += 2) {
      assert.equal(rows[at]?.payload.at, rows[at + 1]?.payload.at)
    }
  })

  test('keeps the payload flat, with the id, kind and time of the event', async () => {
    const ctx = await world.ctx()
    const object_id = newId()
    await transact(ctx, (tx) =>
      emit(tx, madeUpEvent('PIN_CHANGE', object_id, { user_id: object_id, n: 1.5 })),
    )
    const [row] = await eventsAbout(object_id)
    assert.deepEqual(row?.payload, {
      id: row?.id,
      event: 'PIN_CHANGE',
      created: ctx.now.toISOString(),
      user_id: object_id,
      n: 1.5,
    })
    assert.deepEqual(row?.created, ctx.now)
    assert.deepEqual(await eventsOf(ctx, object_id), ['PIN_CHANGE'])
    const other = await world.otherTenant()
    assert.deepEqual(await eventsOf(await world.ctx(other.id), object_id), [])
  })

  test('counts each object for itself, and each tenant’s objects apart', async () => {
    const other = await world.otherTenant()
    const [one, two] = [newId(), newId()]
    const about = (object_id: string) => madeUpEvent('PIN_CHANGE', object_id)
    await transact(await world.ctx(), (tx) => emit(tx, about(one), about(two), about(one)))
    await transact(await world.ctx(other.id), (tx) => emit(tx, about(one)))
    const sequences = (await eventsAbout(one)).map(({ tenant_id, sequence }) => [
      tenant_id === other.id,
      sequence,
    ])
    assert.deepEqual(sequences.sort(), [
      [false, 1],
      [false, 2],
      [true, 1],
    ])
    assert.equal((await eventsAbout(two)).length, 1)
  })

  test('leaves nothing behind, and wakes no worker, when its cause is rolled back', async () => {
    const object_id = newId()
    const notified: string[] = []
    const ctx = { ...(await world.ctx()), notify: (channel: string) => notified.push(channel) }
    const event = madeUpEvent('PIN_CHANGE', object_id)
    const failing = transact(ctx, async (tx) => {
      await emit(tx, event)
      throw new Error('planted')
    })
    await assert.rejects(failing, /planted/)
    assert.deepEqual([await eventsAbout(object_id), notified], [[], []])

    await transact(ctx, (tx) => emit(tx, event))
    assert.deepEqual(notified, [EVENTS, DELIVERIES])
  })

  test('makes one delivery for each active subscription that names the event', async () => {
    const ctx = await world.ctx()
    const subscribe = async (status: 'ACTIVE' | 'DISABLED', ...events: string[]) => {
      const id = newId()
      const times = { created: ctx.now, modified: ctx.now }
      const sealed = { sealed_config: Buffer.of(0), sealed_secret: Buffer.of(0) }
      const row = { tenant_id: ctx.tenant_id, id, endpoint: 'https://a.example', events, status }
      await world.db
        .insertInto('webhooks')
        .values({ ...row, ...sealed, ...times })
        .execute()
      return id
    }
    const wanted = [
      await subscribe('ACTIVE', 'PIN_CHANGE'),
      await subscribe('ACTIVE', 'TRANSACTION', 'PIN_CHANGE'),
    ]
    await subscribe('ACTIVE', 'TRANSACTION')
    await subscribe('DISABLED', 'PIN_CHANGE')
    const object_id = newId()
    await transact(ctx, (tx) => emit(tx, madeUpEvent('PIN_CHANGE', object_id)))
    const deliveries = await world.db
      .selectFrom('deliveries')
      .select(['webhook_id', 'sequence', 'status'])
      .where('object_id', '=', object_id)
      .execute()
    assert.deepEqual(deliveries.map(({ webhook_id }) => webhook_id).sort(), wanted.sort())
    assert.ok(deliveries.every(({ sequence, status }) => sequence === 1 && status === 'PENDING'))
  })
})

describe('emitBatch', () => {
  const about = (event: ObjectEvent['event'], object_id = newId(), sequence = 1) => ({
    event,
    object_id,
    sequence,
  })
  const rowsOf = (tenant_id: string) =>
    world.db
      .selectFrom('events')
      .selectAll()
      .where('tenant_id', '=', tenant_id)
      .orderBy('id')
      .execute()

  test('writes one row, whose id ends in zeros', async () => {
    const { id: tenant_id } = await world.otherTenant()
    const ctx = await world.ctx(tenant_id)
    const [one, two, id] = [newId(), newId(), makeBatchId()]
    assert.match(id, /000$/)
    const events = [about('TRANSACTION', one), about('TRANSACTION', two, 4)]
    await transact(ctx, (tx) =>
      emitBatch(tx, id, [...events, about('TRANSACTION', one, 2)], {}).start(),
    )
    const [row, ...others] = await rowsOf(tenant_id)
    assert.deepEqual(others, [])
    assert.partialDeepStrictEqual(row, {
      id,
      event: 'TRANSACTION',
      object_id: null,
      sequence: null,
      payload: null,
      object_ids: [one, two, one],
      sequences: [1, 4, 2],
      created: ctx.now,
      to_deliver: null,
      number: null,
    })
    assert.deepEqual(await eventsOf(ctx, one), ['TRANSACTION', 'TRANSACTION'])
    assert.deepEqual(await eventsOf(ctx, two), ['TRANSACTION'])
  })

  test('begins another row for another kind, and after 4,096 events', async () => {
    const { id: tenant_id } = await world.otherTenant()
    const many = Array.from({ length: BATCH_MAX + 1 }, () => about('TRANSACTION'))
    const mixed = [about('EXPIRED_AUTH'), ...many, about('EXPIRED_AUTH'), about('EXPIRED_AUTH')]
    const id = makeBatchId()
    await transact(await world.ctx(tenant_id), (tx) => emitBatch(tx, id, mixed, {}).start())
    const rows = await rowsOf(tenant_id)
    assert.equal(rows[0]?.id, id)
    assert.ok(rows.every((row) => row.id.endsWith('000')))
    assert.deepEqual(
      rows.map(({ event, object_ids }) => [event, object_ids?.length]),
      [
        ['EXPIRED_AUTH', 1],
        ['TRANSACTION', BATCH_MAX],
        ['TRANSACTION', 1],
        ['EXPIRED_AUTH', 2],
      ],
    )
    assert.deepEqual(
      rows.flatMap(({ object_ids }) => object_ids),
      mixed.map(({ object_id }) => object_id),
    )
  })

  test('writes nothing for no event, and otherwise wakes the numbering', async () => {
    const { id: tenant_id } = await world.otherTenant()
    const notified: string[] = []
    const ctx = { ...(await world.ctx(tenant_id)), notify: (name: string) => notified.push(name) }
    await transact(ctx, (tx) => emitBatch(tx, makeBatchId(), [], {}).start())
    assert.deepEqual([await rowsOf(tenant_id), notified], [[], []])
    await transact(ctx, (tx) => emitBatch(tx, makeBatchId(), [about('TRANSACTION')], {}).start())
    assert.deepEqual(notified, [EVENTS])
  })
})
