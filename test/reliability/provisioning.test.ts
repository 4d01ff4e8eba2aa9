/**
 * Guesses at CVV2 and expiry date: however many come at once, five are evaluated;
 * then the card is blocked for 24 hours, for the right values too, and whatever restarts meanwhile.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openKillable } from '#test/support/processes/killable.ts'
import { type Held, openWallets, wrongCvv2, wrongExpiry } from '#test/support/wallets.ts'
import { type Answer, openWorld } from '#test/support/world.ts'

const CARDS = process.env['TEST_DEEP'] === '1' ? 200 : 4
const GUESSES = 50
const LOOKED_AT = 5

const world = await openWorld()
after(async () => {
  await assertSound(world.db)
  await world[Symbol.asyncDispose]()
})

const codeOf = ({ status, body }: Answer): string => (status === 200 ? 'token' : body.code)
const countOf = (codes: readonly string[], counted: string) =>
  codes.filter((code) => code === counted).length

describe(`${GUESSES} wrong guesses at once at each of ${CARDS} cards`, async () => {
  const wallets = await openWallets(world, await world.otherTenant({ pci_compliant: true }))
  const { provision } = wallets
  const held: Held[] = []
  for (let at = 0; at < CARDS; at++) held.push(await wallets.card())

  test(`${LOOKED_AT} are evaluated, the others rejected without evaluation, the card suspended`, async () => {
    for (const { id, data } of held) {
      const wrong = [wrongCvv2(data), wrongExpiry(data), wrongExpiry(wrongCvv2(data))]
      const guesses = Array.from({ length: GUESSES }, (_, at) => provision(wrong[at % 3] ?? data))
      const codes = (await Promise.all(guesses)).map(codeOf)
      assert.equal(countOf(codes, 'card_data_mismatch'), LOOKED_AT, codes.join(' '))
      assert.equal(countOf(codes, 'provisioning_blocked'), GUESSES - LOOKED_AT)
      const card = (await wallets.ask('GET', `cards/${id}`)).body
      assert.deepEqual([card.status, card.status_reason_code], ['SUSPENDED', 'P0'])
      const reported = await wallets.eventsOf(id)
      const rejections = reported.filter(({ status }) => status === 'REFUSED')
      assert.equal(rejections.length, LOOKED_AT)
      assert.partialDeepStrictEqual(reported.at(-1), {
        event: 'CARD_STATUS_CHANGE',
        card_status_change: { old_status: 'ACTIVE', new_status: 'SUSPENDED' },
      })
    }
  })

  test('the right values are rejected for 24 hours, and accepted then', async () => {
    const tried = async () =>
      new Set((await Promise.all(held.map(({ data }) => provision(data)))).map(codeOf))
    assert.deepEqual(await tried(), new Set(['provisioning_blocked']))
    await wallets.advance('PT23H59M')
    assert.deepEqual(await tried(), new Set(['provisioning_blocked']))
    await wallets.advance('PT1M')
    assert.deepEqual(await tried(), new Set(['token']))
    for (const { id } of held.slice(0, 3)) {
      const card = (await wallets.ask('GET', `cards/${id}`)).body
      assert.deepEqual([card.status, card.status_reason_code], ['ACTIVE', 'A0'])
    }
  })
})

describe('wrong tries are counted', async () => {
  const wallets = await openWallets(world, await world.otherTenant({ pci_compliant: true }))
  const { card, provision } = wallets
  const wrong = async ({ data }: Held, times: number) => {
    for (let at = 0; at < times; at++) {
      assert.equal(codeOf(await provision(wrongCvv2(data))), 'card_data_mismatch')
    }
  }

  test('in a row: a right one forgets them, four wrong ones block nothing', async () => {
    const held = await card()
    for (let round = 0; round < 3; round++) {
      await wrong(held, LOOKED_AT - 1)
      assert.equal(codeOf(await provision(held.data)), 'token')
    }
  })

  test('anew after a block has ended', async () => {
    const held = await card()
    await wrong(held, LOOKED_AT)
    await wallets.advance('P1D')
    await wrong(held, LOOKED_AT)
    assert.equal(codeOf(await provision(held.data)), 'provisioning_blocked')
  })

  test('once for each idempotency key, with the same answer again', async () => {
    const tenant = await world.otherTenant({ pci_compliant: true })
    const own = await openWallets(world, tenant)
    const { id, data } = await own.card()
    const body = { ...wrongCvv2(data), wallet: 'SAMSUNG' }
    const headers = { 'x-bezant-idempotency-key': 'one try' }
    const options = { key: tenant.api_key, headers }
    const send = () => world.request('POST', '/v1/cards:provision', body, options)
    const first = await send()
    for (let at = 0; at < LOOKED_AT; at++) {
      const again = await send()
      assert.deepEqual([again.status, again.text], [409, first.text])
      assert.equal(again.headers['idempotent-replayed'], 'true')
    }
    const rejections = (await own.eventsOf(id)).filter(({ status }) => status === 'REFUSED')
    assert.equal(rejections.length, 1)
    assert.equal(codeOf(await own.provision(data)), 'token')
  })
})

test('a block outlives a kill of the program, and ends on the clock of the tenant', async () => {
  const platform = await openKillable()
  try {
    const { tenant } = platform.sandbox
    const ask = async (method: string, path: string, body?: object) => {
      const reply = await platform.insist({
        method,
        url: `/v1/${path}`,
        headers: { apikey: tenant.api_key, ...(body && { 'content-type': 'application/json' }) },
        body: body && JSON.stringify(body),
      })
      return { status: reply.status, body: JSON.parse(reply.text) }
    }
    const user = (await ask('POST', 'users', { first_name: 'Aisha', last_name: 'Khan' })).body
    const { id } = (
      await ask('POST', 'cards', {
        user_id: user.id,
        card_type: 'VIRTUAL',
        card_product_id: tenant.card_product_id,
      })
    ).body
    const activation = { status: 'ACTIVE', status_reason_code: 'a0' }
    await ask('PUT', `cards/${id}:statuschange`, activation)
    const { card_number, expiry_date, cvv2 } = (await ask('GET', `cards/${id}:reveal`)).body
    const right = { card_number, expiry_date, cvv2 }
    const provision = async (data: typeof right) => {
      const { status, body } = await ask('POST', 'cards:provision', { ...data, wallet: 'APPLE' })
      return status === 200 ? 'token' : body.code
    }
    for (let at = 0; at < LOOKED_AT; at++) {
      assert.equal(await provision(wrongCvv2(right)), 'card_data_mismatch')
    }
    await platform.kill()
    await platform.start()
    assert.equal(await provision(right), 'provisioning_blocked')
    await ask('PUT', 'simulate/clock', { advance: 'P1D' })
    assert.equal(await provision(right), 'token')
    const shown = platform.lines().join('\n')
    for (const secret of [card_number, Buffer.from(card_number).toString('base64')]) {
      assert.ok(!shown.includes(secret))
    }
  } finally {
    await platform.close()
  }
})
