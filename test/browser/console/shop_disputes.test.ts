/** The shop's disputes in the console, from the sign-in to the answer. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { capture, createMerchant } from '#test/support/contract/belongings.ts'
import { pdf } from '#test/support/files.ts'
import { keeper } from '#test/support/keeper.ts'
import { buy, listenForCards } from '#test/support/network/purchases.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import { assertWell, dialogOf, FAR, goTo, press, regionOf, rowsOf, submit, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
keep(await listenForCards(world, Number(new URL(home).port)))

/** A shop of which two captured orders are charged back; the one that is to be answered first. */
async function makeShop() {
  const { tenant, issuer, card, email } = await makePayer(world, { pci_compliant: true })
  const { merchant, ids } = await createMerchant(world, tenant.id)
  const { body } = await issuer.call('GET', `/v1/cards/${card.card_id}:reveal`)
  const { now } = await world.ctx(tenant.id)
  const charged: { reference: string; id: string }[] = []
  for (const [reason, days] of [
    ['NOT_RECEIVED', 20],
    ['FRAUD', 5],
  ] as const) {
    const reference = await buy(world, merchant.token, body)
    await capture(world, merchant, reference)
    const respond_by = new Date(now.getTime() + days * 86_400_000).toISOString()
    const taken = { merchant_id: ids.merchant, reference, reason, respond_by }
    const key = world.operator_key
    const made = await world.request('POST', '/v1/operator/chargebacks', taken, { key })
    assert.equal(made.status, 200, made.text)
    charged.unshift({ reference, id: String(made.body.dispute_id) })
  }
  return { email, tenant, charged }
}

for (const { way, t, options } of new Set([...WAYS, FAR])) {
  const { email, tenant, charged } = await makeShop()
  const opened = await stage.open(email, '/home', options)
  const { page } = opened
  const words = t.disputes.shop

  test(`the queue has what the shop has to answer, the next deadline first, ${way}`, async () => {
    await goTo(page, '/payouts', t.pages.payouts)
    await page.getByRole('link', { name: t.pages.disputes, exact: true }).last().click()
    const rows = rowsOf(page, words.queue)
    await rows.nth(1).getByRole('link').waitFor()
    const links = await rows.getByRole('link').evaluateAll((all) => all.map(String))
    const ids = links.map((link) => new URL(link).pathname.split('/').at(-1))
    assert.deepEqual(
      ids,
      charged.map(({ id }) => id),
    )
    await assertWell(opened)
    await rows.first().getByRole('link').click()
    await page.getByRole('heading', { level: 1 }).getByText('NEEDS_RESPONSE').waitFor()
    await assertWell(opened)
  })

  test(`files are added and removed until the evidence is sent, ${way}`, async () => {
    const files = regionOf(page, t.disputes.files)
    for (const name of ['delivery.pdf', 'wrong.pdf']) {
      await press(page, t.reviews.upload)
      const upload = dialogOf(page, t.reviews.upload)
      const document = { name, mimeType: 'application/pdf', buffer: pdf() }
      await upload.locator('input[type=file]').setInputFiles(document)
      await assertWell(opened)
      await submit(upload, t.reviews.upload)
      await files.getByText(name).first().waitFor()
    }
    await press(page, words.remove_file)
    const remove = dialogOf(page, words.remove_file)
    await remove.getByLabel(t.reviews.file).selectOption({ label: 'wrong.pdf' })
    await assertWell(opened)
    await submit(remove, words.remove_file)
    await files.getByText('wrong.pdf').first().waitFor({ state: 'detached' })
    await assertWell(opened)
  })

  test(`evidence is sent once, and is then with the network, ${way}`, async () => {
    await press(page, words.answer)
    const dialog = dialogOf(page, words.answer)
    await dialog.getByLabel(words.evidence_names.proof_of_delivery).fill('Signed on Monday')
    await assertWell(opened)
    await submit(dialog, words.answer)
    await page.getByRole('heading', { level: 1 }).getByText('UNDER_REVIEW').waitFor()
    await regionOf(page, t.disputes.evidence).getByText('Signed on Monday').waitFor()
    await regionOf(page, t.disputes.files).getByText('delivery.pdf').first().waitFor()
    for (const name of [words.answer, words.remove_file, t.reviews.upload]) {
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0)
    }
    await assertWell(opened)
  })

  test(`another one is accepted, and nothing waits any more, ${way}`, async () => {
    const [, other] = charged
    await page.goto(`${home}/console/payouts/disputes/${other?.id}`)
    await press(page, words.accept)
    await submit(dialogOf(page, words.accept), words.accept)
    await page.getByRole('heading', { level: 1 }).getByText('ACCEPTED').waitFor()
    await assertWell(opened)
    await page.goto(`${home}/console/payouts/disputes`)
    await page.getByText(words.queue_none, { exact: true }).waitFor()
    await rowsOf(page, words.all).nth(1).waitFor()
    await assertWell(opened)
    await page.goto(`${home}/console/payouts/statement`)
    await page.getByText(t.payouts.charged_back, { exact: true }).first().waitFor()
    await assertWell(opened)
  })

  test(`support sees a dispute, and is not offered to answer it, ${way}`, async () => {
    const support = await memberWith(world, 'support', tenant.id)
    const path = `/payouts/disputes/${charged[0]?.id}`
    const theirs = await stage.open(support.email, path, options)
    await regionOf(theirs.page, t.disputes.evidence).getByText('Signed on Monday').waitFor()
    for (const name of [words.answer, words.accept]) {
      assert.equal(await theirs.page.getByRole('button', { name, exact: true }).count(), 0)
    }
    await theirs.context.close()
  })
}
