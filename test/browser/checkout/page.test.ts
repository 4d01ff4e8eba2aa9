/** The payment page as different people have it: widths, languages, schemes, keyboard, no script. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { faultsOfAxe, overflowOf, smallTargetsOf } from '../console/stage.ts'
import { openStage, PHONE, pay, type, WIDE } from './stage.ts'

const stage = keeper()(await openStage())
const { shop, rich, poor, site } = stage
/** RFC 2606: no such host. */
const NOWHERE = 'pictures.invalid'

for (const [size, viewport] of Object.entries({ wide: WIDE, phone: PHONE })) {
  for (const lang of ['en', 'ar'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`axe-core finds nothing: ${size}, ${lang}, ${colorScheme}`, async () => {
        const { page, id } = await stage.open({ lang, browser: { viewport, colorScheme } })
        if (size === 'phone') await page.locator('summary').click()
        await page.locator('.lines img').waitFor()
        assert.deepEqual(await faultsOfAxe(page), [])
        assert.ok((await overflowOf(page)) <= 0)
        if (size === 'phone') assert.deepEqual(await smallTargetsOf(page), [])
        await pay(page)
        assert.deepEqual(await faultsOfAxe(page), [])
        await shop.submit(id, poor)
        await page.reload()
        await page.locator('.problem .icon').waitFor()
        assert.deepEqual(await faultsOfAxe(page), [])
        assert.ok((await overflowOf(page)) <= 0)
        await page.context().close()
      })
    }
  }
}

test('a test card is picked, made where there is none, and paid with, without a script', async () => {
  const { page } = await stage.open({ browser: { javaScriptEnabled: false } })
  await page.getByRole('link', { name: 'Approved' }).click()
  await page.getByRole('button', { name: 'Prepare test cards' }).click()
  assert.match(await page.locator('#card_number').inputValue(), /^99\d\d( \d{4}){3}$/)
  assert.equal(await page.locator('[aria-current]').innerText(), 'Approved')
  // The browser moves the focus after it has shown the page.
  await page.locator('form :focus').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${site}/thanks`)
  await page.context().close()
})

test('axe-core finds nothing on the pages that replace the form', async () => {
  const { page, id, reference } = await stage.open()
  const replaced = page.url()
  const next = await shop.checkout({ reference })
  await page.reload()
  assert.match(await page.locator('h1').innerText(), /newer payment page/)
  assert.deepEqual(await faultsOfAxe(page), [])
  assert.equal(await page.locator('a.button').getAttribute('href'), `${site}/`)
  await shop.submit(next.id, rich)
  await page.goto(replaced)
  assert.match(await page.locator('h1').innerText(), /order is paid/)
  assert.deepEqual(await faultsOfAxe(page), [])
  await page.goto(replaced.replace(id, 'unknown'))
  assert.match(await page.locator('h1').innerText(), /does not exist/)
  assert.deepEqual(await faultsOfAxe(page), [])
  await page.context().close()
})

/** 640 × 400 is a window of 1280 × 800 at 200 %, and 320 is WCAG's width of reflow. */
for (const viewport of [
  { width: 640, height: 400 },
  { width: 320, height: 256 },
]) {
  for (const lang of ['en', 'ar'] as const) {
    test(`nothing is cut off at ${viewport.width} pixels, ${lang}`, async () => {
      const { page } = await stage.open({ lang, browser: { viewport } })
      await page.locator('summary').click()
      await pay(page)
      assert.ok((await overflowOf(page)) <= 0)
      const cut = `[...document.querySelectorAll('.fault:not([hidden]), button, dd, .name, h1')]
        .filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0)
        .map((part) => part.outerHTML)`
      assert.deepEqual(await page.evaluate(cut), [])
      await page.context().close()
    })
  }
}

describe('the order', () => {
  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with a script' : 'without'
    test(`is beside the form on a wide window and folded on a phone, ${how}`, async () => {
      const wide = await stage.open({ browser: { javaScriptEnabled } })
      const item = (of: typeof wide) => of.page.getByText('A history of Dubai')
      assert.ok(await item(wide).isVisible())
      const [order, field] = [
        await item(wide).boundingBox(),
        await wide.page.locator('#card_number').boundingBox(),
      ]
      assert.ok(order && field && order.x + order.width <= field.x)
      const phone = await stage.open({ browser: { javaScriptEnabled, viewport: PHONE } })
      assert.equal(await item(phone).isVisible(), false)
      await phone.page.locator('summary').click()
      await item(phone).waitFor()
      await Promise.all([wide, phone].map(({ page }) => page.context().close()))
    })
  }

  test('shows amounts in one order, in Arabic too', async () => {
    const { page } = await stage.open({ lang: 'ar' })
    assert.deepEqual(await page.locator('.amount').allInnerTexts(), [
      ...['AED 100.50', 'AED 25.50', 'AED 51.00', 'AED 40.00', 'AED 91.00', 'AED 15.00'],
      ...['AED 4.50', '−AED 10.00', 'AED 100.50', 'AED 100.50'],
    ].map((text) => text.replace('AED ', 'AED\u00a0'))) // biome-ignore format: a list of amounts.
    await page.context().close()
  })
})

test('the page has the color and the logo of the shop, and loads from no one else', async () => {
  const { page } = await stage.open()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).origin))
  await page.reload()
  await page.locator('.logo').waitFor()
  const color = 'getComputedStyle(document.querySelector("button")).backgroundColor'
  assert.equal(await page.evaluate(color), 'rgb(11, 110, 79)')
  assert.equal(await page.evaluate('document.querySelector(".logo").naturalWidth'), 8)
  const origins = new Set(asked.filter((origin) => origin !== 'null'))
  assert.deepEqual([...origins].sort(), [stage.home, 'https://pictures.example'].sort())
  await page.context().close()
})

test('a picture that is not there leaves the drawing of an item', async () => {
  const lines = [{ title: 'Atlas', quantity: 1, price: '100.50', image_url: `https://${NOWHERE}/` }]
  const { page } = await stage.open({ fields: { order: { lines } } })
  await page.locator('.picture img').waitFor({ state: 'detached' })
  assert.ok(await page.locator('.picture .icon').isVisible())
  await page.context().close()
})

