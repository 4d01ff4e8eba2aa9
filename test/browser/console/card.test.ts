/** The page of a card: spending against its limits, and why payments were declined. */

import { test } from 'node:test'
import { asker } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { openConsole } from './stage.ts'
import { assertWell, FAR, fill, regionOf, rowsOf, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage

for (const { way, t, options } of WAYS.includes(FAR) ? WAYS : [...WAYS, FAR]) {
  test(`a card shows what its limit leaves and until when, and declines in words, ${way}`, async () => {
    const opened = await stage.openPage(options)
    const { page, context } = opened
    await stage.signUp(page, t)
    const key = await page.getByLabel(t.account.key, { exact: true }).inputValue()
    const ask = asker(world, key)
    const [product] = (await ask('GET', '/v1/cardproducts')).data
    const user = await ask('POST', '/v1/users', { first_name: 'Layla', last_name: 'Aziz' })
    const order = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' }
    const card = await ask('POST', '/v1/cards', order)
    if (card.status !== 'ACTIVE') {
      const active = { status: 'ACTIVE', status_reason_code: 'A0' }
      await ask('PUT', `/v1/cards/${card.id}:statuschange`, active)
    }
    const { currency } = product
    await ask('POST', `/v1/accounts/${card.account_id}:loadfunds`, { currency, amount: 900 })
    const limit = await ask('POST', '/v1/velocitylimits', {
      description: 'A day',
      type: 'CUMULATIVE',
      period: 'DAILY',
      currency,
      max_amount: 500,
      transaction_scope: ['ALL'],
    })
    await ask('POST', `/v1/cards/${card.id}/velocitylimits:link`, { ids: [limit.id] })
    for (const amount of [120, 600]) {
      const purchase = { card_id: card.id, amount, currency }
      await ask('POST', '/v1/simulate/authorizations', purchase)
    }
    await page.goto(`${home}/console/cards/${card.id}`)
    const limits = rowsOf(page, t.limits.velocity).first()
    const words = { spent: `${currency}\u00a0120.00`, most: `${currency}\u00a0500.00` }
    await limits.getByText(fill(t.limits.spent, words), { exact: true }).waitFor()
    await limits.getByText(`${currency}\u00a0380.00`, { exact: true }).waitFor()
    await limits.getByText(t.limits.until).waitFor()
    const declined = rowsOf(page, t.pages.transactions).filter({ hasText: 'DECLINED' })
    const [, declines] = await Promise.all([
      declined.first().waitFor(),
      ask('GET', `/v1/transactions?card_id=${card.id}&status=DECLINED`),
    ])
    await declined.getByText(declines.data[0].status_description, { exact: true }).waitFor()
    await page.getByText(t.shell.sandbox).waitFor()
    await regionOf(page, t.limits.velocity).scrollIntoViewIfNeeded()
    await assertWell(opened)
    await context.close()
  })
}
