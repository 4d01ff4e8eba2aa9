/** Trying webhooks: a receiver that shows what arrives, and answers as it is set. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { faultsOfAxe, openConsole, overflowOf } from './stage.ts'

const keep = keeper()
const stage = keep(await openConsole())
stage.world.sweeper.start()
const opened = await stage.openPage({ viewport: { width: 1440, height: 900 } })
keep({ close: () => opened.context.close() })
const { page, context, faults } = opened
const email = await stage.signUp(page)
await context.request.put(`${stage.home}/v1/tenantsettings`, {
  headers: { origin: stage.home },
  data: { webhook_retry_seconds: [1, 1, 1, 1, 1] },
})

const requests = page.getByRole('list', { name: 'Requests' }).getByRole('listitem')
const newest = requests.first()
const sendTest = async () => {
  await page.getByRole('button', { name: 'Send a test event' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Send a test event' }).click()
  await dialog.waitFor({ state: 'hidden' })
}
const answers = async (name: string) => {
  const radio = page.getByRole('radio', { name })
  await radio.click()
  await radio.and(page.locator(':enabled')).waitFor()
}
const shows = (text: string) => newest.getByText(text).first().waitFor()

test('one press makes a receiver and a webhook to it, by two calls that the drawer shows', async () => {
  await page.goto(`${stage.home}/console/webhooks`)
  await page.getByRole('button', { name: 'Try it' }).click()
  const made: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') made.push(new URL(request.url()).pathname)
  })
  await page.getByRole('button', { name: 'Create receiver and webhook' }).click()
  await page.getByRole('heading', { name: 'Receiver', level: 1 }).waitFor()
  assert.deepEqual(made, ['/v1/simulate/webhookreceivers', '/v1/webhooks'])
  await page.getByText('Waiting for the first request').waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
})

test('a delivery appears as it arrives, with its signature verified', async () => {
  await sendTest()
  await shows('PING')
  await shows('Signature verified')
  await shows('answered 200')
  await shows('webhook-signature: v1,')
})

test('a delivery that it fails is tried again, and delivered once it accepts', async () => {
  await answers('Fail')
  await sendTest()
  await shows('answered 500')
  await answers('Accept')
  await newest.getByText(/^Attempt \d$/).waitFor()
  await shows('answered 200')
  assert.deepEqual(await faultsOfAxe(page), [])
})

test('410 disables the webhook, and the page says so', async () => {
  await answers('Gone')
  await sendTest()
  await page.getByText('The webhook is disabled').waitFor()
})

test('it fits a phone, in Arabic too', async () => {
  for (const locale of ['en', 'ar']) {
    const phone = await stage.openPage({ viewport: { width: 390, height: 844 }, locale })
    const { pathname } = new URL(page.url())
    await stage.signIn(phone, email, pathname.replace('/console', ''))
    await phone.page.getByText('PING').first().waitFor()
    assert.ok((await overflowOf(phone.page)) <= 0)
    assert.deepEqual(await faultsOfAxe(phone.page), [])
    assert.deepEqual(phone.faults, [])
    await phone.context.close()
  }
})

test('it is listed with the webhooks, and deleted', async () => {
  await page.getByRole('button', { name: 'Delete receiver' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete receiver' }).click()
  await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
  await page.getByText('/sandbox/receivers/').first().waitFor()
  assert.deepEqual(faults, [])
})
