/** The settings of product and card, set by API and met by messages (D-32, D-33, D-105). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { switchTable } from '#issuing/products/rules.ts'
import { cardholder } from '#test/support/cardholder.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { call } = issuer

/** The code that a simulated authorization of 10.00 gets. */
async function codeOf(card_id: string, fields: object = {}): Promise<string> {
  const body = { card_id, amount: 10, currency: 'AED', ...fields }
  const answer = await call('POST', '/v1/simulate/authorizations', body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.status_code
}

async function put(path: string, body: object) {
  const answer = await call('PUT', `/v1/${path}`, body)
  assert.equal(answer.status, 200, answer.text)
}

/** A card with 100.00, and a product of its own with these settings. */
const cardUnder = (auth_settings: object) => issuer.card(100, { auth_settings })
const productOf = async (card_id: string) =>
  `cardproducts/${(await call('GET', `/v1/cards/${card_id}`)).body.card_product_id}`

const WITHDRAWAL = { transaction_type: 'WITHDRAWAL', entry_mode: 'CHIP' }

/** 0885 is the code of a verification. */
const APPROVED = /^(0000|0885)$/

describe('a switch', () => {
  type Case = [
    settings: object,
    fields: object,
    product: string,
    card: string,
    hour?: number | undefined,
  ]
  const cases: Case[] = [
    ...switchTable.map(
      ({ name, sample, product, card, hour }): Case => [
        { [name]: false },
        sample,
        product,
        card,
        hour,
      ],
    ),
    [{ quasi_cash: false }, { merchant: { id: 'BET', mcc: '7995' } }, '1841', '1871'],
    [{ min_amount: 10.01 }, {}, '1881', '1882'],
    [{ max_amount: '9.99' }, {}, '1829', '1883'],
  ]
  for (const [settings, fields, ofProduct, ofCard, hour] of cases) {
    test(`${JSON.stringify(settings)} declines with ${ofProduct}, at the card ${ofCard}`, async () => {
      const { card_id } = await cardUnder(settings)
      const other = await cardUnder({})
      await issuer.atHour(hour, async () => {
        assert.equal(await codeOf(card_id, fields), ofProduct)
        assert.match(await codeOf(other.card_id, fields), APPROVED)
        await put(`cards/${other.card_id}/authsettings`, settings)
        assert.equal(await codeOf(other.card_id, fields), ofCard)
        const taken = Object.fromEntries(Object.keys(settings).map((name) => [name, null]))
        await put(`cards/${other.card_id}/authsettings`, taken)
        assert.match(await codeOf(other.card_id, fields), APPROVED)
      })
    })
  }

  test('acts on the next authorization, and the trace names it', async () => {
    const { card_id } = await cardUnder({})
    assert.equal(await codeOf(card_id, WITHDRAWAL), '0000')
    await put(await productOf(card_id), { auth_settings: { atm: false } })
    const body = { card_id, amount: 10, currency: 'AED', ...WITHDRAWAL }
    const { id, status } = (await call('POST', '/v1/simulate/authorizations', body)).body
    assert.equal(status, 'DECLINED')
    const { checks } = (await call('GET', `/v1/transactions/${id}/trace`)).body
    const detail = 'product atm off'
    const refused = { check: 'switches', detail, verdict: 'refused', status_code: '1832' }
    const shown = checks.find(({ verdict }: { verdict: string }) => verdict === 'refused')
    assert.deepEqual(shown, { ...refused, decisive: true })
  })

  test('of the tenant stops deposits at machines (1902)', async () => {
    const theirs = await openIssuer(world, await world.otherTenant())
    const { card_id } = await theirs.card(100)
    await theirs.call('PUT', '/v1/tenantsettings', { atm_deposit: false })
    const deposit = { card_id, amount: 10, currency: 'AED', transaction_type: 'DEPOSIT' }
    const { body } = await theirs.call('POST', '/v1/simulate/authorizations', deposit)
    assert.equal(body.status_code, '1902')
  })

  test('an increment is measured with what it raises, and needs no second proof', async () => {
    const { card_id } = await cardUnder({ ecommerce_non_3ds: false, max_amount: 15 })
    const body = { card_id, amount: 10, currency: 'AED', three_ds: 'AUTHENTICATED' }
    const { id } = (await call('POST', '/v1/simulate/authorizations', body)).body
    const path = `/v1/simulate/authorizations/${id}:increment`
    const first = await call('POST', path, { amount: 5 })
    assert.partialDeepStrictEqual(first.body, { status_code: '0000', amount: 15 })
    const second = await call('POST', path, { amount: 0.01 })
    assert.equal(second.body.status_code, '1829')
  })

  test('stops no refund of what was bought while it was on', async () => {
    const { card_id } = await cardUnder({})
    await codeOf(card_id)
    await put(await productOf(card_id), {
      auth_settings: { pos: false, ecommerce_non_3ds: false, recurring: false, max_amount: 1 },
    })
    const body = { card_id, amount: 10, currency: 'AED' }
    const refund = await call('POST', '/v1/simulate/refunds', body)
    assert.equal(refund.body.status_code, '0000')
  })

  test('bounds are in the decimals of the product’s currency', async () => {
    const terms = { currency: 'JPY', auth_settings: { max_amount: 10 } }
    const { card_id } = await issuer.card(0, terms)
    assert.equal(await codeOf(card_id, { currency: 'JPY', amount: 11 }), '1829')
    assert.equal(await codeOf(card_id, { currency: 'JPY', amount: 10 }), '1016')
  })
})

describe('while a card is on its way to plastic', () => {
  /** A migrating card of 100.00 under a product and with settings of its own. */
  async function migrating(product: object, card: object) {
    const they = await cardholder(world, world.tenant, { auth_settings: product })
    const { id, account_id } = await they.issue({ auth_settings: card })
    await call('POST', `/v1/accounts/${account_id}:loadfunds`, { currency: 'AED', amount: 100 })
    await put(`cards/${id}`, { change_to_physical: true })
    const setProduct = (auth_settings: object) =>
      put(`cardproducts/${they.product.id}`, { auth_settings })
    return { they, id, setProduct }
  }

  test('what allowed it when that began allows it till A0, then the present settings', async () => {
    const { they, id, setProduct } = await migrating({}, {})
    await setProduct({ atm: false, max_amount: 1 })
    assert.deepEqual([await codeOf(id), await codeOf(id, WITHDRAWAL)], ['0000', '0000'])
    await they.simulate(id, 'emboss')
    await they.change(id, 'ACTIVE', 'A0')
    assert.deepEqual([await codeOf(id), await codeOf(id, WITHDRAWAL)], ['1829', '1832'])
  })

  test('what forbade it forbids it till A0, at product and card', async () => {
    const { they, id, setProduct } = await migrating({ atm: false }, { max_amount: 5 })
    await setProduct({ atm: null })
    assert.deepEqual([await codeOf(id), await codeOf(id, WITHDRAWAL)], ['1883', '1832'])
    await they.simulate(id, 'emboss')
    await they.change(id, 'ACTIVE', 'A0')
    assert.equal(await codeOf(id, WITHDRAWAL), '1883')
    await put(`cards/${id}/authsettings`, { max_amount: null })
    assert.equal(await codeOf(id, WITHDRAWAL), '0000')
  })

  test('another card of the product goes by the present settings', async () => {
    const { they, setProduct } = await migrating({}, {})
    await setProduct({ ecommerce_non_3ds: false })
    const { id } = await they.issue()
    assert.equal(await codeOf(id), '1838')
  })
})
