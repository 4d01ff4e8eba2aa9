/** The name by which the card network, and so the cardholder's statement, has a shop. */

import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import type { Message } from '#iso8583/message.ts'
import { keeper } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { openIssuer } from './issuer.ts'
import { keep as keepCard } from './kept.ts'
import { type Customer, openShop, type Shop } from './shop.ts'

const keep = keeper()
const ARABIC = { name: 'بيت القهوة', descriptor: 'BAIT AL QAHWA' }
const settings = { ...ARABIC, kept_cards: true }
const nameOf = ({ fields }: Message) => fields[43]?.slice(0, 25)
const put = (shop: Shop, change: object) =>
  shop.request('PUT', `/v1/operator/merchants/${shop.merchant.id}`, change, {
    key: shop.operator_key,
  })
const payKept = (shop: Shop, id: string, reference: string) =>
  shop.call('POST', `/kept-cards/${id}/payments`, { reference, total: '30.00', currency: 'AED' })

describe('the descriptor of a shop with an Arabic name', () => {
  let shop: Shop
  let card: Customer
  before(async () => {
    shop = keep(await openShop({ settings }))
    card = await shop.customer(10_000_000n)
  })
  /** The names of the merchant in the transactions of the cardholder, the newest first. */
  const shown = async () => {
    const { body } = await shop.request('GET', `/v1/transactions?card_id=${card.card_id}`)
    return body.data.map((one: { merchant: { name: string } }) => one.merchant.name)
  }

  test('is the name of the merchant in the transactions of the cardholder', async () => {
    const { reference } = await shop.order(card)
    assert.deepEqual(await shown(), ['BAIT AL QAHWA'])
    await shop.call('POST', `/orders/${reference}/capture/`)
    const refund = { total: '40', currency: 'AED' }
    const refunded = await shop.call('POST', `/orders/${reference}/refund/`, refund)
    assert.equal(refunded.body.status, 'SUCCESS', refunded.text)
    assert.deepEqual([...new Set(await shown())], ['BAIT AL QAHWA'])
  })

  test('is another one from the next payment after it is changed', async () => {
    assert.equal((await put(shop, { descriptor: 'Bait Al-Qahwa *Dubai' })).status, 200)
    await shop.order(card)
    assert.equal((await shown())[0], 'Bait Al-Qahwa *Dubai')
  })

  for (const [display_name, name] of [
    ['Żółta Łódź', 'Zolta Lodz'],
    ['Işıl Kapı Çarşı', 'Isil Kapi Carsi'],
    ['Großbäckerei Müller', 'Grossbackerei Muller'],
  ] as const) {
    test(`is not needed for ${display_name}, which is ${name}`, async () => {
      assert.equal((await put(shop, { display_name, descriptor: null })).status, 200)
      await shop.order(card)
      assert.equal((await shown())[0], name)
    })
  }
})

describe('each message of a shop with an Arabic name', () => {
  let shop: Shop
  let issuer: Awaited<ReturnType<typeof openIssuer>>
  let card: Customer
  before(async () => {
    issuer = keep(await openIssuer())
    shop = keep(await openShop({ issuer: issuer.port, settings }))
    shop.sweeper.start()
    card = await shop.customer(10_000_000n)
  })
  beforeEach(() => {
    issuer.received.length = 0
    issuer.script = () => '00'
  })
  const names = () => issuer.received.map((one) => [one.mti, nameOf(one)])
  const NAME = ARABIC.descriptor.padEnd(25)

  test('has its descriptor: payment, capture and refund', async () => {
    const { reference } = await shop.order(card)
    await shop.call('POST', `/orders/${reference}/capture/`)
    await shop.call('POST', `/orders/${reference}/refund/`, { total: '40', currency: 'AED' })
    assert.deepEqual(names(), [
      ['0100', NAME],
      ['0220', NAME],
      ['0200', NAME],
    ])
  })

  test('has its descriptor: payment with a kept card, and its reversal', async () => {
    const { id } = await keepCard(shop, card, 'omar')
    issuer.received.length = 0
    issuer.script = ({ mti }) => (mti === '0100' ? '91' : '00')
    await payKept(shop, id, 'KEPT-1')
    await until('the payment is reversed', () => issuer.of('0420').length > 0)
    assert.deepEqual(names(), [
      ['0100', NAME],
      ['0420', NAME],
    ])
  })
})
