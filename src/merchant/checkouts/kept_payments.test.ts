import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { ACQUIRER_ID, auditShopVault } from '#merchant/acquirer/acquirer.ts'
import { payKept } from '#merchant/checkouts/checkouts.ts'
import { orderIdOf } from '#merchant/orders/orders.ts'
import { linkTo } from '#test/e2e/issuer.ts'
import { authorizationOf, keep, keptBy, orderOf, withKept } from '#test/e2e/kept.ts'
import { authenticate, openShop } from '#test/e2e/shop.ts'
import { until } from '#test/support/services/receiver.ts'

const shop = await openShop({ settings: { kept_cards: true } })
after(() => shop[Symbol.asyncDispose]())
shop.sweeper.start()
const card = await shop.customer(10_000_000n)
const kept = await keep(shop, card, 'omar')

let references = 0
const sale = (fields: object = {}) => ({
  reference: `KEPT-${++references}`,
  total: '30.00',
  currency: 'AED',
  ...fields,
})
const pay = (id: string, body: object, key?: string) =>
  shop.call(
    'POST',
    `/kept-cards/${id}/payments/`,
    body,
    key === undefined ? {} : { 'idempotency-key': key },
  )
const orderStatus = async (reference: string) =>
  (await shop.call('GET', `/orders/${reference}/`)).status
const merchantRow = () =>
  shop.db
    .selectFrom('merchants')
    .selectAll()
    .where('id', '=', shop.merchant.id)
    .executeTakeFirstOrThrow()
const set = (settings: object) =>
  shop.request('PUT', `/v1/operator/merchants/${shop.merchant.id}`, settings, {
    key: shop.operator_key,
  })

