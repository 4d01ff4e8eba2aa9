/** Requests to the organization's own servers: settings, the responder, webhooks. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMerchant } from '#test/support/contract/belongings.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'
import { openConsole } from './stage.ts'
import { assertWell, dialogOf, goTo, headed, press, regionOf, submit, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world } = stage
world.sweeper.start()
const receiver = keep(await openReceiver())
const AT_ONCE = { webhook_retry_seconds: [1, 1, 1, 1, 1], allow_private_endpoints: true }

for (const { way, t, options } of WAYS) {
  const tenant = await world.otherTenant(AT_ONCE)
  const { email } = await memberWith(world, 'owner', tenant.id)
  const opened = await stage.open(email, '/events', options)
  const { page } = opened

  test(`Events shows what happens while it is open ${way}`, async () => {
    await page.getByText(t.events.none, { exact: true }).waitFor()
    await assertWell(opened)
    const person = { first_name: 'Noura', last_name: 'Haddad' }
    const { body } = await world.request('POST', '/v1/users', person, { key: tenant.api_key })
    const row = page.locator('tbody tr').filter({ hasText: body.id.slice(-12) })
    await row.getByText('USER_CREATED').waitFor()
    await press(page, t.events.pause)
    await page.getByRole('status').getByText(t.events.paused).waitFor()
    await assertWell(opened)
    await row.getByRole('button').click()
    await dialogOf(page, 'USER_CREATED').getByText(body.id).waitFor()
    await assertWell(opened)
    await page.keyboard.press('Escape')
  })

  test(`a setting is changed, and one that is wrong is refused, ${way}`, async () => {
    await goTo(page, '/settings', t.pages.settings)
    await assertWell(opened)
    await press(page, `${t.settings.change}: ${t.settings.names.hold_days}`)
    const dialog = dialogOf(page, t.settings.change)
    const field = dialog.getByLabel(t.settings.names.hold_days)
    await field.fill('-3')
    await dialog.getByRole('button', { name: t.actions.save }).click()
    await dialog.getByText(t.states.rejected).waitFor()
    await assertWell(opened)
    await field.fill('5')
    await submit(dialog, t.actions.save)
    const terms = page.getByRole('term').filter({ hasText: t.settings.names.hold_days })
    await terms.locator('xpath=following-sibling::dd').getByText('5', { exact: true }).waitFor()
  })

  test(`a responder is set up, asked once and removed ${way}`, async () => {
    const issuer = await openIssuer(world, tenant)
    await issuer.card(50)
    await goTo(page, '/settings', t.pages.settings)
    await press(page, t.responder.set_up)
    const dialog = dialogOf(page, t.responder.set_up)
    await dialog.getByLabel(t.responder.url, { exact: true }).last().fill(receiver.url)
    await assertWell(opened)
    await submit(dialog, t.actions.save)
    const shown = dialogOf(page, t.responder.secret_title)
    assert.match(
      await shown.getByLabel(t.responder.secret, { exact: true }).inputValue(),
      /^whsec_/,
    )
    await assertWell(opened)
    await submit(shown, t.actions.close)
    receiver.answer((response) =>
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ approved: true })),
    )
    await press(page, t.responder.test)
    const asking = dialogOf(page, t.responder.test)
    await asking.getByRole('option').first().waitFor({ state: 'attached' })
    await submit(asking, t.responder.send_test)
    await page.getByText('PENDING 0000').waitFor()
    await assertWell(opened)
    await press(page, t.responder.remove)
    await submit(dialogOf(page, t.responder.remove), t.responder.remove)
    await page.getByText(t.responder.none).waitFor()
  })

  test(`a delivery is tried again, resent and signed with another secret ${way}`, async () => {
    await goTo(page, '/webhooks', t.pages.webhooks)
    await page.getByText(t.webhooks.none, { exact: true }).waitFor()
    await press(page, t.webhooks.create)
    const dialog = dialogOf(page, t.webhooks.create)
    await dialog.getByLabel(t.webhooks.endpoint).fill('ftp://palm.example')
    await dialog.getByLabel(t.webhooks.username).fill('bezant')
    await dialog.getByLabel(t.webhooks.password, { exact: true }).fill('four loud harbours')
    await press(page, t.webhooks.create_submit)
    await dialog.getByText(t.states.rejected).waitFor()
    await assertWell(opened)
    await submit(dialog, t.actions.cancel)
    await press(page, t.api.button)
    const drawer = dialogOf(page, t.api.title)
    const made = drawer.getByRole('group').filter({ hasText: '-X POST' })
    assert.match(String(await made.textContent()), /"basic_auth_password":"…"/)
    await submit(drawer, t.api.close)
    await press(page, t.webhooks.create)
    await dialog.getByLabel(t.webhooks.endpoint).fill(receiver.url)
    await submit(dialog, t.webhooks.create_submit)
    const shown = dialogOf(page, t.webhooks.secret_title)
    const secret = shown.getByLabel(t.webhooks.secret, { exact: true })
    const first = await secret.inputValue()
    await assertWell(opened)
    await submit(shown, t.actions.close)

    await page.getByText(t.webhooks.no_deliveries, { exact: true }).waitFor()
    const before = receiver.received.length
    receiver.answer(500)
    await press(page, t.webhooks.ping)
    await submit(dialogOf(page, t.webhooks.ping), t.webhooks.ping)
    await until('the first attempt', () => receiver.received.length > before)
    receiver.answer(200)
    await page.getByRole('link', { name: 'PING' }).click()
    await page.getByRole('heading', { level: 1 }).getByText('DELIVERED').waitFor()
    const attempts = regionOf(page, t.webhooks.attempts).locator('ol > li')
    assert.equal(await attempts.count(), 2)
    await assertWell(opened)
    await press(page, t.webhooks.resend)
    await submit(dialogOf(page, t.webhooks.resend), t.webhooks.resend)
    await attempts.nth(2).waitFor()

    await page.goBack()
    await press(page, t.webhooks.rotate)
    await submit(dialogOf(page, t.webhooks.rotate), t.webhooks.rotate)
    const second = await secret.inputValue()
    assert.match(second, /^whsec_/)
    assert.notEqual(second, first)
    await submit(shown, t.actions.close)
    await assertWell(opened)
    assert.ok(!(await page.content()).includes(second))
  })

  test(`an endpoint of the shop is added, changed, tested, stopped and deleted ${way}`, async () => {
    await createMerchant(world, tenant.id)
    await goTo(page, '/orders', t.pages.orders)
    await page.getByRole('link', { name: t.pages.endpoints, exact: true }).click()
    await page.getByText(t.orders.endpoints.none, { exact: true }).waitFor()
    await press(page, t.orders.endpoints.create)
    const adding = dialogOf(page, t.orders.endpoints.create)
    await adding.getByLabel(t.webhooks.endpoint).fill(receiver.url)
    await assertWell(opened)
    await submit(adding, t.orders.endpoints.create_submit)
    const shown = dialogOf(page, t.webhooks.secret_title)
    const secret = shown.getByLabel(t.webhooks.secret, { exact: true })
    const first = await secret.inputValue()
    await submit(shown, t.actions.close)

    await page.getByText(t.webhooks.no_deliveries, { exact: true }).waitFor()
    await press(page, t.webhooks.ping)
    await submit(dialogOf(page, t.webhooks.ping), t.webhooks.ping)
    await page.getByRole('link', { name: 'PING' }).click()
    await page.getByRole('heading', { level: 1 }).getByText('DELIVERED').waitFor()
    await assertWell(opened)
    await press(page, t.webhooks.resend)
    await submit(dialogOf(page, t.webhooks.resend), t.webhooks.resend)
    await regionOf(page, t.webhooks.attempts).locator('ol > li').nth(1).waitFor()

    await page.goBack()
    const address = page.url()
    await goTo(page, '/events', t.pages.events)
    const pings = page.locator('tbody tr').filter({ hasText: 'PING' })
    await pings
      .filter({ hasText: address.slice(-12) })
      .getByRole('link')
      .click()
    await page.waitForURL(address)
    await press(page, t.webhooks.change)
    const changing = dialogOf(page, t.webhooks.change)
    await changing.getByLabel('PAYOUT_PAID').uncheck()
    await submit(changing, t.actions.save)
    const history = regionOf(page, t.history.title)
    await history.getByText(t.history.operations.createEndpoint, { exact: true }).waitFor()
    const facts = regionOf(page, t.webhooks.facts)
    await facts.getByText('PAYOUT_PAID').waitFor({ state: 'detached' })
    await press(page, t.webhooks.rotate)
    await submit(dialogOf(page, t.webhooks.rotate), t.webhooks.rotate)
    assert.notEqual(await secret.inputValue(), first)
    await submit(shown, t.actions.close)
    await press(page, t.webhooks.disable)
    await submit(dialogOf(page, t.webhooks.disable), t.webhooks.disable)
    await headed(page, 'DISABLED')
    await assertWell(opened)
    await press(page, t.webhooks.enable)
    await submit(dialogOf(page, t.webhooks.enable), t.webhooks.enable)
    await headed(page, 'ACTIVE')
    await press(page, t.webhooks.delete)
    await submit(dialogOf(page, t.webhooks.delete), t.webhooks.delete)
    await page.getByText(t.orders.endpoints.none, { exact: true }).waitFor()
    await assertWell(opened)
  })
}
