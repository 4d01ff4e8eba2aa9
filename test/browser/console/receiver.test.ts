/** Trying webhooks: a receiver that shows what arrives, and answers as it is set. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asker } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  FAR,
  fill,
  press,
  regionOf,
  shape,
  submit,
  titled,
  WAYS,
} from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world } = stage
world.sweeper.start()
const AT_ONCE = { webhook_retry_seconds: [1, 1, 1, 1, 1], allow_private_endpoints: true }

async function makeOwner() {
  const tenant = await world.otherTenant(AT_ONCE)
  const { email } = await memberWith(world, 'owner', tenant.id)
  return { tenant, email }
}

for (const { way, t, options } of WAYS) {
  const words = t.receiver
  const { email } = await makeOwner()
  const opened = await stage.open(email, '/webhooks', options)
  const { page } = opened
  const newest = page
    .getByRole('list', { name: words.requests, exact: true })
    .getByRole('listitem')
    .first()
  const shows = (text: string) => newest.getByText(text).first().waitFor()
  const sendTest = async () => {
    await press(page, words.test_event)
    await submit(dialogOf(page, words.test_event), words.test_event)
  }
  const answers = async (mode: 'ok' | 'fail' | 'gone') => {
    const radio = page.getByRole('radio', { name: words.modes[mode], exact: true })
    await radio.click()
    await radio.and(page.locator(':enabled')).waitFor()
  }

  test(`one press makes a receiver and a webhook to it, by two calls, ${way}`, async () => {
    await press(page, words.try)
    const dialog = dialogOf(page, words.try)
    await assertWell(opened)
    const made: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') made.push(new URL(request.url()).pathname)
    })
    await submit(dialog, words.try_submit)
    await titled(page, words.title)
    assert.deepEqual(made, ['/v1/simulate/webhookreceivers', '/v1/webhooks'])
    await page.getByText(words.waiting, { exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`a delivery appears as it arrives, with its signature verified, ${way}`, async () => {
    await sendTest()
    await shows('PING')
    await shows(words.verified)
    await shows(fill(words.answered, { status: 200 }))
    await shows('webhook-signature: v1,')
    await assertWell(opened)
  })

  test(`a delivery that it fails is tried again, and delivered once it accepts, ${way}`, async () => {
    await answers('fail')
    await sendTest()
    await shows(fill(words.answered, { status: 500 }))
    await answers('ok')
    await newest.getByText(shape(words.attempt)).waitFor()
    await shows(fill(words.answered, { status: 200 }))
    await assertWell(opened)
  })

  test(`410 disables the webhook, and the page says so, ${way}`, async () => {
    await answers('gone')
    await sendTest()
    await page.getByText(words.disabled, { exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`it is deleted, and its webhook stays, ${way}`, async () => {
    await press(page, words.delete)
    await submit(dialogOf(page, words.delete), words.delete)
    await titled(page, t.pages.webhooks)
    await page.getByText('/sandbox/receivers/').first().waitFor()
    await assertWell(opened)
  })
}

test(`a receiver fits ${FAR.way}`, async () => {
  const { tenant, email } = await makeOwner()
  const ask = asker(world, tenant.api_key)
  const receiver = await ask('POST', '/v1/simulate/webhookreceivers', {})
  const subscription = { endpoint: receiver.url, events: ['USER_CREATED'] }
  const webhook = await ask('POST', '/v1/webhooks', subscription)
  await ask('POST', `/v1/webhooks/${webhook.id}:ping`)
  const opened = await stage.open(email, `/webhooks/receivers/${receiver.id}`, FAR.options)
  await regionOf(opened.page, FAR.t.receiver.requests).getByText('PING').first().waitFor()
  await assertWell(opened)
})
