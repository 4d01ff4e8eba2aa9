import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'
import { simulatedSchemeSlice } from './slice.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { card, pay, call } = await openIssuer(world)
const DAY_MS = 86_400_000

async function submitted(): Promise<string> {
  const { card_id } = await card(10)
  const { id: transaction_id } = await pay(card_id, 10)
  await call('POST', `/v1/simulate/authorizations/${transaction_id}:clear`, {})
  const fields = { transaction_id, reason: 'FRAUD', explanation: 'Not by me' }
  const { id } = (await call('POST', '/v1/disputes', fields)).body
  assert.equal((await call('POST', `/v1/disputes/${id}:submit`, {})).status, 200)
  return id
}

test('turns at one time answer each dispute once, and none stops at what another has moved', async () => {
  const ids = [await submitted(), await submitted(), await submitted()]
  const ctx = await world.ctx()
  const later = { ...ctx, now: new Date(ctx.now.getTime() + 2 * DAY_MS) }
  const [sweep] = simulatedSchemeSlice.sweeps ?? []
  assert.ok(sweep)
  await Promise.all(Array.from({ length: 4 }, () => sweep.run(later)))
  for (const id of ids) {
    const { body } = await call('GET', `/v1/disputes/${id}`)
    assert.equal(body.status, 'CHARGED_BACK')
  }
})
