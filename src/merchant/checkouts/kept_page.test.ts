import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { authorizationOf, keep, keptBy, orderOf, withKept } from '#test/e2e/kept.ts'
import { openShop, post, tokenIn } from '#test/e2e/shop.ts'

const shop = await openShop({ settings: { kept_cards: true } })
after(() => shop[Symbol.asyncDispose]())
const card = await shop.customer(10_000_000n)
const poor = await shop.customer(10_100n)

const AGREED = { keep_card: 'en-1' }
const last = (customer: typeof card) => customer.card_number.slice(-4)
const remove = (id: string, kept_card: string, form_token: string) =>
  shop.app.inject({
    method: 'POST',
    url: `/checkout/keptcards?id=${id}&lang=ar`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ form_token, kept_card }).toString(),
  })

describe('the payment page keeps a card', () => {
  test('only where the customer agrees, by a box that is not ticked', async () => {
    const { id } = await shop.checkout(orderOf('asks'))
    const { text } = await shop.page(id)
    assert.match(text, /<input type="checkbox" class="pick" name="keep_card"\s+value="en-1">/)
    assert.match(text, /Keep this card for my next purchases at <bdi>Date Palm Books<\/bdi>/)
    assert.equal((await shop.submit(id, card)).status, 303)
    assert.deepEqual(await keptBy(shop, 'asks'), [])
    for (const keep_card of ['1', 'xx-1', '']) {
      const other = await shop.checkout(orderOf('asks'))
      assert.equal((await shop.submit(other.id, card, { keep_card })).status, 303)
    }
    assert.deepEqual(await keptBy(shop, 'asks'), [])
  })

  test('with the sentence in the language of the page', async () => {
    const { id } = await shop.checkout(orderOf('arabic'))
    assert.match((await shop.page(`${id}&lang=ar`)).text, /value="ar-1"/)
    assert.equal((await shop.submit(id, card, { keep_card: 'ar-1' })).status, 303)
    assert.equal((await keptBy(shop, 'arabic'))[0].consent.text, 'ar-1')
  })

  test('only after an approved payment', async () => {
    const { id } = await shop.checkout(orderOf('declined'))
    const wrong = card.cvv2 === '123' ? '321' : '123'
    assert.equal((await shop.submit(id, card, { ...AGREED, cvv2: wrong })).status, 200)
    assert.deepEqual(await keptBy(shop, 'declined'), [])
    // The consent was of that try: the next one is without it.
    assert.equal((await shop.submit(id, card)).status, 303)
    assert.deepEqual(await keptBy(shop, 'declined'), [])
  })

  test('once for each number, with the newer expiry date and consent', async () => {
    const first = await keep(shop, card, 'twice')
    await shop.db
      .updateTable('merchant_kept_cards')
      .set({ expiry: '2001', consent: 'ar-1' })
      .where('tenant_id', '=', shop.tenant.id)
      .where('id', '=', first.id)
      .execute()
    const second = await keep(shop, card, 'twice')
    assert.deepEqual(
      [second.id, second.expiry_date, second.consent.text],
      [first.id, first.expiry_date, 'en-1'],
    )
    assert.equal((await keptBy(shop, 'twice')).length, 1)
    await keep(shop, await shop.customer(1_000_000n), 'twice')
    assert.equal((await keptBy(shop, 'twice')).length, 2)
  })

  test('at most ten of one customer, and offers to keep no eleventh', async () => {
    const { id: kept } = await keep(shop, card, 'many')
    const row = await shop.db
      .selectFrom('merchant_kept_cards')
      .selectAll()
      .where('tenant_id', '=', shop.tenant.id)
      .where('id', '=', kept)
      .executeTakeFirstOrThrow()
    const others = Array.from({ length: 9 }, () => ({ ...row, id: newId(), last_four: '0000' }))
    await shop.db.insertInto('merchant_kept_cards').values(others).execute()
    const { id } = await shop.checkout(orderOf('many'))
    assert.doesNotMatch((await shop.page(id)).text, /keep_card/)
    const other = await shop.customer(1_000_000n)
    assert.equal((await shop.submit(id, other, AGREED)).status, 303)
    assert.equal((await keptBy(shop, 'many')).length, 10)
    await shop.db
      .deleteFrom('merchant_kept_cards')
      .where('tenant_id', '=', shop.tenant.id)
      .where('last_four', '=', '0000')
      .execute()
  })

  test('for no checkout without a customer, and no merchant without the setting', async () => {
    const nobody = [{}, orderOf(''), { order: { customer: { reference: 2 ** 53 } } }]
    for (const fields of nobody) {
      const { id } = await shop.checkout(fields)
      assert.doesNotMatch((await shop.page(id)).text, /keep_card|kept_card/)
      assert.equal((await shop.submit(id, card, AGREED)).status, 303)
    }
    const of_merchant = `/v1/operator/merchants/${shop.merchant.id}`
    const operator = { key: shop.operator_key }
    await keep(shop, card, 'setting')
    await shop.request('PUT', of_merchant, { kept_cards: false }, operator)
    const { id } = await shop.checkout(orderOf('setting'))
    const [{ id: kept_card }] = await keptBy(shop, 'setting')
    assert.doesNotMatch((await shop.page(id)).text, /keep_card|kept_card/)
    const unused = await shop.submit(id, {}, withKept(kept_card, card.cvv2))
    assert.match(unused.text, /was not used/)
    const other = await shop.checkout(orderOf('new'))
    assert.equal((await shop.submit(other.id, card, AGREED)).status, 303)
    await shop.request('PUT', of_merchant, { kept_cards: true }, operator)
    assert.deepEqual(await keptBy(shop, 'new'), [])
  })

  test('for a customer whose name is a number', async () => {
    const { id } = await shop.checkout({ order: { customer: { reference: 4711 } } })
    assert.equal((await shop.submit(id, card, AGREED)).status, 303)
    assert.equal((await keptBy(shop, '4711')).length, 1)
  })
})

