import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { checkoutBody, openShop, post, tokenIn } from '#test/e2e/shop.ts'
import { placeOf } from './page_id.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const rich = await shop.customer(1_000_000n)
const poor = await shop.customer(100n)

describe('POST /checkout', () => {
  test('303 to the confirm address once the card is authorized, and again on every visit', async () => {
    const { id, reference } = await shop.checkout()
    const paid = await shop.submit(id, rich)
    assert.deepEqual(
      [paid.status, paid.headers['location']],
      [303, 'http://shop.example/confirm?a=1'],
    )
    const again = await shop.page(id)
    assert.deepEqual(
      [again.status, again.headers['location']],
      [303, 'http://shop.example/confirm?a=1'],
    )
    const order = (await shop.call('GET', `/orders/${reference}/`)).body
    assert.equal(order.status, 'OPENED')
    assert.deepEqual(await eventsOf(await shop.ctx(), order.order_id), ['ORDER_AUTHORIZED'])
  })

  test('400 on `reference` for a new checkout of an order that exists', async () => {
    const { id, reference } = await shop.checkout()
    await shop.submit(id, rich)
    const answer = await shop.call('POST', '/checkouts/', {
      ...checkoutBody(),
      reference,
    })
    assert.deepEqual([answer.status, Object.keys(answer.body)], [400, ['reference']])
  })

  test('in a frame the result is a page whose script sends it to the shop', async () => {
    const { id } = await shop.checkout()
    const paid = await shop.submit(id, rich, { framed: '1' })
    assert.equal(paid.status, 200)
    for (const part of [
      'data-status="SUCCESS"',
      'data-origin="http://shop.example"',
      'data-confirm-url="http://shop.example/confirm?a=1"',
      'AED\u00a0100.50',
    ]) {
      assert.ok(paid.text.includes(part), part)
    }
    const visit = await shop.page(id, { headers: { 'sec-fetch-dest': 'iframe' } })
    assert.equal(visit.status, 200)
  })

  test('a tick is seen before the page leaves where its script runs, else it leaves at once', async () => {
    const [seen, unseen] = [await shop.checkout(), await shop.checkout()]
    const ticked = await shop.submit(seen.id, rich, { ticked: '1' })
    assert.equal(ticked.status, 200)
    assert.ok(ticked.text.includes('data-status="SUCCESS"'))
    assert.ok(ticked.text.includes('url=http://shop.example/confirm?a=1'), 'without a script')
    assert.equal((await shop.submit(unseen.id, rich)).status, 303)
    assert.equal((await shop.page(seen.id)).status, 303)
  })

  test('a declined card shows its reason; the third decline redirects to the reject address', async () => {
    const { id, reference } = await shop.checkout()
    for (const [reason, tries] of [
      ['not enough money', 'two tries left'],
      ['security code is not right', 'one try left'],
    ] as const) {
      const card = reason.includes('money') ? poor : { ...rich, cvv2: wrongCode(rich.cvv2) }
      const { status, text } = await shop.submit(id, card)
      assert.equal(status, 200)
      assert.ok(text.includes(reason) && text.includes(tries), reason)
      assert.deepEqual(
        text.split('\n').filter((line) => line.includes(rich.card_number)),
        [],
      )
    }
    const third = await shop.submit(id, poor)
    assert.deepEqual([third.status, third.headers['location']], [303, 'http://shop.example/reject'])
    assert.equal((await shop.call('GET', `/orders/${reference}/`)).status, 404)
    const again = await shop.checkout({ reference })
    assert.equal((await shop.submit(again.id, rich)).status, 303)
  })

  test('a stale second tab shows that its card was not used, without the decline of the other', async () => {
    const card = await shop.customer(100_000n)
    const { id } = await shop.checkout()
    const form_token = tokenIn((await shop.page(id)).text)
    assert.match((await shop.submit(id, poor)).text, /not enough money/)
    const { card_number, expiry, cvv2 } = card
    const second = await post(shop, id, { form_token, card_number, expiry, cvv2 })
    assert.equal(second.status, 200)
    assert.match(second.text, /was out of date/)
    assert.match(second.text, /was not used/)
    assert.doesNotMatch(second.text, /not enough money/)
    assert.equal((await shop.account(card)).held, 0n)
    const fresh = { form_token: tokenIn(second.text), card_number, expiry, cvv2 }
    assert.equal((await post(shop, id, fresh)).status, 303)
  })

  test('a superseded page shows the state of its order, with a link once it is paid', async () => {
    const confirm_callback_url = 'http://shop.example/thanks?b=2'
    const { id, reference } = await shop.checkout()
    const next = await shop.checkout({ reference, confirm_callback_url })
    const replaced = await shop.page(id)
    assert.equal(replaced.status, 410)
    assert.match(replaced.text, /newer payment page/)
    // Neither address of the checkout: the shop would make an end of an order that may be paid.
    assert.match(replaced.text, /href="http:\/\/shop\.example\/">Back to the shop/)
    assert.equal((await shop.submit(next.id, rich)).status, 303)
    for (const lang of ['en', 'ar']) {
      const { status, text } = await shop.page(`${id}&lang=${lang}`)
      assert.equal(status, 410)
      assert.ok(text.includes(`href="${confirm_callback_url}"`), text)
      assert.doesNotMatch(text, /not been charged|لم يتم خصم/)
    }
  })

  test('a rejected page of an order that was paid since does not go to the reject address', async () => {
    const { id, reference } = await shop.checkout()
    for (let declines = 0; declines < 3; declines++) await shop.submit(id, poor)
    assert.equal((await shop.page(id)).status, 303)
    const next = await shop.checkout({ reference })
    assert.equal((await shop.submit(next.id, rich)).status, 303)
    assert.match((await shop.page(id)).text, /This order is paid/)
  })

  for (const tail of ['شكرا', '✓?a=ü b', '?q=a"b']) {
    test(`303 to a confirm address with ${tail}, also of a checkout made before`, async () => {
      const confirm_callback_url = `http://shop.example/${tail}`
      const { id } = await shop.checkout({ confirm_callback_url })
      await shop.db
        .updateTable('checkouts')
        .set({ confirm_callback_url })
        .where('page_key', '=', placeOf(id)?.page_key ?? '')
        .execute()
      const paid = await shop.submit(id, rich)
      const location = new URL(confirm_callback_url).href
      assert.deepEqual([paid.status, paid.headers['location']], [303, location])
    })
  }

  test('410 after a day leads back to the shop and states that nothing was charged', async () => {
    const { id } = await shop.checkout()
    await shop.db
      .updateTable('checkouts')
      .set({ status: 'EXPIRED', due: null })
      .where('page_key', '=', placeOf(id)?.page_key ?? '')
      .execute()
    const { status, text } = await shop.page(id)
    assert.equal(status, 410)
    assert.match(text, /has ended[\s\S]*You have not been charged/)
    assert.ok(text.includes('href="http://shop.example/reject">Back to the shop'))
  })

  test('422 has a sentence for a field that is empty, wrong and past', async () => {
    const { id } = await shop.checkout()
    const past = await shop.submit(id, { ...rich, card_number: '', expiry: '01/20' })
    for (const part of ['Enter the card number', 'This date is past']) {
      assert.ok(past.text.includes(`<span>${part}</span>`), part)
    }
    const wrong = await shop.submit(id, { card_number: '4', expiry: '13/40', cvv2: '1' })
    for (const part of ['Check the card number', 'Use month and year', 'Use 3 or 4 digits']) {
      assert.ok(wrong.text.includes(`<span>${part}</span>`), part)
    }
  })

  test('422 leads to the fields that could not be read, and shows nothing typed again', async () => {
    const { id } = await shop.checkout()
    const { status, text } = await shop.submit(id, { ...rich, card_number: '4000001234567890' })
    assert.equal(status, 422)
    assert.ok(text.includes('href="#card_number"') && text.includes('aria-invalid="true"'))
    assert.equal(text.includes('4000001234567890') || text.includes(`"${rich.cvv2}"`), false)
    assert.equal((await shop.submit(id, rich)).status, 303)
  })

  test('the same form sent many times at once charges once', async () => {
    const card = await shop.customer(100_000n)
    const { id } = await shop.checkout()
    const form_token = tokenIn((await shop.page(id)).text)
    const { card_number, expiry, cvv2 } = card
    const sent = Array.from({ length: 8 }, () =>
      post(shop, id, { form_token, card_number, expiry, cvv2 }),
    )
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    assert.ok(statuses.includes(303))
    assert.ok(statuses.every((status) => status === 303 || status === 200))
    assert.equal((await shop.account(card)).held, 10_050n)
  })

  test('a token of another form pays nothing', async () => {
    const card = await shop.customer(100_000n)
    const { id } = await shop.checkout()
    for (const form_token of [
      '',
      'x',
      tokenIn((await shop.page((await shop.checkout()).id)).text),
    ]) {
      const { status } = await shop.submit(id, card, { form_token })
      assert.equal(status, 200)
    }
    assert.equal((await shop.account(card)).held, 0n)
  })

  test('415 for another type of form, 413 for a huge one, never 500', async () => {
    const { id } = await shop.checkout()
    const url = `/checkout?id=${id}`
    const json = await shop.app.inject({ method: 'POST', url, payload: { a: 1 } })
    const huge = await post(shop, id, { card_number: 'x'.repeat(20_000) })
    const odd = await post(shop, id, { card_number: '\u0000', expiry: '\ud800' })
    assert.deepEqual([json.statusCode, huge.status, odd.status], [415, 413, 422])
  })

  test('card numbers and security codes are neither stored in the clear nor logged', async () => {
    const { rows } = await shop.dump(['acquirer_messages', 'checkouts', 'orders', 'events'])
    const text = rows + shop.logged.join('\n')
    assert.deepEqual(
      text.split('\n').filter((line) => line.includes(rich.card_number)),
      [],
    )
    const messages = await shop.db.selectFrom('acquirer_messages').select('fields').execute()
    const elements = messages.flatMap(({ fields }) => fields['48'] ?? [])
    assert.deepEqual([...new Set(elements)], ['42070103210'])
  })
})

const wrongCode = (code: string) => (code === '123' ? '321' : '123')
