import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { emit } from '#events/outbox.ts'
import { transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const tenant = await world.otherTenant()
const ctx = await world.ctx(tenant.id)
const read = (id: string, query = '', key = tenant.api_key) =>
  world.request('GET', `/v1/objectevents?object_id=${id}${query}`, undefined, { key })
const send = (object_id: string, at: number) =>
  transact(ctx, (tx) => emit(tx, madeUpEvent('TRANSACTION', object_id, { at })))
const placesOf = ({ data }: { data: { at: number }[] }) => data.map(({ at }) => at)

describe('GET /objectevents', () => {
  test('lists the events of the object alone, newest first, in pages', async () => {
    const [card, other] = [newId(), newId()]
    for (let at = 0; at < 5; at++) {
      await send(card, at)
      await send(other, at + 100)
    }
    const first = await read(card, '&limit=2')
    assert.equal(first.status, 200)
    assert.deepEqual(placesOf(first.body), [4, 3])
    assert.equal(first.body.has_more, true)
    const rest = await read(card, `&after=${first.body.after}`)
    assert.deepEqual(placesOf(rest.body), [2, 1, 0])
    assert.equal(rest.body.has_more, false)
  })

  test('is empty for an object without events and for one of another tenant', async () => {
    const card = newId()
    await send(card, 1)
    assert.deepEqual((await read(newId())).body.data, [])
    const { api_key } = await world.otherTenant()
    assert.deepEqual((await read(card, '', api_key)).body.data, [])
  })

  test('rejects an id that is none, and a cursor of no list', async () => {
    assert.equal((await read('x')).status, 400)
    const answer = await read(newId(), '&after=x')
    assert.deepEqual([answer.status, answer.body.code], [400, 'cursor_invalid'])
  })
})