describe('the payment page offers kept cards', () => {
  test('by brand, last digits and date, the first chosen, to their customer only', async () => {
    const { id: kept } = await keep(shop, card, 'omar')
    const { id } = await shop.checkout(orderOf('omar'))
    const { text } = await shop.page(id)
    assert.ok(text.includes(`name="kept_card" value="${kept}" checked`), text)
    assert.ok(text.includes(last(card)) && text.includes(`>${card.expiry}</bdi>`))
    assert.equal(text.includes(card.card_number), false)
    assert.doesNotMatch(text, /name="cvv2"[^>]* value="[^"]/)
    const other = await shop.page((await shop.checkout(orderOf('layla'))).id)
    assert.equal(other.text.includes(kept), false)
  })

  test('an expired one is shown as such and cannot be chosen', async () => {
    const { id: kept } = await keep(shop, card, 'late')
    await shop.db
      .updateTable('merchant_kept_cards')
      .set({ expiry: '2001' })
      .where('tenant_id', '=', shop.tenant.id)
      .where('id', '=', kept)
      .execute()
    const { text } = await shop.page((await shop.checkout(orderOf('late'))).id)
    assert.ok(text.includes(`name="kept_card" value="${kept}" disabled`), text)
    assert.match(text, /Expired\s+<bdi dir="ltr">01\/20/)
    assert.match(text, /name="kept_card" value="" checked/)
  })
})

