/** The payment page in a browser: entered values, and a page that goes on by itself. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withBoundPorts } from '#src/config/config.ts'
import { openLossyLine } from '#test/e2e/lossy.ts'
import { openShop } from '#test/e2e/shop.ts'
import { openContexts } from '#test/support/browser.ts'
import { keeper } from '#test/support/keeper.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'

const keep = keeper()
const shop = keep(await openShop())
shop.sweeper.start()
const line = keep(await openLossyLine(shop.issuer_port))
const home = await shop.app.listen({ host: '127.0.0.1', port: 0 })
const ports = { port: Number(new URL(home).port), network_port: line.port }
shop.bind(withBoundPorts(shop.config, ports))
const browser = keep(await openContexts())
const card = await shop.customer(1_000_000n)
const [month = '', year = ''] = card.expiry.split('/')

async function openPage(javaScriptEnabled: boolean) {
  const viewport = { width: 375, height: 720 }
  const page = await (await browser.newContext({ javaScriptEnabled, viewport })).newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const { checkout_url } = await shop.checkout({ confirm_callback_url: `${home}/healthz` })
  await page.goto(checkout_url)
  return page
}

describe('the expiry date', () => {
  const ways = [`${month}/${year}`, month + year, `${month} / ${year}`, `${month}/20${year}`]
  for (const [how, script] of [
    ['with a script', true],
    ['without', false],
  ] as const) {
    for (const text of ways) {
      test(`may be typed as ${text}, ${how}`, async () => {
        const page = await openPage(script)
        await page.locator('#card_number').pressSequentially(card.card_number)
        await page.locator('#expiry').pressSequentially(text)
        assert.doesNotMatch(await page.locator('#expiry').inputValue(), /\/.*\//)
        await page.locator('#cvv2').pressSequentially(card.cvv2)
        await page.locator('button').click()
        await page.waitForURL('**/healthz')
        await page.close()
      })
    }
  }
})

for (const [how, script] of [
  ['with a script', true],
  ['without', false],
] as const) {
  test(`a payment that is being checked goes on by itself, ${how}`, async () => {
    const page = await openPage(script)
    line.altered.set('0110', '91')
    await page.locator('#card_number').fill(card.card_number)
    await page.locator('#expiry').fill(card.expiry)
    await page.locator('#cvv2').fill(card.cvv2)
    await page.locator('button').click()
    await page.getByText('being checked').waitFor()
    await page.getByText('You have not been charged').waitFor()
    line.altered.clear()
    await page.close()
  })
}
