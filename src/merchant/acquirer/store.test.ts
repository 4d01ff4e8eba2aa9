import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { openWorld } from '#test/support/world.ts'
import { countAttempt, insertMessage, settleMessage } from './store.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

for (const [senders, status] of [
  [1, 'UNSENT'],
  [2, 'REVERSED'],
] as const) {
  test(`what one of ${senders} senders knows not to have left is ${status}`, async () => {
    const ctx = await world.ctx()
    const id = newId()
    const settled = await transact(ctx, async (tx) => {
      await insertMessage(tx, { id, authorization_id: id, mti: '0220', fields: {}, due: null })
      for (let sender = 0; sender < senders; sender++) await countAttempt(tx, id)
      return settleMessage(tx, id, { status: 'UNSENT' })
    })
    assert.equal(settled?.status, status)
  })
}
