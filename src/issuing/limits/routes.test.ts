import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { call } = issuer

const balance = { type: 'PER_ACCOUNT', currency: 'AED', min_amount: 10, max_amount: '500.50' }
const velocity = { type: 'PER_TRANSACTION', currency: 'AED', max_amount: 100 }

async function created(path: string, body: object) {
  const answer = await call('POST', `/v1/${path}`, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function faultsOf(path: string, body: object): Promise<string[]> {
  const answer = await call('POST', `/v1/${path}`, body)
  assert.equal(answer.status, 400, answer.text)
  return answer.body.errors.map((one: { path: string }) => one.path).sort()
}

describe('a balance limit', () => {
  test('is answered as it was sent, by id and in the list', async () => {
    const limit = await created('balancelimits', { ...balance, description: 'Wallet' })
    assert.partialDeepStrictEqual(limit, {
      description: 'Wallet',
      type: 'PER_ACCOUNT',
      currency: 'AED',
      min_amount: 10,
      max_amount: 500.5,
    })
    const { body } = await call('GET', `/v1/balancelimits/${limit.id}`)
    assert.deepEqual(body, limit)
    const { body: list } = await call('GET', '/v1/balancelimits?limit=1')
    assert.deepEqual(list.data, [limit])
  })

  test('takes an id of the client once (D-124)', async () => {
    const id = randomUUID()
    assert.equal((await created('balancelimits', { ...balance, id })).id, id)
    const again = await call('POST', '/v1/balancelimits', { ...balance, id })
    assert.deepEqual([again.status, again.body.code], [409, 'id_taken'])
  })

  test('needs type, currency and an amount, and names every fault at once', async () => {
    assert.deepEqual(await faultsOf('balancelimits', {}), ['currency', 'max_amount', 'type'])
    const { type, currency } = balance
    assert.deepEqual(await faultsOf('balancelimits', { type, currency }), ['max_amount'])
    const wrong = { type: 'PER_TRANSACTION', currency, max_amount: 1.001, period: 'DAILY' }
    assert.deepEqual(await faultsOf('balancelimits', wrong), ['max_amount', 'period', 'type'])
    const reversed = { type, currency, min_amount: 2, max_amount: 1 }
    assert.deepEqual(await faultsOf('balancelimits', reversed), ['max_amount'])
    assert.deepEqual(await faultsOf('balancelimits', { ...balance, currency: 'XYZ' }), ['currency'])
  })

  test('changes by what is sent; null clears what may be absent', async () => {
    const { id } = await created('balancelimits', balance)
    const path = `/v1/balancelimits/${id}`
    const changed = await call('PUT', path, { min_amount: null, type: 'PER_USER' })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.body.min_amount, undefined)
    assert.partialDeepStrictEqual(changed.body, { type: 'PER_USER', max_amount: 500.5 })
    assert.equal((await call('PUT', path, { max_amount: null })).status, 400)
    assert.equal((await call('PUT', `/v1/balancelimits/${randomUUID()}`, {})).status, 404)
    assert.equal((await call('PUT', `/v1/velocitylimits/${id}`, {})).status, 404)
  })
})

describe('a velocity limit', () => {
  test('applies to all transactions unless it says otherwise', async () => {
    const limit = await created('velocitylimits', velocity)
    assert.deepEqual(limit.transaction_scope, ['ALL'])
    const fields = { frequency: 3, period: 'DAILY', transaction_scope: ['WITHDRAWALS'] }
    const other = await created('velocitylimits', { ...velocity, ...fields })
    assert.partialDeepStrictEqual(other, fields)
  })

  test('needs a period for its sum and for its number', async () => {
    const sum = { ...velocity, type: 'CUMULATIVE' }
    assert.deepEqual(await faultsOf('velocitylimits', sum), ['period'])
    assert.deepEqual(await faultsOf('velocitylimits', { ...velocity, frequency: 1 }), ['period'])
    const { max_amount: _, ...bare } = { ...velocity, frequency: 1, period: 'DAILY' }
    assert.deepEqual(await faultsOf('velocitylimits', bare), ['max_amount'])
    const odd = { ...velocity, transaction_scope: [], period: 'HOURLY' }
    // Whether it needs a number depends on the period, which is none.
    assert.deepEqual(await faultsOf('velocitylimits', odd), ['period', 'transaction_scope'])
  })
})

describe('links', () => {
  test('are made and removed at every kind of object, and listed there', async () => {
    const card = await issuer.card()
    const { card_product_id } = (await call('GET', `/v1/cards/${card.card_id}`)).body
    const limits = {
      balancelimits: await created('balancelimits', balance),
      velocitylimits: await created('velocitylimits', velocity),
    }
    const owners = [
      [`cardproducts/${card_product_id}`, ['balancelimits', 'velocitylimits']],
      [`users/${card.user_id}`, ['balancelimits', 'velocitylimits']],
      [`accounts/${card.account_id}`, ['balancelimits', 'velocitylimits']],
      [`cards/${card.card_id}`, ['velocitylimits']],
    ] as const
    for (const [owner, kinds] of owners) {
      for (const kind of kinds) {
        const { id } = limits[kind]
        const path = `/v1/${owner}/${kind}`
        for (const time of ['first', 'second']) {
          const linked = await call('POST', `${path}:link`, { ids: [id] })
          assert.deepEqual([linked.status, linked.body.ids], [200, [id]], `${time} ${linked.text}`)
        }
        const { body } = await call('GET', path)
        assert.deepEqual(body, { data: [limits[kind]], after: body.after, has_more: false })
        const unlinked = await call('POST', `${path}:unlink`, { ids: [id] })
        assert.deepEqual(unlinked.body.ids, [])
        assert.deepEqual((await call('GET', path)).body.data, [])
      }
    }
  })

  test('name limits of their kind that exist, on objects that exist', async () => {
    const { account_id } = await issuer.card()
    const { id } = await created('velocitylimits', velocity)
    const faults = await faultsOf(`accounts/${account_id}/balancelimits:link`, {
      ids: [id, randomUUID()],
    })
    assert.deepEqual(faults, ['ids.0', 'ids.1'])
    const absent = `/v1/accounts/${randomUUID()}/velocitylimits`
    assert.equal((await call('POST', `${absent}:link`, { ids: [id] })).status, 404)
    assert.equal((await call('GET', absent)).status, 404)
  })

  test('are at most 20 of a kind', async () => {
    const { account_id } = await issuer.card()
    const path = `accounts/${account_id}/velocitylimits:link`
    const all = await Promise.all(
      Array.from({ length: 21 }, () => created('velocitylimits', velocity)),
    )
    const ids = all.map(({ id }: { id: string }) => id)
    assert.equal((await created(path, { ids: ids.slice(1) })).ids.length, 20)
    const full = await call('POST', `/v1/${path}`, { ids: ids.slice(0, 1) })
    assert.deepEqual([full.status, full.body.code], [409, 'limits_reached'])
  })
})