describe('POST /kept-cards/{id}/payments', () => {
  test('200 SUCCESS makes an order, which is captured and refunded as any other', async () => {
    const before = await shop.account(card)
    const customer = { first_name: 'Omar', email: 'omar@shop.example' }
    const body = sale({ description: 'May', order: { customer, lines: [{ title: 'Box' }] } })
    const { reference } = body
    const paid = await pay(kept.id, body)
    const order = (await shop.call('GET', `/orders/${reference}/`)).body
    assert.deepEqual(
      [paid.status, paid.body],
      [
        200,
        {
          status: 'SUCCESS',
          type: 'PAYMENT',
          reference,
          order_id: order.order_id,
          amount: '30.0000',
          currency: 'AED',
        },
      ],
    )
    assert.deepEqual(
      [order.status, order.description, order.customer.first_name, order.lines],
      ['OPENED', 'May', 'Omar', [{ title: 'Box' }]],
    )
    assert.deepEqual(await eventsOf(await shop.ctx(), order.order_id), ['ORDER_AUTHORIZED'])
    assert.equal((await shop.account(card)).held, before.held + 3_000n)
    const captured = await shop.call('POST', `/orders/${reference}/capture/`)
    assert.equal(captured.body.status, 'SUCCESS', captured.text)
    const refund = { total: '10.00', currency: 'AED' }
    const refunded = await shop.call('POST', `/orders/${reference}/refund/`, refund)
    assert.equal(refunded.body.status, 'SUCCESS', refunded.text)
    const { balance, held } = await shop.account(card)
    assert.deepEqual([balance, held], [before.balance - 2_000n, before.held])
  })

  test('goes to the issuer as recurring with a card on file, without a code and 3-D Secure', async () => {
    const { order_id } = await paidSale()
    const fields = await authorizationOf(shop, order_id)
    const { 22: entry, 25: condition, 32: acquirer, 48: elements, 61: pos } = fields
    assert.deepEqual(
      [entry, condition, acquirer, elements, pos],
      ['102', '73', ACQUIRER_ID, '42070103210', '10341040000'],
    )
    const { body } = await shop.request('GET', `/v1/transactions?card_id=${card.card_id}&limit=1`)
    const [{ id }] = body.data
    const transaction = (await shop.request('GET', `/v1/transactions/${id}`)).body
    assert.deepEqual(
      [transaction.entry_mode ?? transaction.pos?.entry_mode, transaction.amount],
      ['CREDENTIAL_ON_FILE', 30],
    )
  })

  test('200 FAILURE states the reason and makes no order; the reference can be paid later', async () => {
    const poor = await shop.customer(10_100n)
    const { id } = await keep(shop, poor, 'poor')
    const body = sale()
    const { reference } = body
    const declined = await pay(id, body)
    assert.deepEqual(
      [declined.status, declined.body],
      [
        200,
        {
          status: 'FAILURE',
          type: 'PAYMENT',
          reference,
          amount: '30.0000',
          currency: 'AED',
          reason: 'insufficient_funds',
        },
      ],
    )
    assert.equal(await orderStatus(reference), 404)
    assert.equal((await pay(kept.id, body)).body.status, 'SUCCESS')
  })

  test('a stop order of the cardholder stops it, and only it', async () => {
    const { card_acceptor_id } = await merchantRow()
    const path = `/v1/cards/${card.card_id}/stoporders`
    const stop = await shop.request('POST', path, { merchant_id: card_acceptor_id })
    assert.equal(stop.status, 200, stop.text)
    const { held } = await shop.account(card)
    const body = sale()
    const stopped = await pay(kept.id, body)
    assert.deepEqual(
      [stopped.status, stopped.body.status, stopped.body.reason],
      [200, 'FAILURE', 'recurring_stopped'],
    )
    assert.equal((await shop.account(card)).held, held)
    // The customer's own payment with the same kept card is not recurring.
    const { id } = await shop.checkout(orderOf('omar'))
    assert.equal((await shop.submit(id, {}, withKept(kept.id, card.cvv2))).status, 303)
    assert.equal((await shop.request('DELETE', `${path}/${stop.body.id}`)).status, 200)
    assert.equal((await pay(kept.id, body)).body.status, 'SUCCESS')
  })

  test('a switch of the card against recurring payments stops it too', async () => {
    const other = await shop.customer(1_000_000n)
    const { id } = await keep(shop, other, 'switched')
    const path = `/v1/cards/${other.card_id}/authsettings`
    const changed = await shop.request('PUT', path, { recurring: false })
    assert.equal(changed.status, 200, changed.text)
    assert.equal((await pay(id, sale())).body.reason, 'recurring_stopped')
  })

  test('400 names what is missing, what is wrong, and a reference that has an order', async () => {
    const missing = await pay(kept.id, {})
    assert.deepEqual(
      [missing.status, Object.keys(missing.body)],
      [400, ['reference', 'total', 'currency']],
    )
    const wrong = await pay(kept.id, sale({ reference: 'a/b', total: '-1', currency: 'XXX' }))
    assert.deepEqual(Object.keys(wrong.body).sort(), ['currency', 'reference', 'total'])
    const { reference } = await paidSale()
    const used = await pay(kept.id, sale({ reference, total: '-1' }))
    assert.deepEqual([used.status, Object.keys(used.body).sort()], [400, ['reference', 'total']])
    const again = await pay(kept.id, sale({ reference }))
    assert.deepEqual([again.status, Object.keys(again.body)], [400, ['reference']])
    const on_page = await shop.call('POST', '/checkouts/', {
      reference,
      total: '1',
      currency: 'AED',
      confirm_callback_url: 'http://shop.example/a',
      reject_callback_url: 'http://shop.example/b',
    })
    assert.deepEqual([on_page.status, Object.keys(on_page.body)], [400, ['reference']])
  })

  test('401 without a token; 404 for a card that is unknown, deleted or of another merchant', async () => {
    const path = `/kept-cards/${kept.id}/payments`
    const anonymous = await shop.call('POST', path, sale(), { authorization: 'Bearer none' })
    assert.equal(anonymous.status, 401)
    const gone = await keep(shop, card, 'gone')
    await shop.call('DELETE', `/kept-cards/${gone.id}`)
    for (const id of [randomUUID(), gone.id]) {
      const body = sale()
      assert.equal((await pay(id, body)).status, 404)
      assert.equal(await orderStatus(body.reference), 404)
    }
    const operator = { key: shop.operator_key }
    const fields = { tenant_id: shop.tenant.id, name: 'Other shop', kept_cards: true }
    const other = (await shop.request('POST', '/v1/operator/merchants', fields, operator)).body
    const keys = `/v1/operator/merchants/${other.id}/keys`
    const pair = (await shop.request('POST', keys, undefined, operator)).body
    const { token } = (await authenticate(shop, pair)).body
    const foreign = await shop.request('POST', `/api/v1.0${path}`, sale(), {
      key: null,
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(foreign.status, 404, foreign.text)
  })

  test('409 where the setting of the merchant is off, which deletes nothing', async () => {
    assert.equal((await set({ kept_cards: false })).status, 200)
    const body = sale()
    const off = await pay(kept.id, body)
    assert.deepEqual([off.status, Object.keys(off.body)], [409, ['detail']])
    assert.equal((await set({ kept_cards: true })).status, 200)
    assert.equal((await keptBy(shop, 'omar')).length, 1)
    assert.equal((await pay(kept.id, body)).body.status, 'SUCCESS')
  })
})

describe('a repeated payment', () => {
  test('with the same key gets the same answer, and charges once', async () => {
    const { held } = await shop.account(card)
    const body = sale()
    const [one, two] = await Promise.all([pay(kept.id, body, 'pay-1'), pay(kept.id, body, 'pay-1')])
    assert.deepEqual([one.status, two.status, two.text], [200, 200, one.text])
    const three = await pay(kept.id, body, 'pay-1')
    assert.deepEqual([three.text, three.headers['idempotent-replayed']], [one.text, 'true'])
    assert.equal((await shop.account(card)).held, held + 3_000n)
    const other = await pay(kept.id, { ...body, total: '31.00' }, 'pay-1')
    assert.deepEqual([other.status, Object.keys(other.body)], [409, ['detail']])
  })

  test('of one reference without a key, at one time, charges once', async () => {
    const { held } = await shop.account(card)
    const body = sale()
    const answers = await Promise.all(Array.from({ length: 6 }, () => pay(kept.id, body)))
    const paid = answers.filter(({ status }) => status === 200)
    assert.deepEqual([paid.length, paid[0]?.body.status], [1, 'SUCCESS'])
    const others = answers.filter((answer) => answer !== paid[0]).map(({ status }) => status)
    assert.deepEqual(
      others.filter((status) => status !== 400 && status !== 409),
      [],
    )
    assert.equal((await shop.account(card)).held, held + 3_000n)
  })
})

describe('a payment page of the same reference', () => {
  test('is replaced, and states that the order is paid', async () => {
    const { id, reference } = await shop.checkout()
    assert.equal((await pay(kept.id, sale({ reference }))).body.status, 'SUCCESS')
    const { status, text } = await shop.page(id)
    assert.equal(status, 410)
    assert.match(text, /This order is paid/)
    assert.match(text, /href="http:\/\/shop\.example\/">Back to the shop/)
  })
})

describe('a kept card that is deleted while it pays', () => {
  test('pays no more once the deletion is answered, and leaves no number behind', async () => {
    const { id } = await keep(shop, card, 'leaving')
    const bodies = Array.from({ length: 6 }, () => sale())
    const [answers] = await Promise.all([
      Promise.all(bodies.map((body) => pay(id, body))),
      shop.call('DELETE', `/kept-cards/${id}`),
    ])
    for (const { status, body, text } of answers) {
      assert.ok(status === 404 || (status === 200 && body.status === 'SUCCESS'), text)
    }
    assert.equal((await pay(id, sale())).status, 404)
    assert.deepEqual(await auditShopVault(shop.db), [])
  })
})

describe('a payment whose process ends before it is sent', () => {
  test('is 503, is reversed by the sweeps, and its reference can be paid again', async () => {
    const link = linkTo(9, shop.log)
    await link.close()
    const actor = { kind: 'merchant' as const, id: shop.merchant.id }
    const ctx = { ...(await shop.ctx()), actor }
    const api = { link, publicUrl: () => 'http://x', onPaid: async () => {}, orderIdOf }
    const body = sale()
    const { held } = await shop.account(card)
    await assert.rejects(payKept(ctx, api, kept.id, body), { code: 'outcome_unknown' })
    assert.equal((await pay(kept.id, body)).status, 409)
    const moved = await shop.request('PUT', '/v1/simulate/clock', { advance: 'PT1M' })
    assert.equal(moved.status, 200)
    await until('the payment is reversed', async () => (await stateOf(body)).status === 'REJECTED')
    assert.deepEqual(await stateOf(body), { status: 'REJECTED', last_decline: 'UNANSWERED' })
    assert.equal((await shop.account(card)).held, held)
    assert.equal((await pay(kept.id, body)).body.status, 'SUCCESS')
  })
})

const stateOf = ({ reference }: { reference: string }) =>
  shop.db
    .selectFrom('checkouts')
    .select(['status', 'last_decline'])
    .where('tenant_id', '=', shop.tenant.id)
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow()

async function paidSale(): Promise<{ reference: string; order_id: string }> {
  const body = sale()
  const paid = await pay(kept.id, body)
  assert.equal(paid.body.status, 'SUCCESS', paid.text)
  return paid.body
}
