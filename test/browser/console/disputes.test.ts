/** Disputes in the console: from the payment to its end, and the queue of those that wait. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asker } from '#test/support/contract/belongings.ts'
import { pdf } from '#test/support/files.ts'
import { keeper } from '#test/support/keeper.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import { assertWell, dialogOf, FAR, goTo, press, regionOf, rowsOf, submit, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage

/** A member of a tenant with settled payments of these amounts, newest last. */
async function makePayments(amounts: readonly number[]) {
  const { issuer, card, email, tenant } = await makePayer(world)
  const paid: string[] = []
  for (const amount of amounts) {
    const sale = { card_id: card.card_id, currency: 'AED', amount }
    const { body } = await issuer.call('POST', '/v1/simulate/authorizations', sale)
    await issuer.call('POST', `/v1/simulate/authorizations/${body.id}:clear`)
    paid.push(body.id)
  }
  return { paid, email, tenant, ask: asker(world, tenant.api_key) }
}

for (const { way, t, options } of new Set([...WAYS, FAR])) {
  const { paid, email, tenant, ask } = await makePayments([120, 60, 40])
  const [first = '', second = '', third = ''] = paid
  const words = t.disputes
  const opened = await stage.open(email, '/home', options)
  const { page } = opened

  test(`a dispute is opened at its payment, shown with evidence, and submitted ${way}`, async () => {
    await goTo(page, '/disputes', t.pages.disputes)
    await page.getByText(words.none, { exact: true }).waitFor()
    await page.getByText(words.queue_none, { exact: true }).waitFor()
    await assertWell(opened)
    await page.goto(`${home}/console/transactions/${first}`)
    await press(page, words.open)
    const dialog = dialogOf(page, words.open)
    await dialog.getByLabel(words.reason).selectOption('DUPLICATE')
    await dialog.getByLabel(words.explanation).fill('Paid twice')
    await assertWell(opened)
    await submit(dialog, words.open)
    await regionOf(page, words.evidence).getByText('Paid twice').waitFor()
    await regionOf(page, words.transaction).getByText(first).waitFor()
    await press(page, words.edit)
    const edit = dialogOf(page, words.edit)
    await edit.getByLabel(words.evidence_names.other_transaction).fill('The day before, in cash')
    await submit(edit, t.actions.save)
    await regionOf(page, words.evidence).getByText('The day before, in cash').waitFor()
    await press(page, t.reviews.upload)
    const upload = dialogOf(page, t.reviews.upload)
    const receipt = { name: 'receipt.pdf', mimeType: 'application/pdf', buffer: pdf() }
    await upload.locator('input[type=file]').setInputFiles(receipt)
    await assertWell(opened)
    await submit(upload, t.reviews.upload)
    await regionOf(page, words.files).getByText('receipt.pdf').first().waitFor()
    await assertWell(opened)
    await page.locator('body').press('s')
    await submit(dialogOf(page, words.moves.submit), words.moves.submit)
    await page.getByRole('heading', { level: 1 }).getByText('SUBMITTED').waitFor()
    await regionOf(page, words.history).getByText(words.steps.SUBMIT, { exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: words.edit, exact: true }).count(), 0)
    await assertWell(opened)
    await page.goto(`${home}/console/transactions/${first}`)
    await rowsOf(page, words.of_transaction).getByText('SUBMITTED').waitFor()
    await assertWell(opened)
  })

  test(`the queue has what waits for the issuer, the next deadline first, ${way}`, async () => {
    const claim = { reason: 'NOT_RECEIVED', explanation: 'Never came' }
    const opens = (transaction_id: string) =>
      ask('POST', '/v1/disputes', { ...claim, transaction_id })
    const draft = await opens(second)
    const represented = await opens(third)
    await ask('POST', `/v1/disputes/${represented.id}:submit`, {})
    await ask('POST', `/v1/simulate/disputes/${represented.id}:represent`, {})
    await page.goto(`${home}/console/disputes`)
    const rows = rowsOf(page, words.queue)
    await rows.nth(1).getByRole('link').waitFor()
    const links = await rows.getByRole('link').evaluateAll((all) => all.map(String))
    const ids = links.map((link) => new URL(link).pathname.split('/').at(-1))
    assert.deepEqual(ids, [represented.id, draft.id])
    await assertWell(opened)
    await rows.first().getByRole('link').click()
    await press(page, words.moves.accept)
    await submit(dialogOf(page, words.moves.accept), words.moves.accept)
    await page.getByRole('heading', { level: 1 }).getByText('ACCEPTED').waitFor()
    await goTo(page, '/disputes', t.pages.disputes)
    await rows.nth(1).waitFor({ state: 'detached' })
    await rows.getByRole('link').waitFor()
  })

  test(`a viewer sees a dispute, and is offered no step of it, ${way}`, async () => {
    const [dispute] = (await ask('GET', '/v1/disputes?status=DRAFT')).data
    const viewer = await memberWith(world, 'viewer', tenant.id)
    const theirs = await stage.open(viewer.email, `/disputes/${dispute.id}`, options)
    await regionOf(theirs.page, words.evidence).getByText('Never came').waitFor()
    for (const name of [words.edit, t.reviews.upload, words.moves.submit, words.moves.withdraw]) {
      assert.equal(await theirs.page.getByRole('button', { name, exact: true }).count(), 0)
    }
    await assertWell(theirs)
    await theirs.context.close()
  })
}
