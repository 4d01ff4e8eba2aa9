/** The console in a browser: from an account to an approved payment. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { PASSWORD, someEmail } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import { assertWell, fill, press, regionOf, shape, titled, WAYS } from './ways.ts'

const keep = keeper()
const { begin, home, openPage, signUp } = keep(await openConsole())

const STEPS = ['user', 'card', 'load', 'purchase', 'decision'] as const

for (const { way, t, options } of WAYS) {
  const opened = await openPage(options)
  const { page } = opened

  test(`a person signs up and sees an approved payment ${way}`, async () => {
    await signUp(page, t)
    const key = page.getByLabel(t.account.key, { exact: true })
    assert.match(await key.inputValue(), /^\S{20,}$/)
    assert.equal(await key.isEditable(), false)
    await page.getByRole('button', { name: t.actions.copy }).waitFor()
    await page.getByRole('link', { name: t.actions.continue }).click()
    await titled(page, t.pages.first_steps)
    for (const [done, step] of STEPS.entries()) {
      const { title } = t.steps[step]
      await press(page, `${t.actions.run} ${title}`)
      const progress = fill(t.steps.progress, { done: done + 1, all: STEPS.length })
      await page.getByRole('status').getByText(progress, { exact: true }).waitFor()
      const own = page.getByRole('listitem').filter({ hasText: title }).first()
      await own.getByText(t.steps.changed, { exact: true }).waitFor()
      await own.getByRole('group', { name: t.steps.request, exact: true }).waitFor()
      await own.getByRole('group', { name: t.steps.response, exact: true }).waitFor()
      if (step === 'purchase') await own.getByRole('status').getByText('0000').waitFor()
    }
    await page.getByText(shape(t.steps.decision.result)).waitFor()
    await assertWell(opened)
    await page.getByRole('link', { name: t.steps.open_simulator }).click()
    await press(page, t.simulator.send)
    await regionOf(page, t.simulator.decision).getByText('0000').first().waitFor()
    await regionOf(page, t.simulator.message).getByText('0100').first().waitFor()
    await page.getByRole('link', { name: t.simulator.transaction }).click()
    await page.getByRole('heading', { name: t.transactions.path, exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`Sign in says the same of a wrong password and of an unknown address ${way}`, async () => {
    await begin(page)
    await page.getByLabel(t.account.email).fill(someEmail())
    await page.getByLabel(t.account.password, { exact: true }).fill(PASSWORD)
    await press(page, t.account.sign_in)
    await page.getByText(t.account.wrong).waitFor()
    await assertWell(opened)
  })
}

test('the policy allows no inline code, and assets are kept for ever', async () => {
  const answer = await fetch(`${home}/console/home`)
  const policy = String(answer.headers.get('content-security-policy'))
  assert.ok(!policy.includes('unsafe'), policy)
  const [asset] = /\/console\/assets\/[\w.-]+\.js/.exec(await answer.text()) ?? []
  const { headers } = await fetch(`${home}${asset}`)
  assert.match(String(headers.get('cache-control')), /immutable/)
})
