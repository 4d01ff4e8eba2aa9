/** The simulator in a browser: one payment, the messages that follow it, and its tools. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import { assertWell, fill, press, regionOf, shape, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
stage.world.sweeper.start()

for (const { way, t, options } of WAYS) {
  const words = t.simulator
  const { email, issuer } = await makePayer(stage.world)
  const opened = await stage.open(email, '/simulator', options)
  const { page } = opened
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const decision = regionOf(page, words.decision)
  const verdict = (code: string) => decision.getByRole('status').getByText(code).waitFor()
  const sendButton = (disabled: boolean) =>
    page.getByRole('button', { name: words.send, exact: true, disabled })
  const send = () => sendButton(false).click()
  /** Each story is a visit of its own. */
  const visit = () => page.goto(`${stage.home}/console/simulator`)

  test(`a payment is approved, increased, cleared and refunded ${way}`, async () => {
    await field(words.amount).fill('20.00')
    await send()
    await verdict('0000')
    await regionOf(page, words.message).getByText('0100').first().waitFor()
    await regionOf(page, words.balances).getByText('+AED 20.00').waitFor()
    const next = regionOf(page, words.next)
    await next.getByLabel(words.how_much).fill('5')
    await next.getByRole('button', { name: words.kinds.increment, exact: true }).click()
    await next.getByText('AED 25.00').waitFor()
    await next.getByRole('button', { name: words.kinds.clear, exact: true }).click()
    await next.getByText('SETTLED').first().waitFor()
    await next.getByLabel(words.how_much).fill('10')
    await next.getByRole('button', { name: words.kinds.refund, exact: true }).click()
    await next.getByText(words.refunded, { exact: true }).waitFor()
    await next.getByText('AED 10.00').waitFor()
    const sent = regionOf(page, words.sent)
    const messages = sent.getByRole('listitem')
    await messages.nth(3).waitFor()
    assert.equal(await messages.count(), 4)
    await assertWell(opened)
    await sent.getByRole('button', { name: `${words.sent_again}: ${words.kinds.request}` }).click()
    await messages.nth(4).waitFor()
    await messages.filter({ hasText: words.kinds.refund }).getByRole('button').first().click()
    await decision.getByText('SETTLED').waitFor()
  })

  test(`a wrong PIN and a wrong cryptogram are declined and move nothing ${way}`, async () => {
    await visit()
    await press(page, words.shops.atm)
    assert.equal(await field(words.mcc).inputValue(), '6011')
    await page.getByRole('paragraph').filter({ hasText: words.mccs['6011'] }).waitFor()
    await press(page, fill(words.more_set, { count: 1 }))
    await field(words.pin).fill('12')
    await send()
    await page.getByText(words.faults.pin).waitFor()
    await assertWell(opened)
    await field(words.pin).fill('0001')
    await send()
    await verdict('1017')
    await regionOf(page, words.balances).getByText(words.balances_same).waitFor()
    await assertWell(opened)
    await field(words.pin).fill('')
    await press(page, words.shops.groceries)
    await field(words.channel).selectOption('CHIP')
    await field(words.cryptogram).selectOption('WRONG')
    await send()
    await verdict('1810')
    await field(words.cryptogram).selectOption('RIGHT')
    await send()
    await verdict('0000')
  })

  test(`what the server finds wrong stands at its field ${way}`, async () => {
    await visit()
    await field(words.country).fill('QQ')
    await send()
    await page.getByText('is not an ISO 3166 country').first().waitFor()
    assert.equal(await field(words.country).getAttribute('aria-invalid'), 'true')
    await assertWell(opened)
  })

  test(`a what-if names the largest amount that would pass and leaves nothing ${way}`, async () => {
    await visit()
    await page.getByText(words.what_if, { exact: true }).click()
    await field(words.amount).fill('100000')
    await send()
    await verdict('1016')
    await decision.getByText(shape(words.most)).waitFor()
    await regionOf(page, words.message).getByText(words.what_if_hint).waitFor()
    assert.equal(await regionOf(page, words.next).count(), 0)
    await assertWell(opened)
  })

  test(`a request is kept, run again, and opened by its address ${way}`, async () => {
    await visit()
    await press(page, words.shops.hotel)
    await field(words.amount).fill('31.25')
    await press(page, words.keep)
    await send()
    await verdict('0000')
    const address = page.url()
    assert.match(address, /amount=31.25/)
    await visit()
    const kept = page.getByRole('list', { name: words.kept, exact: true }).getByRole('listitem')
    await kept.getByRole('button', { name: new RegExp(`^${words.kept_run}: `) }).click()
    await verdict('0000')
    assert.equal(await field(words.amount).inputValue(), '31.25')
    await assertWell(opened)
    await kept.getByRole('button', { name: new RegExp(`^${words.kept_remove}: `) }).click()
    await page.getByText(words.kept_none, { exact: true }).waitFor()
    await page.goto(address)
    assert.equal(await field(words.amount).inputValue(), '31.25')
    assert.equal(await field(words.mcc).inputValue(), '7011')
  })

  test(`a request is a command of curl before it is sent, without its CVV2 ${way}`, async () => {
    await visit()
    await field(words.amount).fill('42.50')
    await page.getByText(words.command, { exact: true }).click()
    const command = page.getByRole('group', { name: 'curl', exact: true })
    await command.getByText('"amount":"42.50"').waitFor()
    await press(page, words.more)
    await field(words.cvv2).fill('731')
    await command.getByText('"cvv2":"…"').waitFor()
    await assertWell(opened)
  })

  test(`decision and balance stay in sight, and its webhooks are beside it ${way}`, async () => {
    // It is wider than its column.
    const hook = { endpoint: `https://palm.example/${'h'.repeat(100)}`, events: ['TRANSACTION'] }
    await issuer.call('POST', '/v1/webhooks', hook)
    await visit()
    await send()
    await verdict('0000')
    const caused = regionOf(page, t.payment.caused)
    await caused.getByText('TRANSACTION', { exact: true }).waitFor()
    await caused.getByText(hook.endpoint, { exact: true }).waitFor()
    const sight = regionOf(page, words.in_sight)
    await sight.getByText(words.approved, { exact: true }).waitFor()
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    const box = await sight.boundingBox()
    const { height = 0 } = page.viewportSize() ?? {}
    assert.ok(box && box.y >= 0 && box.y + box.height <= height, JSON.stringify(box))
    await assertWell(opened)
  })

  test(`a wanted outcome fills the request and chooses the card ${way}`, async () => {
    await visit()
    const outcome = field(words.outcome)
    for (const [name, code] of [
      ['funds', '1016'],
      ['chip', '1810'],
      ['expiry', '1804'],
      ['cvv2', '1022'],
      ['approved', '0000'],
    ] as const) {
      await outcome.selectOption(name)
      await sendButton(false).click()
      await verdict(code)
    }
    await outcome.selectOption('suspended')
    await page.getByText(fill(words.outcome_no_card, { status: 'SUSPENDED' })).waitFor()
    await assertWell(opened)
    const { card_id } = await issuer.card(50)
    const suspended = { status: 'SUSPENDED', status_reason_code: 'S0' }
    await issuer.call('PUT', `/v1/cards/${card_id}:statuschange`, suspended)
    await visit()
    await outcome.selectOption('suspended')
    await field(words.card).filter({ hasText: 'SUSPENDED' }).waitFor()
    await send()
    await verdict('1003')
  })

  test(`a request waits for the outcome that fills it ${way}`, async () => {
    await visit()
    const { promise: isLet, resolve: letGo } = Promise.withResolvers<void>()
    await page.route('**/cards/*/accounts*', async (route) => {
      await isLet
      await route.continue()
    })
    await field(words.outcome).selectOption('funds')
    await sendButton(true).waitFor()
    letGo()
    await send()
    await verdict('1016')
    await page.unrouteAll({ behavior: 'wait' })
  })

  test(`a card of another status is looked for ${way}`, async () => {
    await visit()
    await press(page, words.find)
    await field(t.fields.status).selectOption('TERMINATED')
    await page.getByText(words.none_found).waitFor({ state: 'attached' })
    await sendButton(true).waitFor()
    await regionOf(page, words.balances).getByText(words.no_balances).waitFor()
    await assertWell(opened)
    await press(page, words.find_less)
    await sendButton(false).waitFor()
  })
}
