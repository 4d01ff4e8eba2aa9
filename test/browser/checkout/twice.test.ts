/** One payment and no more: double submits, the way back, a second tab, a frame. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Frame, Page } from 'playwright-core'
import { keeper } from '#test/support/keeper.ts'
import { arrived, openStage, pay, type } from './stage.ts'

const stage = keeper()(await openStage())
const { shop, site, poor } = stage
const PRICE = 10_050n
const customer = () => shop.customer(100_000n)
const heldOf = async (card: Awaited<ReturnType<typeof customer>>) => (await shop.account(card)).held

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with a script' : 'without'
  test(`a double click pays once, ${how}`, async () => {
    const card = await customer()
    const { page } = await stage.open({ browser: { javaScriptEnabled } })
    await type(page, card)
    await page.locator('button').dblclick()
    await arrived(page, `${site}/thanks`)
    assert.equal(await heldOf(card), PRICE)
    await page.context().close()
  })
}

test('the way back from the shop after a payment leads to the shop again', async () => {
  const card = await customer()
  const { page } = await stage.open()
  await type(page, card)
  await pay(page)
  await page.waitForURL(`${site}/thanks`)
  await page.goBack()
  await page.waitForURL(`${site}/thanks`)
  assert.equal(await heldOf(card), PRICE)
  await page.context().close()
})

test('who goes back to the shop unpaid may return and pay, with empty fields', async () => {
  const card = await customer()
  const { page } = await stage.open()
  await type(page, card)
  await page.getByText('Back to the shop').click()
  await page.waitForURL(`${site}/basket`)
  await page.goBack()
  await page.locator('#card_number').waitFor()
  assert.equal(await page.locator('#card_number').inputValue(), '')
  assert.equal(await page.locator('#cvv2').inputValue(), '')
  await type(page, card)
  await pay(page)
  await page.waitForURL(`${site}/thanks`)
  await page.context().close()
})

describe('a second tab of one checkout', () => {
  async function secondOf(page: Page): Promise<Page> {
    const second = await page.context().newPage()
    await second.goto(page.url())
    return second
  }

  test('that is sent after the payment leads to the shop and pays nothing', async () => {
    const card = await customer()
    const { page } = await stage.open()
    const second = await secondOf(page)
    for (const tab of [page, second]) {
      await type(tab, card)
      await pay(tab)
      await tab.waitForURL(`${site}/thanks`)
    }
    assert.equal(await heldOf(card), PRICE)
    await page.context().close()
  })

  test('that is sent after a decline states that its card was not used', async () => {
    const card = await customer()
    const { page } = await stage.open()
    const second = await secondOf(page)
    await type(page, poor)
    await pay(page)
    await page.getByText('two tries left').waitFor()
    await type(second, card)
    await pay(second)
    await second.getByText('was not used').waitFor()
    assert.equal(await heldOf(card), 0n)
    await page.context().close()
  })
})

describe('in a frame of the shop', () => {
  /** A message comes to the page of the shop by another way than the next page to its frame. */
  const received = async (page: Page) => {
    await page.waitForFunction('received.length > 0')
    return page.evaluate('received') as Promise<
      { status: string; confirmUrl: string; func: string }[]
    >
  }

  async function framed(): Promise<{ page: Page; frame: Frame }> {
    const { page } = await stage.open()
    await page.goto(`${site}/frame?${new URLSearchParams({ url: page.url() })}`)
    const frame = page.frames().at(-1)
    assert.ok(frame)
    await frame.locator('#card_number').waitFor()
    return { page, frame }
  }

  test('the page sends one message of the payment and goes on to the shop', async () => {
    const card = await customer()
    const { page, frame } = await framed()
    await frame.locator('#card_number').fill(card.card_number)
    await frame.locator('#expiry').fill(card.expiry)
    await frame.locator('#cvv2').fill(card.cvv2)
    await frame.locator('button').click()
    await frame.waitForURL(`${site}/thanks`)
    const messages = await received(page)
    assert.deepEqual(
      messages.map(({ status, confirmUrl, func }) => [status, confirmUrl, func]),
      [['SUCCESS', `${site}/thanks`, 'closeIFrameOnCompleteOrder']],
    )
    assert.equal(await heldOf(card), PRICE)
    await page.context().close()
  })

  test('the way back to the shop is a message too', async () => {
    const { page, frame } = await framed()
    await frame.getByText('Back to the shop').click()
    await frame.waitForURL(`${site}/basket`)
    assert.deepEqual(
      (await received(page)).map(({ status }) => status),
      ['FAILED'],
    )
    await page.context().close()
  })

  test('no page of another site shows it', async () => {
    const { page } = await stage.open({ fields: urlsOf('http://shop.example') })
    await page.goto(`${site}/frame?${new URLSearchParams({ url: page.url() })}`)
    const frame = page.frames().at(-1)
    assert.equal(await frame?.locator('#card_number').count(), 0)
    await page.context().close()
  })
})

const urlsOf = (origin: string) => ({
  confirm_callback_url: `${origin}/thanks`,
  reject_callback_url: `${origin}/basket`,
})
