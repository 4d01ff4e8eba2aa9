import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { keep, keptBy } from '#test/e2e/kept.ts'
import { asAnother, openShop } from '#test/e2e/shop.ts'
import { shortValuesIn } from '#test/support/inspection/canary.ts'

const shop = await openShop({ settings: { kept_cards: true } })
after(() => shop[Symbol.asyncDispose]())
const card = await shop.customer(1_000_000n)
const NOT_FOUND = { detail: 'Not found.' }

describe('GET /kept-cards', () => {
  test('200 lists the cards of a customer, newest first, and never their numbers', async () => {
    const other = await shop.customer(1_000_000n)
    const [one, two] = [await keep(shop, card, 'omar'), await keep(shop, other, 'omar')]
    await keep(shop, card, 'layla')
    const { status, body, text } = await shop.call('GET', '/kept-cards?customer=omar')
    assert.deepEqual([status, body.has_more], [200, false])
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [two.id, one.id],
    )
    assert.equal(text.includes(card.card_number), false)
    assert.deepEqual(shortValuesIn(text, [card.cvv2]), [])
    const [month, year] = card.expiry.split('/')
    const { created_at, updated_at, used_at, consent, ...shown } = one
    assert.deepEqual(shown, {
      id: one.id,
      customer: 'omar',
      status: 'ACTIVE',
      brand: 'Mastercard',
      last_four: card.card_number.slice(-4),
      expiry_date: `20${year}-${month}`,
    })
    assert.deepEqual(consent, { text: 'en-1', given_at: created_at })
    assert.deepEqual([updated_at, used_at], [created_at, created_at])
  })

  test('200 lists all cards of the merchant in pages', async () => {
    const { body } = await shop.call('GET', '/kept-cards?limit=2')
    assert.deepEqual([body.data.length, body.has_more], [2, true])
    const next = await shop.call('GET', `/kept-cards?limit=2&after=${body.after}`)
    assert.deepEqual([next.body.data.length, next.body.has_more], [1, false])
  })

  test('400 for a customer without a name, 401 without a token', async () => {
    assert.equal((await shop.call('GET', '/kept-cards?customer=')).status, 400)
    const anonymous = { authorization: 'Bearer none' }
    assert.equal((await shop.call('GET', '/kept-cards', undefined, anonymous)).status, 401)
  })

  test('shows a card whose last month is over as EXPIRED', async () => {
    const { id } = await keep(shop, card, 'late')
    await shop.db
      .updateTable('merchant_kept_cards')
      .set({ expiry: '2001' })
      .where('tenant_id', '=', shop.tenant.id)
      .where('id', '=', id)
      .execute()
    const { body } = await shop.call('GET', `/kept-cards/${id}`)
    assert.deepEqual([body.status, body.expiry_date], ['EXPIRED', '2020-01'])
  })
})

describe('a kept card of another merchant', () => {
  test('is neither listed nor found', async () => {
    const { id } = await keep(shop, card, 'zayd')
    assert.deepEqual(await asAnother(shop, '/kept-cards?customer=zayd'), {
      data: [],
      has_more: false,
    })
    assert.deepEqual(await asAnother(shop, `/kept-cards/${id}`), NOT_FOUND)
  })
})

describe('DELETE /kept-cards/{id}', () => {
  test('200 deletes the card and its sealed number; 404 afterwards', async () => {
    const { id } = await keep(shop, card, 'noor')
    const { status, body } = await shop.call('DELETE', `/kept-cards/${id}`)
    assert.deepEqual([status, body], [200, { id, deleted: true }])
    const { rows } = await sql<{ left: bigint }>`
      select (select count(*) from merchant_vault.cards where owner_id = ${id})
        + (select count(*) from merchant_kept_cards where id = ${id}) as left`.execute(shop.db)
    assert.equal(rows[0]?.left, 0n)
    for (const method of ['GET', 'DELETE']) {
      const gone = await shop.call(method, `/kept-cards/${id}`)
      assert.deepEqual([gone.status, gone.body], [404, NOT_FOUND])
    }
    assert.deepEqual(await keptBy(shop, 'noor'), [])
  })

  test('404 for one that never was', async () => {
    assert.equal((await shop.call('DELETE', `/kept-cards/${randomUUID()}`)).status, 404)
  })

  test('leaves the order that it paid to be captured and refunded', async () => {
    const { id } = await keep(shop, card, 'sara')
    const reference = `after-${id}`
    const payment = { reference, total: '20.00', currency: 'AED' }
    const paid = await shop.call('POST', `/kept-cards/${id}/payments`, payment)
    assert.equal(paid.body.status, 'SUCCESS', paid.text)
    await shop.call('DELETE', `/kept-cards/${id}`)
    const captured = await shop.call('POST', `/orders/${reference}/capture/`)
    assert.equal(captured.body.status, 'SUCCESS', captured.text)
    const refund = { total: '20.00', currency: 'AED' }
    const refunded = await shop.call('POST', `/orders/${reference}/refund/`, refund)
    assert.equal(refunded.body.status, 'SUCCESS', refunded.text)
  })
})
