/** The page of the card's issuer in a browser. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Customer } from '#test/e2e/shop.ts'
import { MOBILE, otherThan } from '#test/e2e/three_ds.ts'
import { keeper } from '#test/support/keeper.ts'
import { faultsOfAxe, overflowOf } from '../console/stage.ts'
import { arrived, openStage, PHONE, pay, type, WIDE } from './stage.ts'

const stage = keeper()(await openStage())
const { shop, site, rich } = stage
const PRICE = 10_050n
const OTP = { user: { mobile: MOBILE }, product: { otp_3ds: true } }
const customer = () => shop.customer(100_000n, OTP)
const heldOf = async (card: Customer) => (await shop.account(card)).held

const code = (page: Page) => page.locator('#code')
/** A browser gives `autofocus` its effect some time after the field is visible. */
const focused = (page: Page) => page.locator('#code:focus').waitFor()
const confirm = (page: Page) => page.locator('#challenge button').first().click()
/** The sandbox shows it. */
const shownCode = (page: Page) => page.locator('.test code').innerText()

type Options = { card?: Customer; lang?: 'en' | 'ar'; browser?: BrowserContextOptions }

/** A page on which the issuer asks, and the card. */
async function open({ card, ...options }: Options = {}) {
  const used = card ?? (await customer())
  const opened = await stage.open(options)
  await type(opened.page, used)
  await pay(opened.page)
  await focused(opened.page)
  // Its script has run by then: a press before that would send the form.
  await opened.page.waitForLoadState()
  return { ...opened, card: used }
}

test('the issuer asks over the page, with the order in sight, and a tick ends it', async () => {
  const { page } = await open()
  const dialog = page.getByRole('dialog', { name: 'Confirm your payment', exact: true })
  await dialog.waitFor()
  const order = page.getByRole('region', { name: 'Your order', exact: true })
  await order.getByText('AED 51.00').first().waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
  await page.keyboard.type(await shownCode(page))
  const [button] = await dialog.getByRole('button', { name: 'Confirm', exact: true }).all()
  await button?.and(page.locator(':focus')).waitFor()
  const left = page.waitForURL(`${site}/thanks`)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Thank you, your payment was made' }).waitFor()
  await left
  await page.context().close()
})

