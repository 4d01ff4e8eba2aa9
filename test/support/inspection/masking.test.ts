import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openIssuer } from '../issuer.ts'
import { openWorld } from '../world.ts'
import { createMasking } from './masking.ts'

test('an issued number is found in an answer or an event, a foreign one is not', async () => {
  await using world = await openWorld()
  const { db } = world
  const { keys } = world.services
  const issuer = await openIssuer(world)
  const { card_id } = await issuer.card()
  const shown = await issuer.call('GET', `/v1/cards/${card_id}:reveal`)
  const number = String(shown.body.card_number)

  const masking = createMasking()
  masking.see(`GET /v1/cards/${card_id}:reveal`, shown.text)
  masking.see('GET /v1/other', '4000056655665556')
  await masking.check(db, keys)
  masking.see('GET /v1/other', `"${number.replace(/(.{4})/g, '$1 ').trim()}"`)
  await assert.rejects(masking.check(db, keys), /an issued number is returned/)
})

test('a masked number has the first six digits and the last four', () => {
  const { see } = createMasking()
  see('GET /v1/cards', '{"masked_card_number":"400005******5556","note":"** 5 stars **"}')
  for (const other of [
    '4000********5556',
    '************5556',
    '400005••••••5556',
    '4000xxxxxxxx5556',
  ]) {
    assert.throws(() => see('GET /v1/cards', `"${other}"`), other)
  }
})
