/** The payment page of a merchant that the operator has closed (D-875). */

import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { transact } from '#kit/context.ts'
import { getMerchant } from '#merchant/merchants/merchants.ts'
import { cardFields, openShop, post, tokenIn } from '#test/e2e/shop.ts'
import { answer, ask, codeIn, MOBILE } from '#test/e2e/three_ds.ts'
import { begin, lockFound } from './payment.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const card = await shop.customer(10_000_000n)
const settings = (change: object) =>
  shop.request('PUT', `/v1/operator/merchants/${shop.merchant.id}`, change, {
    key: shop.operator_key,
  })
const close = () => settings({ status: 'INACTIVE' })
const reopen = () => settings({ status: 'ACTIVE' })

beforeEach(async () => {
  await reopen()
})

describe('the open checkout of a closed shop', () => {
  test('403 shows no form, in both languages, and leads back to the shop', async () => {
    const { id } = await shop.checkout()
    await close()
    for (const [lang, title] of [
      ['en', 'This shop takes no payments'],
      ['ar', 'لا يقبل هذا المتجر أي مدفوعات'],
    ] as const) {
      const { status, text } = await shop.page(`${id}&lang=${lang}`)
      assert.equal(status, 403)
      assert.ok(text.includes(`<h1>${title}</h1>`), text)
      assert.ok(text.includes('href="http://shop.example/"') && text.includes('Date Palm Books'))
      assert.doesNotMatch(text, /form_token|card_number/)
    }
  })

  test('takes no card that was typed before, and takes it once the shop is open again', async () => {
    const { id, reference } = await shop.checkout()
    const form = { form_token: tokenIn((await shop.page(id)).text), ...cardFields(card) }
    await close()
    const { status, text } = await post(shop, id, form)
    assert.deepEqual([status, /You have not been charged/.test(text)], [403, true])
    assert.equal((await shop.account(card)).held, 0n)
    await reopen()
    assert.equal((await shop.call('GET', `/orders/${reference}/`)).status, 404)
    assert.equal((await post(shop, id, form)).status, 303)
    assert.equal((await shop.account(card)).held, 10_050n)
  })

  test('takes no code of the issuer', async () => {
    const traits = { user: { mobile: MOBILE }, product: { otp_3ds: true } }
    const asking = await shop.customer(100_000n, traits)
    const { id } = await shop.checkout()
    const asked = await ask(shop, id, asking)
    await close()
    const answered = await answer(shop, asked, { code: codeIn(asked.text) })
    assert.equal(answered.status, 403)
    assert.equal((await shop.account(asking)).held, 0n)
  })

  test('offers no test cards', async () => {
    const { id } = await shop.checkout()
    await close()
    const url = `/checkout/testcards?id=${id}&lang=en&card=approved`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const made = await shop.app.inject({ method: 'POST', url, headers, payload: '' })
    assert.equal(made.statusCode, 404)
    assert.equal((await shop.page(`${id}&card=approved`)).status, 403)
  })

  test('is not paid where the shop was closed after its page was read', async () => {
    const { id: page_id, reference } = await shop.checkout()
    assert.equal((await shop.page(page_id)).status, 200)
    const { id } = await shop.db
      .selectFrom('checkouts')
      .select('id')
      .where('tenant_id', '=', shop.tenant.id)
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow()
    await close()
    const found = { id, merchant_id: shop.merchant.id, reference }
    const paying = { pan: card.card_number, expiry: '4912', cvv2: card.cvv2 }
    const ready = await transact(await shop.ctx(), async (tx) => {
      const checkout = await lockFound(tx, found)
      const merchant = await getMerchant(tx, shop.merchant.id)
      const stamp = { now: tx.now, stan: '000001' }
      return begin(tx, checkout, merchant, { ...paying, three_ds: 'NONE' }, stamp)
    })
    assert.equal(ready, undefined)
  })
})

test('a page that is paid or has ended is as before once its shop is closed', async () => {
  const paid = await shop.checkout()
  assert.equal((await shop.submit(paid.id, card)).status, 303)
  const replaced = await shop.checkout()
  await shop.checkout({ reference: replaced.reference })
  await close()
  const { status, headers } = await shop.page(paid.id)
  assert.deepEqual([status, headers['location']], [303, 'http://shop.example/confirm?a=1'])
  const { status: ended, text } = await shop.page(replaced.id)
  assert.deepEqual([ended, /newer payment page/.test(text)], [410, true])
})
