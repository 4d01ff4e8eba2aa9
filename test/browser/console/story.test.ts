/** The console in a browser: from an account to an approved payment. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { PASSWORD, someEmail } from '#test/support/portal/browser.ts'
import { faultsOfAxe, openConsole } from './stage.ts'

const keep = keeper()
const { home, openPage, signUp } = keep(await openConsole())

/** Four presses of First steps lead to an approved payment, within two minutes of a start. */
const PAYMENT = 'Pay in a shop'
const STEPS = [
  ...['Create a user', 'Issue a card and activate it', 'Load funds', PAYMENT],
  'See the decision',
]

for (const [width, height] of [
  [390, 844],
  [1440, 900],
] as const) {
  test(`a person signs up and sees an approved payment at ${width} pixels`, async () => {
    const { page, context, faults } = await openPage({ viewport: { width, height } })
    await signUp(page)
    const key = page.getByLabel('API key', { exact: true })
    assert.match(await key.inputValue(), /^\S{20,}$/)
    assert.equal(await key.isEditable(), false)
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    for (const [done, step] of STEPS.entries()) {
      await page.getByRole('button', { name: `Run ${step}`, exact: true }).click()
      await page
        .getByText(`${done + 1} of 5 done`)
        .first()
        .waitFor()
      const own = page.getByRole('listitem').filter({ hasText: step }).first()
      await own.getByText('What changed').waitFor()
      await own.getByRole('group', { name: 'Request', exact: true }).waitFor()
      await own.getByRole('group', { name: 'Response', exact: true }).waitFor()
      if (step === PAYMENT) await own.getByText('The engine answered 0000').waitFor()
    }
    await page.getByText('Nothing changed').waitFor()
    assert.deepEqual(await faultsOfAxe(page), [])
    await page.goto(`${home}/console/simulator`)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('region', { name: 'Decision' }).getByText('0000').first().waitFor()
    await page.getByRole('region', { name: 'Message' }).waitFor()
    await page.getByRole('link', { name: 'Open the transaction' }).click()
    await page.getByRole('heading', { name: 'Decision path' }).waitFor()
    assert.deepEqual(await faultsOfAxe(page), [])
    assert.deepEqual(faults, [])
    await context.close()
  })
}

test('Sign in says the same of a wrong password and of an unknown address', async () => {
  const { page, context } = await openPage()
  await page.goto(`${home}/console/sign-in`)
  await page.getByLabel('E-mail').fill(someEmail())
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The e-mail or the password is wrong.').waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
  await context.close()
})

test('the policy allows no inline code, and assets are kept for ever', async () => {
  const answer = await fetch(`${home}/console/home`)
  const policy = String(answer.headers.get('content-security-policy'))
  assert.ok(!policy.includes('unsafe'), policy)
  const [asset] = /\/console\/assets\/[\w.-]+\.js/.exec(await answer.text()) ?? []
  const { headers } = await fetch(`${home}${asset}`)
  assert.match(String(headers.get('cache-control')), /immutable/)
})