describe('a payment with a kept card on the page', () => {
  test('303 with the code; the message is one of e-commerce with the code', async () => {
    const { id: kept } = await keep(shop, card, 'payer')
    const { id, reference } = await shop.checkout(orderOf('payer'))
    assert.equal((await shop.submit(id, {}, withKept(kept, card.cvv2))).status, 303)
    const order = (await shop.call('GET', `/orders/${reference}/`)).body
    const fields = await authorizationOf(shop, order.order_id)
    assert.deepEqual([fields[22], fields[25], fields[61]], ['812', '59', '10251040066'])
  })

  test('422 where the code is empty or wrong in form, with the same card chosen', async () => {
    const { id: kept } = await keep(shop, card, 'coder')
    await keep(shop, poor, 'coder')
    const [newest] = await keptBy(shop, 'coder')
    const { id } = await shop.checkout(orderOf('coder'))
    for (const [cvv2, fault] of [
      ['', 'Enter the code'],
      ['1', 'Use 3 or 4 digits'],
    ] as const) {
      const { status, text } = await shop.submit(id, {}, withKept(newest.id, cvv2))
      assert.equal(status, 422)
      assert.ok(text.includes(`<span>${fault}</span>`) && text.includes('href="#cvv2"'), text)
      assert.ok(text.includes(`value="${newest.id}" checked`))
      assert.equal(text.includes('href="#card_number"'), false)
    }
    assert.notEqual(kept, newest.id)
  })

  test('a wrong code is declined by the issuer, and another try pays', async () => {
    const { id: kept } = await keep(shop, card, 'wrong')
    const { id } = await shop.checkout(orderOf('wrong'))
    const wrong = card.cvv2 === '123' ? '321' : '123'
    const declined = await shop.submit(id, {}, withKept(kept, wrong))
    assert.match(declined.text, /security code is not right/)
    assert.ok(declined.text.includes(`value="${kept}" checked`))
    const typed = await shop.submit(id, { ...card, cvv2: wrong })
    assert.match(typed.text, /name="kept_card" value="" checked/)
    assert.equal((await shop.submit(id, {}, withKept(kept, card.cvv2))).status, 303)
  })

  test('no card of another customer, and none that is no id, pays', async () => {
    const { id: kept } = await keep(shop, card, 'victim')
    const { id } = await shop.checkout(orderOf('thief'))
    const stolen = await shop.submit(id, {}, withKept(kept, card.cvv2))
    assert.match(stolen.text, /was not used/)
    assert.equal((await shop.submit(id, {}, withKept('1', card.cvv2))).status, 422)
    assert.match((await shop.page(id)).text, /name="form_token"/)
  })
})

describe('POST /checkout/keptcards', () => {
  test('303 back to the page in its language, without the card', async () => {
    const { id: kept } = await keep(shop, card, 'leaver')
    const { id } = await shop.checkout(orderOf('leaver'))
    const { text } = await shop.page(id)
    assert.ok(text.includes(`form="remove" name="kept_card" value="${kept}"`))
    const removed = await remove(id, kept, tokenIn(text))
    assert.deepEqual(
      [removed.statusCode, removed.headers['location']],
      [303, `/checkout?id=${id}&lang=ar`],
    )
    assert.deepEqual(await keptBy(shop, 'leaver'), [])
    const { card_number, expiry, cvv2 } = card
    const paid = await post(shop, id, { form_token: tokenIn(text), card_number, expiry, cvv2 })
    assert.equal(paid.status, 303)
  })

  test('removes nothing by another token, of another customer, or of a page that has ended', async () => {
    const { id: kept } = await keep(shop, card, 'stays')
    const own = await shop.checkout(orderOf('stays'))
    const other = await shop.checkout(orderOf('someone'))
    const tokenOf = async (id: string) => tokenIn((await shop.page(id)).text)
    const ended = await shop.checkout(orderOf('stays'))
    const used = await tokenOf(ended.id)
    assert.equal((await shop.submit(ended.id, card)).status, 303)
    for (const [id, token] of [
      [own.id, ''],
      [own.id, await tokenOf(other.id)],
      [other.id, await tokenOf(other.id)],
      [ended.id, used],
    ] as const) {
      assert.equal((await remove(id, kept, token)).statusCode, 303)
    }
    assert.equal((await remove(own.id, 'x', await tokenOf(own.id))).statusCode, 303)
    assert.equal((await keptBy(shop, 'stays')).length, 1)
  })
})

test('numbers of kept cards are neither stored in the clear nor logged', async () => {
  await keep(shop, card, 'sealed')
  const tables = ['merchant_kept_cards', 'merchant_vault.cards', 'checkouts', 'acquirer_messages']
  const text = (await shop.dump(tables)).rows + shop.logged.join('\n')
  assert.equal(text.includes(card.card_number), false)
  assert.equal(text.includes(Buffer.from(card.card_number).toString('hex')), false)
})
