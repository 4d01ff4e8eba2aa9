/**
 * The compiler (`npm run check`) decides which lines compile: a line below `@ts-expect-error` that
 * compiled would be an error.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { emit, emitBatch, emitSequenced } from '#events/outbox.ts'
import type { Tx } from '#kit/context.ts'
import { defineEvent, type Event } from '#kit/event.ts'
import { Instant } from '#kit/http/schema.ts'
import type { Reactions } from '#kit/slice.ts'
import { newId } from '#lib/id.ts'

const parcel = defineEvent({
  event: 'PARCEL_SENT',
  emitted: 'A parcel is sent.',
  object: 'parcel',
  payload: {
    weight: Type.Integer(),
    note: Type.Optional(Type.String()),
    sent: Type.Object({ at: Instant, by: Type.Optional(Type.String()) }),
  },
})
const at = new Date()
const sent = { at }

test('an event has the kind, the object and the payload that its builder was given', () => {
  const id = newId()
  const payload = { weight: 2, sent }
  assert.deepEqual(parcel.about(id, payload), { event: 'PARCEL_SENT', object_id: id, payload })
  assert.equal(parcel.about(id, { weight: 2, sent: { at, by: 'air' }, note: 'x' }).object_id, id)
})

test('a wrong, a missing and a further member of a payload do not compile', () => {
  const build = parcel.about
  const given = { weight: 2, sent }
  // @ts-expect-error: a wrong type.
  build('1', { ...given, weight: '2' })
  // @ts-expect-error: a required member is missing.
  build('1', { weight: 2 })
  // @ts-expect-error: no member has this name.
  build('1', { ...given, wieght: 2 })
  // @ts-expect-error: undefined is not absence.
  build('1', { ...given, note: undefined })
  // @ts-expect-error: a further member of an object in the payload.
  build('1', { weight: 2, sent: { at, from: 'Dubai' } })
  const isHeavy = given.weight > 1
  // @ts-expect-error: a further member that is there at times.
  build('1', { ...given, ...(isHeavy && { heavy: true }) })
  const further = { ...given, heavy: true }
  // @ts-expect-error: an object made elsewhere.
  build('1', further)
  assert.ok(isHeavy)
})

test('an event of a kind that no slice defines does not compile', () => {
  const card_id = newId()
  const never = async (tx: Tx) => {
    await emit(tx, { event: 'PIN_CHANGE', object_id: card_id, payload: { card_id } })
    // @ts-expect-error: an unknown kind.
    await emit(tx, { event: 'PIN_CHANGED', object_id: card_id, payload: { card_id } })
    // @ts-expect-error: defined, but in the list of no slice.
    await emit(tx, parcel.about(card_id, { weight: 2, sent }))
    // @ts-expect-error: the payload of another kind.
    await emit(tx, { event: 'PIN_CHANGE', object_id: card_id, payload: { webhook_id: card_id } })
    // @ts-expect-error: a missing payload.
    await emitSequenced(tx, [{ event: 'PIN_CHANGE', object_id: card_id, sequence: 1 }]).start()
    // @ts-expect-error: rendered from its history, so it is never written with a payload.
    await emit(tx, { event: 'TRANSACTION', object_id: card_id, payload: {} })
    // @ts-expect-error: written with a payload, so it is never rendered.
    await emitBatch(tx, card_id, [{ event: 'PIN_CHANGE', object_id: card_id, sequence: 1 }]).start()
  }
  const event: Event['event'] = 'PIN_CHANGE'
  assert.deepEqual([typeof never, event], ['function', 'PIN_CHANGE'])
})

test('a reaction to a kind that no slice emits, or to a wrong member, does not compile', () => {
  const reactions: Reactions = {
    async USER_STATUS_CHANGE(_tx, { payload }) {
      assert.equal(payload.new_status, 'ACTIVE')
      // @ts-expect-error: the event has no such member.
      assert.equal(payload.status, undefined)
    },
    // @ts-expect-error: an unknown kind.
    async USER_STATUS_CHANGED() {},
  }
  assert.equal(Object.keys(reactions).length, 2)
})
