import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { openWorld } from '#test/support/world.ts'
import { insertMessage, updateAttempts, updateMessageFinished } from './store.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

for (const [outcome, mti, sendings, status] of [
  ['unsent', '0200', 1, 'UNSENT'],
  ['unsent', '0200', 2, 'REVERSING'],
  ['unsent', '0220', 2, 'PENDING'],
  ['unanswered', '0100', 0, 'UNSENT'],
  ['unanswered', '0100', 1, 'REVERSING'],
  ['unanswered', '0220', 1, 'PENDING'],
] as const) {
  test(`a ${mti} that is ${outcome} after ${sendings} sendings is ${status}`, async () => {
    const ctx = await world.ctx()
    const id = newId()
    const finished = await transact(ctx, async (tx) => {
      await insertMessage(tx, {
        id,
        authorization_id: id,
        issuer: null,
        mti,
        fields: {},
        due: null,
      }).start()
      for (let sending = 0; sending < sendings; sending++) await updateAttempts(tx, id)
      return updateMessageFinished(tx, id, outcome)
    })
    assert.equal(finished?.status, status)
  })
}
