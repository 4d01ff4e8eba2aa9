import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { brands } from '#merchant/kept_cards/rules.ts'
import { openShop } from '#test/e2e/shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

describe('GET /checkout', () => {
  test('200 shows a form for phones and screen readers', async () => {
    const { id } = await shop.checkout({ description: '<b>Books</b>', display_reference: 'No. 7' })
    const { status, text, headers } = await shop.page(id)
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^text\/html; charset=utf-8/)
    for (const part of [
      'name="viewport"', 'lang="en" dir="ltr"', 'Date Palm Books', 'AED\u00a0100.50', 'No. 7',
      '&lt;b&gt;Books&lt;/b&gt;', 'autocomplete="cc-number"', 'autocomplete="cc-exp"',
      'autocomplete="cc-csc"', 'inputmode="numeric"', '<label for="card_number">', 'method="post"',
    ]) assert.ok(text.includes(part), part) // biome-ignore format: a list of parts.
  })

  test('is Arabic from right to left by `lang`, however the shop appends it', async () => {
    const { id } = await shop.checkout()
    for (const tail of ['&lang=ar', '/?lang=ar', '?lang=ar', '&lang=AR-ae']) {
      const { status, text } = await shop.page(id + tail)
      assert.equal(status, 200, tail)
      assert.ok(text.includes('lang="ar" dir="rtl"') && text.includes('رقم البطاقة'), tail)
    }
  })

  test('may be framed and left only by the shop, and runs no script but its own', async () => {
    const { id } = await shop.checkout({ reject_callback_url: 'https://other.example/no' })
    const { headers } = await shop.page(id)
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; base-uri 'none'; " +
        "form-action 'self' http://shop.example https://other.example; " +
        "frame-ancestors 'self' http://shop.example https://other.example",
    )
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cache-control'], 'no-store')
  })

  test('shows the order with its lines, amounts and pictures, and lets only those in', async () => {
    const { id } = await shop.checkout({
      total: '115.50',
      order: {
        shipping_amount: '20',
        tax_amount: 5.25,
        discount: -10,
        lines: [
          {
            title: '<i>Atlas</i>',
            quantity: 2,
            price: '50.25',
            image_url: 'https://cdn.shop.example/a.jpg?x=1&y="2',
          },
          { title: 'Notebook', quantity: 1, price: 5, image_url: 'http://cdn.shop.example/b.jpg' },
        ],
      },
    })
    const { text, headers } = await shop.page(id)
    for (const part of [
      '&lt;i&gt;Atlas&lt;/i&gt;', '2 × ', 'AED\u00a050.25', 'AED\u00a0100.50', 'Notebook', 'Shipping',
      'AED\u00a020.00', 'Tax', 'AED\u00a05.25', 'Discount', '\u2212AED\u00a010.00', 'Subtotal',
      'src="https://cdn.shop.example/a.jpg?x=1&amp;y=%222"', 'referrerpolicy="no-referrer"',
    ]) assert.ok(text.includes(part), part) // biome-ignore format: a list of parts.
    assert.equal(text.includes('b.jpg'), false)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /; img-src https:\/\/cdn\.shop\.example; base-uri/)
  })

  test('writes amounts alike in both languages', async () => {
    const { id } = await shop.checkout()
    for (const lang of ['en', 'ar']) {
      const { text } = await shop.page(`${id}&lang=${lang}`)
      assert.ok(text.includes('<bdi dir="ltr" class="amount">AED\u00a0100.50</bdi>'), lang)
    }
  })

  test('leads back to the shop, and states in a sandbox that no money moves', async () => {
    const { id } = await shop.checkout()
    const { text } = await shop.page(id)
    assert.match(text, /<a class="back" href="http:\/\/shop\.example\/reject"/)
    assert.ok(text.includes('Test mode'))
  })

  test('404 alike for an id that is malformed, unknown or of another tenant', async () => {
    const { id } = await shop.checkout()
    const other = `B${id.slice(1)}`
    const unknown = `${id.slice(0, 30)}${'A'.repeat(12)}Q`
    for (const wrong of ['', 'x', other, unknown]) {
      assert.equal((await shop.page(wrong)).status, 404, wrong)
    }
  })

  test('serves its style and script', async () => {
    for (const [name, type] of [
      ['checkout.css', 'text/css'],
      ['checkout.js', 'text/javascript'],
    ]) {
      const { statusCode, headers } = await shop.app.inject(`/checkout/assets/${name}`)
      assert.equal(statusCode, 200)
      assert.ok(String(headers['content-type']).startsWith(String(type)))
    }
  })

  test('has the brands of the cards that a shop keeps before its script', async () => {
    const { body } = await shop.app.inject('/checkout/assets/checkout.js')
    const [list = ''] = body.split('\n')
    assert.deepEqual(runInNewContext(`${list}; String(BRANDS)`), String(brands))
  })
})

describe('the brand of a shop', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex').toString('base64')
  const logo = `data:image/png;base64,${png}`
  const settings = (change: object) =>
    shop.request('PUT', `/v1/operator/merchants/${shop.merchant.id}`, change, {
      key: shop.operator_key,
    })

  test('is on its page: the logo within it, the color by a style of its own', async () => {
    await settings({ brand_color: '#0B6E4F', logo })
    const { id } = await shop.checkout()
    const { text, headers } = await shop.page(id)
    await settings({ brand_color: null, logo: null })
    assert.ok(text.includes(`<img class="logo" src="${logo}" alt=""`))
    assert.ok(text.includes('href="/checkout/brand/0b6e4f.css"'))
    assert.match(String(headers['content-security-policy']), /; img-src data:; base-uri/)
    const style = await shop.app.inject('/checkout/brand/0b6e4f.css')
    assert.equal(style.statusCode, 200)
    assert.match(String(style.headers['content-type']), /^text\/css/)
    assert.ok(style.body.startsWith(':root { --brand: #0b6e4f; --on-brand: #ffffff; }'))
  })

  test('leads to the terms and the support of the shop, where it has them', async () => {
    const { id } = await shop.checkout()
    const footOf = async () => (await shop.page(id)).text.split('<footer>')[1] ?? ''
    assert.doesNotMatch(await footOf(), /_blank/)
    const links = { terms_url: 'https://shop.example/terms', support_url: 'mailto:a@shop.example' }
    await settings(links)
    const foot = await footOf()
    await settings({ terms_url: null, support_url: null })
    for (const url of Object.values(links)) {
      const link = `<a href="${url}" target="_blank" rel="noopener noreferrer">`
      assert.ok(foot.includes(link), foot)
    }
  })

  test('404 for a style of no color', async () => {
    for (const name of ['0b6e4f', '0b6e4g.css', 'x%7D.css', '0B6E4F.css']) {
      assert.equal((await shop.app.inject(`/checkout/brand/${name}`)).statusCode, 404, name)
    }
  })
})