test('can be paid with the keyboard alone', async () => {
  const { page } = await stage.open()
  const names: string[] = []
  const texts = [rich.card_number, rich.expiry, rich.cvv2]
  for (let step = 0; step < 5; step++) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(
      'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.innerText',
    )
    names.push(String(name).replace('\u00a0', ' '))
    if (step > 0 && step < 4) await page.keyboard.type(texts[step - 1] ?? '')
  }
  assert.deepEqual(names, [
    ...['Back to the shop', 'Card number', 'Expiry date', 'Security code', 'Pay AED 100.50'],
  ])
  await page.keyboard.press('Enter')
  await page.waitForURL(`${site}/thanks`)
  await page.context().close()
})

test('the foot leads to the terms and the support of the shop in another tab', async () => {
  const links = { terms_url: `https://pictures.example/terms`, support_url: 'tel:+97140000000' }
  const path = `/v1/operator/merchants/${shop.merchant.id}`
  await shop.request('PUT', path, links, { key: shop.operator_key })
  const { page } = await stage.open()
  await shop.request(
    'PUT',
    path,
    { terms_url: null, support_url: null },
    { key: shop.operator_key },
  )
  await page.locator('#card_number').pressSequentially('4000')
  const opened = page.context().waitForEvent('page')
  await page.getByRole('link', { name: 'Terms of the shop', exact: true }).click()
  await (await opened).waitForURL(links.terms_url)
  const help = page.getByRole('link', { name: 'Help from the shop', exact: true })
  assert.equal(await help.getAttribute('href'), links.support_url)
  assert.equal(await page.locator('#card_number').inputValue(), '4000')
  assert.deepEqual(await faultsOfAxe(page), [])
  await page.context().close()
})

test('the focus goes on by itself, and a tick is seen before the page leaves', async () => {
  const { page } = await stage.open()
  await page.locator('#card_number').focus()
  await page.keyboard.type(rich.card_number)
  await page.locator('#expiry:focus').waitFor()
  await page.keyboard.type(rich.expiry)
  await page.locator('#cvv2:focus').waitFor()
  await page.keyboard.type(rich.cvv2)
  const left = page.waitForURL(`${site}/thanks`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Thank you, your payment was made' }).waitFor()
  assert.equal(await page.locator('.end.good .icon').count(), 1)
  await left
  await page.context().close()
})

test('the focus stays where a digit is put in between, and where one is erased', async () => {
  const { page } = await stage.open()
  const number = page.locator('#card_number')
  await number.pressSequentially(rich.card_number.slice(1))
  await page.locator('#card_number:focus').waitFor()
  await page.evaluate('card_number.setSelectionRange(0, 0)')
  await page.keyboard.type(rich.card_number[0] ?? '')
  assert.equal(await page.locator('#card_number:focus').count(), 1)
  await page.context().close()
})

test('a decline is kept over a reload, and card data is not, without a script', async () => {
  const { page, id } = await stage.open({ browser: { javaScriptEnabled: false } })
  await shop.submit(id, poor)
  await page.reload()
  assert.match(await page.locator('.problem').innerText(), /not enough money[\s\S]*two tries left/)
  await type(page, poor)
  await pay(page)
  await page.getByText('one try left').waitFor()
  assert.equal(await page.locator('#card_number').inputValue(), '')
  await type(page, poor)
  await pay(page)
  await page.waitForURL(`${site}/basket`)
  await page.context().close()
})
