import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { call } = issuer
const other = await world.otherTenant()

const orders = (card_id: string) => `/v1/cards/${card_id}/stoporders`
const stop = (card_id: string, merchant_id: string, fields: object = {}) =>
  call('POST', orders(card_id), { merchant_id, ...fields })

/** The code of a payment with a stored card, or of one that the cardholder makes. */
async function pay(card_id: string, id: string, entry_mode = 'CREDENTIAL_ON_FILE') {
  return (await issuer.pay(card_id, 1, { merchant: { id }, entry_mode })).status_code
}

describe('a stop order', () => {
  test('declines recurring payments of its merchant until it is deleted', async () => {
    const { card_id } = await issuer.card(100)
    const { status, body } = await stop(card_id, ' GYM1 ')
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).sort(), ['card_id', 'created', 'id', 'merchant_id'])
    assert.partialDeepStrictEqual(body, { card_id, merchant_id: 'GYM1' })
    assert.deepEqual((await call('GET', `${orders(card_id)}/${body.id}`)).body, body)
    assert.deepEqual((await call('GET', orders(card_id))).body.data, [body])

    assert.equal(await pay(card_id, 'GYM1'), '1895')
    assert.equal(await pay(card_id, 'GYM1', 'ECOMMERCE'), '0000')
    assert.equal(await pay(card_id, 'GYM2'), '0000')

    const deleted = await call('DELETE', `${orders(card_id)}/${body.id}`)
    assert.deepEqual([deleted.status, deleted.body], [200, { id: body.id, deleted: true }])
    assert.equal(await pay(card_id, 'GYM1'), '0000')
    assert.equal((await call('DELETE', `${orders(card_id)}/${body.id}`)).status, 404)
  })

  test('holds for the cards that replace its card, and not for other cards', async () => {
    const first = await issuer.card(100)
    const elsewhere = await issuer.cardOn(first)
    const { body } = await stop(first.card_id, 'GYM1')
    const end = { status: 'TERMINATED', status_reason_code: 'T1' }
    await call('PUT', `/v1/cards/${first.card_id}:statuschange`, end)
    const { card_product_id } = (await call('GET', `/v1/cards/${first.card_id}`)).body
    const reference = { reference_card_id: first.card_id, card_product_id }
    const replacement = { user_id: first.user_id, card_type: 'VIRTUAL', ...reference }
    const { id } = (await call('POST', '/v1/cards', replacement)).body
    assert.equal(await pay(id, 'GYM1'), '1895')
    assert.equal(await pay(elsewhere.card_id, 'GYM1'), '0000')
    assert.deepEqual((await call('GET', orders(id))).body.data, [body])
    assert.equal((await stop(id, 'GYM1')).body.code, 'stop_order_exists')
    await call('DELETE', `${orders(id)}/${body.id}`)
    assert.equal(await pay(id, 'GYM1'), '0000')
  })

  test('409 for a merchant that has one, and for an id that exists', async () => {
    const { card_id } = await issuer.card()
    const id = randomUUID()
    assert.equal((await stop(card_id, 'GYM1', { id })).body.id, id)
    assert.equal((await stop(card_id, 'GYM1')).body.code, 'stop_order_exists')
    assert.equal((await stop(card_id, 'GYM2', { id })).body.code, 'id_taken')
  })

  test('of sixteen requests at one time for one merchant one succeeds', async () => {
    const { card_id } = await issuer.card()
    const answers = await Promise.all(Array.from({ length: 16 }, () => stop(card_id, 'GYM1')))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [200, ...Array(15).fill(409)])
  })

  test('409 stop_orders_reached after a thousand', async () => {
    const { card_id } = await issuer.card()
    const row = { tenant_id: issuer.tenant.id, card_id, chain_id: card_id, created: new Date() }
    const rows = Array.from({ length: 999 }, (_, at) => ({
      ...row,
      id: randomUUID(),
      merchant_id: `M${at}`,
    }))
    await world.db.insertInto('stop_orders').values(rows).execute()
    assert.equal((await stop(card_id, 'GYM1')).status, 200)
    assert.equal((await stop(card_id, 'GYM2')).body.code, 'stop_orders_reached')
  })

  test('400 without a merchant or with one that no message can name', async () => {
    const { card_id } = await issuer.card()
    for (const fields of [
      {},
      { merchant_id: '' },
      { merchant_id: '  ' },
      { merchant_id: 'A'.repeat(16) },
    ]) {
      const { status, body } = await call('POST', orders(card_id), fields)
      assert.deepEqual([status, body.errors[0].path], [400, 'merchant_id'])
    }
  })

  test('404 with a card of another tenant, or an order of another card', async () => {
    const { card_id } = await issuer.card()
    const { body } = await stop(card_id, 'GYM1')
    const { card_id: another } = await issuer.card()
    const options = { key: other.api_key }
    assert.equal((await call('GET', orders(card_id), undefined, options)).status, 404)
    assert.equal((await call('POST', orders(card_id), { merchant_id: 'A' }, options)).status, 404)
    for (const method of ['GET', 'DELETE'] as const) {
      assert.equal((await call(method, `${orders(another)}/${body.id}`)).status, 404)
    }
  })
})
