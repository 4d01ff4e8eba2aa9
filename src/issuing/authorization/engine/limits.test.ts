/** Limits of every kind, set by API and met by messages (D-41, D-42, D-106, D-116). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { call } = issuer

async function pay(card_id: string, amount: number, fields: object = {}) {
  const body = { card_id, amount, currency: 'AED', ...fields }
  const answer = await call('POST', '/v1/simulate/authorizations', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const codeOf = async (card_id: string, amount: number, fields: object = {}): Promise<string> =>
  (await pay(card_id, amount, fields)).status_code

async function act(id: string, verb: string, body: object = {}): Promise<void> {
  const answer = await call('POST', `/v1/simulate/authorizations/${id}:${verb}`, body)
  assert.equal(answer.status, 200, answer.text)
}

const CASH = { transaction_type: 'WITHDRAWAL', entry_mode: 'CHIP' }
const productOf = async (card_id: string): Promise<string> =>
  `cardproducts/${(await call('GET', `/v1/cards/${card_id}`)).body.card_product_id}`
const PER_TRANSACTION = { type: 'PER_TRANSACTION', max_amount: 50 }
const DAILY = { type: 'CUMULATIVE', max_amount: 50, period: 'DAILY' }

describe('a PER_TRANSACTION limit', () => {
  const owners: [name: string, owner: (card: { [id: string]: string }) => Promise<string>][] = [
    ['card', async ({ card_id }) => `cards/${card_id}`],
    ['account', async ({ account_id }) => `accounts/${account_id}`],
    ['user', async ({ user_id }) => `users/${user_id}`],
    ['product', ({ card_id = '' }) => productOf(card_id)],
  ]
  for (const [name, owner] of owners) {
    test(`declines more than its amount with 1896, linked to the ${name}`, async () => {
      const card = await issuer.card(200, {})
      const path = await owner(card)
      const id = await linkLimit(issuer, 'velocitylimits', path, PER_TRANSACTION)
      assert.equal(await codeOf(card.card_id, 50.01), '1896')
      assert.equal(await codeOf(card.card_id, 50), '0000')
      await call('PUT', `/v1/velocitylimits/${id}`, { max_amount: 60 })
      assert.equal(await codeOf(card.card_id, 60), '0000')
      assert.equal(await codeOf(card.card_id, 60.01), '1896')
      await call('POST', `/v1/${path}/velocitylimits:unlink`, { ids: [id] })
      assert.equal(await codeOf(card.card_id, 60.01), '0000')
    })
  }

  test('of withdrawals alone declines with 1021, and no purchase', async () => {
    const { card_id } = await issuer.card(200)
    const scope = { ...PER_TRANSACTION, transaction_scope: ['WITHDRAWALS'] }
    await linkLimit(issuer, 'velocitylimits', `cards/${card_id}`, scope)
    assert.equal(await codeOf(card_id, 51, CASH), '1021')
    assert.equal(await codeOf(card_id, 51), '0000')
  })

  test('of purchases declines no withdrawal', async () => {
    const { card_id } = await issuer.card(200)
    const scope = { ...PER_TRANSACTION, transaction_scope: ['PURCHASES'] }
    await linkLimit(issuer, 'velocitylimits', `cards/${card_id}`, scope)
    assert.equal(await codeOf(card_id, 51, CASH), '0000')
    assert.equal(await codeOf(card_id, 51), '1896')
  })

  test('with a frequency counts transactions too (1898)', async () => {
    const { card_id } = await issuer.card(200)
    const fields = { ...PER_TRANSACTION, frequency: 2, period: 'DAILY' }
    await linkLimit(issuer, 'velocitylimits', `cards/${card_id}`, fields)
    const codes = [await codeOf(card_id, 51), await codeOf(card_id, 1), await codeOf(card_id, 1)]
    assert.deepEqual(codes, ['1896', '0000', '0000'])
    assert.equal(await codeOf(card_id, 1), '1898')
  })

  test('of another currency or with a least amount', async () => {
    const { card_id } = await issuer.card(200)
    const owner = `cards/${card_id}`
    await linkLimit(issuer, 'velocitylimits', owner, { ...PER_TRANSACTION, currency: 'USD' })
    assert.equal(await codeOf(card_id, 51), '0000')
    await linkLimit(issuer, 'velocitylimits', owner, { type: 'PER_TRANSACTION', min_amount: 5 })
    assert.equal(await codeOf(card_id, 4.99), '1896')
  })

  test('measures an increment with what it raises', async () => {
    const { card_id } = await issuer.card(200)
    await linkLimit(issuer, 'velocitylimits', `cards/${card_id}`, PER_TRANSACTION)
    const { id } = await pay(card_id, 40)
    const path = `/v1/simulate/authorizations/${id}:increment`
    assert.equal((await call('POST', path, { amount: 10 })).body.status_code, '0000')
    assert.equal((await call('POST', path, { amount: 0.01 })).body.status_code, '1896')
  })
})

describe('a CUMULATIVE limit', () => {
  test('declines what passes its sum with 1897, then its number with 1898', async () => {
    const { card_id } = await issuer.card(200)
    await linkLimit(issuer, 'velocitylimits', `cards/${card_id}`, { ...DAILY, frequency: 3 })
    assert.equal(await codeOf(card_id, 30), '0000')
    assert.equal(await codeOf(card_id, 20.01), '1897')
    assert.equal(await codeOf(card_id, 10), '0000')
    assert.equal(await codeOf(card_id, 10), '0000')
    assert.equal(await codeOf(card_id, 0.01), '1897')
  })

  test('counts the number by itself', async () => {
    const { card_id } = await issuer.card(200)
    await linkLimit(issuer, 'velocitylimits', `cards/${card_id}`, { ...DAILY, frequency: 1 })
    assert.equal(await codeOf(card_id, 1), '0000')
    assert.equal(await codeOf(card_id, 1), '1898')
  })

  test('gets back what is reversed, in part and in full', async () => {
    const { card_id } = await issuer.card(200)
    await linkLimit(issuer, 'velocitylimits', `cards/${card_id}`, { ...DAILY, frequency: 2 })
    const { id } = await pay(card_id, 50)
    assert.equal(await codeOf(card_id, 1), '1897')
    await act(id, 'reverse', { amount: 20 })
    assert.equal(await codeOf(card_id, 20.01), '1897')
    assert.equal(await codeOf(card_id, 20), '0000')
    assert.equal(await codeOf(card_id, 0.01), '1897')
    await act(id, 'reverse')
    assert.equal(await codeOf(card_id, 30), '0000')
    assert.equal(await codeOf(card_id, 0.01), '1897')
  })

  test('counts increments; a clearing changes nothing, and a refund gives nothing back', async () => {
    const { card_id } = await issuer.card(200)
    await linkLimit(issuer, 'velocitylimits', `cards/${card_id}`, DAILY)
    const { id } = await pay(card_id, 30)
    await act(id, 'increment', { amount: 20 })
    assert.equal(await codeOf(card_id, 0.01), '1897')
    await act(id, 'clear')
    const refund = { transaction_id: id, amount: 50, currency: 'AED' }
    assert.equal((await call('POST', '/v1/simulate/refunds', refund)).body.status_code, '0000')
    assert.equal(await codeOf(card_id, 0.01), '1897')
  })

  test('gets back an expired hold, and counts it again when it is cleared late', async () => {
    const theirs = await openIssuer(world, await world.otherTenant())
    const { card_id } = await theirs.card(200)
    const lifetime = { ...DAILY, period: 'LIFETIME' }
    await linkLimit(theirs, 'velocitylimits', `cards/${card_id}`, lifetime)
    const ask = async (amount: number) =>
      theirs.call('POST', '/v1/simulate/authorizations', { card_id, amount, currency: 'AED' })
    const { id } = (await ask(50)).body
    assert.equal((await ask(1)).body.status_code, '1897')
    await theirs.call('PUT', '/v1/simulate/clock', { advance: 'P8D' })
    assert.equal((await ask(20)).body.status_code, '0000')
    await theirs.call('POST', `/v1/simulate/authorizations/${id}:clear`, { amount: 30 })
    assert.equal((await ask(0.01)).body.status_code, '1897')
  })

  test('begins anew at midnight of the tenant’s time zone', async () => {
    const theirs = await openIssuer(world, await world.otherTenant())
    await theirs.call('PUT', '/v1/tenantsettings', { time_zone: 'Asia/Dubai' })
    const { card_id } = await theirs.card(200)
    await linkLimit(theirs, 'velocitylimits', `cards/${card_id}`, DAILY)
    const ask = async (amount: number): Promise<string> => {
      const body = { card_id, amount, currency: 'AED' }
      return (await theirs.call('POST', '/v1/simulate/authorizations', body)).body.status_code
    }
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    await theirs.call('PUT', '/v1/simulate/clock', { now: `${tomorrow}T19:59:00.000Z` })
    assert.deepEqual([await ask(50), await ask(1)], ['0000', '1897'])
    await theirs.call('PUT', '/v1/simulate/clock', { now: `${tomorrow}T20:00:00.000Z` })
    assert.deepEqual([await ask(50), await ask(1)], ['0000', '1897'])
  })

  test('goes on in another time zone where its window begins on the same day', async () => {
    const theirs = await openIssuer(world, await world.otherTenant())
    const { card_id } = await theirs.card(200)
    const fields = { ...DAILY, period: 'YEARLY' }
    await linkLimit(theirs, 'velocitylimits', `cards/${card_id}`, fields)
    assert.equal((await theirs.pay(card_id, 30)).status_code, '0000')
    const { now } = (await theirs.call('GET', '/v1/simulate/clock')).body
    // Neither zone has another year than UTC at this moment.
    const time_zone = now.slice(5, 7) === '01' ? 'Asia/Dubai' : 'America/New_York'
    await theirs.call('PUT', '/v1/tenantsettings', { time_zone })
    assert.equal((await theirs.pay(card_id, 30)).status_code, '1897')
  })

  test('counts by card where the product has it, over all cards where account or user has', async () => {
    const first = await issuer.card(500, {})
    const second = await issuer.cardOn(first)
    await linkLimit(issuer, 'velocitylimits', await productOf(first.card_id), DAILY)
    assert.deepEqual(
      [await codeOf(first.card_id, 50), await codeOf(second.card_id, 50)],
      [...['0000', '0000']],
    )
    const wider = { ...DAILY, max_amount: 60, period: 'WEEKLY' }
    for (const kind of ['accounts', 'users'] as const) {
      const one = await issuer.card(500)
      const other = await issuer.cardOn(one)
      const id = kind === 'users' ? one.user_id : one.account_id
      await linkLimit(issuer, 'velocitylimits', `${kind}/${id}`, wider)
      assert.equal(await codeOf(one.card_id, 40), '0000')
      assert.equal(await codeOf(other.card_id, 20.01), '1897')
      assert.equal(await codeOf(other.card_id, 20), '0000')
    }
  })

  test('counts over a card and those that replace it', async () => {
    const { card_id, user_id } = await issuer.card(200)
    await linkLimit(issuer, 'velocitylimits', `cards/${card_id}`, DAILY)
    assert.equal(await codeOf(card_id, 40), '0000')
    const { card_product_id } = (await call('GET', `/v1/cards/${card_id}`)).body
    const lost = { status: 'TERMINATED', status_reason_code: 'T1' }
    await call('PUT', `/v1/cards/${card_id}:statuschange`, lost)
    const next = await call('POST', '/v1/cards', {
      user_id,
      card_product_id,
      card_type: 'VIRTUAL',
      reference_card_id: card_id,
    })
    assert.equal(next.status, 200, next.text)
    assert.equal(await codeOf(next.body.id, 10.01), '1897')
    assert.equal(await codeOf(next.body.id, 10), '0000')
  })
})

describe('what a velocity limit leaves', () => {
  test('is its amount, its number and the end of its window', async () => {
    const { card_id } = await issuer.card(200)
    const fields = { ...DAILY, frequency: 3 }
    const id = await linkLimit(issuer, 'velocitylimits', `cards/${card_id}`, fields)
    const path = `/v1/velocitylimits/${id}:available?card_id=${card_id}`
    const before = (await call('GET', path)).body
    assert.partialDeepStrictEqual(before, { available_amount: 50, available_frequency: 3 })
    await pay(card_id, 12.5)
    const { body } = await call('GET', path)
    assert.partialDeepStrictEqual(body, { available_amount: 37.5, available_frequency: 2 })
    assert.ok(Date.parse(body.window_end) - Date.parse(body.window_start) === 86_400_000)
    const other = await issuer.card()
    const unlinked = `/v1/velocitylimits/${id}:available?card_id=${other.card_id}`
    const answer = await call('GET', unlinked)
    assert.deepEqual([answer.status, answer.body.code], [409, 'limit_not_linked'])
  })
})

describe('a balance limit', () => {
  test('keeps its least amount in the account (1876), and short funds are 1016', async () => {
    const { card_id, account_id } = await issuer.card(100)
    const fields = { type: 'PER_ACCOUNT', min_amount: 40 }
    await linkLimit(issuer, 'balancelimits', `accounts/${account_id}`, fields)
    assert.equal(await codeOf(card_id, 100.01), '1016')
    assert.equal(await codeOf(card_id, 60.01), '1876')
    assert.equal(await codeOf(card_id, 60), '0000')
    assert.equal(await codeOf(card_id, 0.01), '1876')
  })

  test('declines a credit above its largest amount (1875), but no refund', async () => {
    const { card_id } = await issuer.card(100, {})
    const owner = await productOf(card_id)
    await linkLimit(issuer, 'balancelimits', owner, { type: 'PER_ACCOUNT', max_amount: 110 })
    const deposit = { transaction_type: 'DEPOSIT', entry_mode: 'CHIP' }
    assert.equal(await codeOf(card_id, 10.01, deposit), '1875')
    assert.equal(await codeOf(card_id, 10, deposit), '0000')
    const refund = { card_id, amount: 5, currency: 'AED' }
    assert.equal((await call('POST', '/v1/simulate/refunds', refund)).body.status_code, '0000')
  })

  test('PER_USER is compared with the sum of the user’s accounts (1877, 1878)', async () => {
    const first = await issuer.card(100)
    const { card_product_id } = (await call('GET', `/v1/cards/${first.card_id}`)).body
    const issued = { user_id: first.user_id, card_product_id, card_type: 'VIRTUAL' }
    const second = (await call('POST', '/v1/cards', issued)).body
    const money = { currency: 'AED', amount: 100 }
    await call('POST', `/v1/accounts/${second.account_id}:loadfunds`, money)
    const fields = { type: 'PER_USER', min_amount: 130, max_amount: 250 }
    await linkLimit(issuer, 'balancelimits', `users/${first.user_id}`, fields)
    assert.equal(await codeOf(first.card_id, 70.01), '1878')
    assert.equal(await codeOf(first.card_id, 40), '0000')
    assert.equal(await codeOf(second.id, 30.01), '1878')
    const deposit = { transaction_type: 'DEPOSIT', entry_mode: 'CHIP' }
    assert.equal(await codeOf(second.id, 50.01, deposit), '1877')
    assert.equal(await codeOf(second.id, 50, deposit), '0000')
  })

  test('leaves what it requires when a part is approved', async () => {
    const { card_id, account_id } = await issuer.card(100, { partial_approval: true })
    const fields = { type: 'PER_ACCOUNT', min_amount: 40 }
    await linkLimit(issuer, 'balancelimits', `accounts/${account_id}`, fields)
    const part = await pay(card_id, 80, { partial_approval: true })
    assert.partialDeepStrictEqual(part, { status_code: '0002', amount: 60 })
    assert.equal((await pay(card_id, 1, { partial_approval: true })).status_code, '1876')
  })
})
