import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sha256Hex } from '#lib/digest.ts'
import { formsOf, tablesHolding } from '#test/support/inspection/holding.ts'
import { openWallets, wrongCvv2, wrongExpiry } from '#test/support/wallets.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const KEY = 'x-bezant-idempotency-key'

test('the data of a provisioning and the token number are stored nowhere in clear', async () => {
  const wallets = await openWallets(world)
  const { id, data } = await wallets.card()
  const answers: string[] = []
  const provision = async (card: object, key: string) => {
    const body = { ...card, wallet: 'APPLE' }
    const path = '/v1/cards:provision'
    const answer = await world.request('POST', path, body, { headers: { [KEY]: key } })
    answers.push(answer.text)
    return answer
  }
  const token = (await provision(data, 'right')).body
  await provision(wrongCvv2(data), 'wrong CVV2')
  await provision(wrongExpiry(data), 'wrong month')
  await provision({ ...data, wallet: 'PAPER', cvv2: 'x' }, 'malformed')
  await provision({ ...data, surprise: 1 }, 'unknown member')
  for (const path of [`tokens/${token.id}`, `cards/${id}/tokens`, `cards/${id}`, 'events']) {
    answers.push((await wallets.ask('GET', path)).text)
  }
  const { token_number } = (await wallets.ask('GET', `tokens/${token.id}:reveal`)).body
  const sent = JSON.stringify({ ...data, wallet: 'APPLE' })
  // A plain digest of the body would disclose the CVV2 to a search over a thousand values.
  const digests = [sent, `POST /v1/cards:provision\n${sent}`].map(sha256Hex)
  const secrets = [...formsOf(data.card_number), ...formsOf(token_number), '"cvv2":', ...digests]
  assert.deepEqual(await tablesHolding(world, secrets), [])
  for (const text of [...answers, ...world.logged]) {
    assert.ok(!secrets.some((secret) => text.includes(secret)), text)
  }
})