for (const [how, browser] of Object.entries({
  'on a wide window': { viewport: WIDE },
  'on a phone': { viewport: PHONE },
  'without a script': { javaScriptEnabled: false },
})) {
  test(`the code is typed into the focused field, Enter sends it, ${how}`, async () => {
    const { page, card } = await open({ browser })
    assert.equal(await heldOf(card), 0n)
    await page.locator('#code:focus').waitFor()
    await page.keyboard.type(await shownCode(page))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site}/thanks`)
    assert.equal(await heldOf(card), PRICE)
    await page.context().close()
  })

  test(`a wrong code has its sentence in the place of the hint, ${how}`, async () => {
    const { page } = await open({ browser })
    const right = await shownCode(page)
    await code(page).fill(otherThan(right))
    await confirm(page)
    const fault = page.locator('#code_fault')
    await fault.waitFor()
    assert.equal(await fault.innerText(), 'This code is not right. You have two tries left.')
    await focused(page)
    assert.equal(await code(page).getAttribute('aria-describedby'), 'code_fault')
    await code(page).fill(right)
    await confirm(page)
    await page.waitForURL(`${site}/thanks`)
    await page.context().close()
  })

  test(`Cancel leads to the form, which pays with another card, ${how}`, async () => {
    const { page, card } = await open({ browser })
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('You cancelled the confirmation').waitFor()
    assert.equal(await page.locator('#card_number').inputValue(), '')
    await type(page, rich)
    await pay(page)
    await page.waitForURL(`${site}/thanks`)
    assert.equal(await heldOf(card), 0n)
    await page.context().close()
  })

  test(`a new code pays, ${how}`, async () => {
    const { page, card } = await open({ browser })
    await page.getByRole('button', { name: 'Send a new code' }).click()
    await page.getByText('A new code was sent').waitFor()
    await code(page).fill(await shownCode(page))
    await confirm(page)
    await page.waitForURL(`${site}/thanks`)
    assert.equal(await heldOf(card), PRICE)
    await page.context().close()
  })

  test(`a double click pays once, ${how}`, async () => {
    const { page, card } = await open({ browser })
    await code(page).fill(await shownCode(page))
    await page.locator('#challenge button').first().dblclick()
    await arrived(page, `${site}/thanks`)
    assert.equal(await heldOf(card), PRICE)
    await page.context().close()
  })

  test(`a double click on the form asks once, ${how}`, async () => {
    const card = await customer()
    const { page } = await stage.open({ browser })
    await type(page, card)
    await page.locator('button').dblclick()
    await code(page).fill(await shownCode(page))
    await confirm(page)
    await page.waitForURL(`${site}/thanks`)
    assert.equal(await heldOf(card), PRICE)
    await page.context().close()
  })

  test(`a reload shows the same question, ${how}`, async () => {
    const { page } = await open({ browser })
    const shown = await shownCode(page)
    await page.reload()
    assert.equal(await shownCode(page), shown)
    await code(page).fill(shown)
    await confirm(page)
    await page.waitForURL(`${site}/thanks`)
    await page.context().close()
  })
}

test('a code that is not six digits is not sent, and its sentence goes once it is corrected', async () => {
  const { page } = await open()
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST') sent++
  })
  const fault = page.locator('#code_fault')
  await confirm(page)
  assert.equal(await fault.innerText(), 'Enter the code')
  await code(page).pressSequentially('12a3')
  await confirm(page)
  assert.equal(await fault.innerText(), 'The code has six digits')
  assert.equal(await code(page).inputValue(), '123')
  await code(page).pressSequentially('٤٥٦')
  assert.equal(await fault.isVisible(), false)
  assert.equal(await code(page).inputValue(), '123456')
  assert.equal(sent, 0)
  await page.context().close()
})

test('three wrong codes lead to the form, which states that the bank could not confirm', async () => {
  const { page, card } = await open()
  for (const next of ['two tries left', 'one try left', 'could not confirm that it is you']) {
    const wrong = (await page.locator('.test code').isVisible()) ? await shownCode(page) : ''
    await code(page).fill(otherThan(wrong))
    await confirm(page)
    await page.getByText(next).waitFor()
  }
  assert.deepEqual(await faultsOfAxe(page), [])
  assert.equal(await heldOf(card), 0n)
  await page.context().close()
})

test('when its time is over the page states that by itself', async () => {
  const card = await customer()
  const { page } = await stage.open()
  await page.clock.install()
  await type(page, card)
  await pay(page)
  await code(page).waitFor()
  await shop.request('PUT', '/v1/simulate/clock', { advance: 'PT5M' })
  await page.clock.fastForward('05:00')
  await page.getByText('The confirmation took too long').waitFor()
  assert.equal(await heldOf(card), 0n)
  await page.context().close()
  await shop.signIn()
})

test('the way back leads to a form that asks anew and ends the question before', async () => {
  const { page, card } = await open()
  await page.goBack()
  await page.locator('#card_number').waitFor()
  assert.equal(await page.locator('#card_number').inputValue(), '')
  await type(page, card)
  await pay(page)
  await code(page).fill(await shownCode(page))
  await confirm(page)
  await page.waitForURL(`${site}/thanks`)
  assert.equal(await heldOf(card), PRICE)
  await page.context().close()
})

describe('a second tab', () => {
  test('that pays ends the question of the first, which leads to the shop', async () => {
    const { page, card } = await open()
    const shown = await shownCode(page)
    const second = await page.context().newPage()
    await second.goto(page.url())
    await type(second, rich)
    await pay(second)
    await second.waitForURL(`${site}/thanks`)
    await code(page).fill(shown)
    await confirm(page)
    await page.waitForURL(`${site}/thanks`)
    assert.equal(await heldOf(card), 0n)
    await page.context().close()
  })

  test('that is asked ends the question of the first, whose card is not used', async () => {
    const { page, card } = await open()
    const shown = await shownCode(page)
    const second = await page.context().newPage()
    await second.goto(page.url())
    await type(second, await customer())
    await pay(second)
    await code(second).waitFor()
    await code(page).fill(shown)
    await confirm(page)
    await page.getByText('was not used').waitFor()
    assert.equal(await heldOf(card), 0n)
    await page.context().close()
  })
})

test('in a frame of the shop the question is asked and the payment sends one message', async () => {
  const card = await customer()
  const { page } = await stage.open()
  await page.goto(`${site}/frame?${new URLSearchParams({ url: page.url() })}`)
  const frame = page.frames().at(-1)
  assert.ok(frame)
  await frame.locator('#card_number').fill(card.card_number)
  await frame.locator('#expiry').fill(card.expiry)
  await frame.locator('#cvv2').fill(card.cvv2)
  await frame.locator('button').click()
  await frame.locator('#code').fill(await frame.locator('.test code').innerText())
  await frame.locator('#challenge button').first().click()
  await frame.waitForURL(`${site}/thanks`)
  await page.waitForFunction('received.length > 0')
  const messages = (await page.evaluate('received')) as { status: string }[]
  assert.deepEqual(
    messages.map(({ status }) => status),
    ['SUCCESS'],
  )
  assert.equal(await heldOf(card), PRICE)
  await page.context().close()
})

test('the other language is one press away and loses nothing', async () => {
  const { page, card } = await open()
  const shown = await shownCode(page)
  await page.getByRole('button', { name: 'العربية' }).click()
  await page.getByText('أكّد عملية الدفع').waitFor()
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
  assert.equal(await shownCode(page), shown)
  await code(page).fill(shown)
  await confirm(page)
  await page.waitForURL(`${site}/thanks`)
  assert.equal(await heldOf(card), PRICE)
  await page.context().close()
})

for (const [size, viewport] of Object.entries({
  wide: WIDE,
  phone: PHONE,
  reflowed: { width: 320, height: 256 },
})) {
  for (const lang of ['en', 'ar'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      test(`axe-core finds nothing: ${size}, ${lang}, ${colorScheme}`, async () => {
        const { page } = await open({ lang, browser: { viewport, colorScheme } })
        assert.deepEqual(await faultsOfAxe(page), [])
        assert.ok((await overflowOf(page)) <= 0)
        await code(page).fill(otherThan(await shownCode(page)))
        await confirm(page)
        await page.locator('#code_fault').waitFor()
        assert.deepEqual(await faultsOfAxe(page), [])
        assert.ok((await overflowOf(page)) <= 0)
        await page.locator('[value=cancel]').click()
        await page.locator('.problem').waitFor()
        assert.deepEqual(await faultsOfAxe(page), [])
        await page.context().close()
      })
    }
  }
}
