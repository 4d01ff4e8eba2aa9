/** Clearing files in the console: from the menu to the last record in suspense (D-1048). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { clearingFile, presentment } from '#test/support/clearing/clearing_file.ts'
import { keeper } from '#test/support/keeper.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  FAR,
  fill,
  focused,
  goTo,
  headed,
  PHONE,
  press,
  regionOf,
  rowsOf,
  submit,
  tabTo,
  titled,
  WAYS,
} from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world } = stage
const { email } = await memberWith(world, 'operator_owner', null)

const STRANGER = '4000000000000002'

/** A card with its number, and a file with a presentment of it and three of nobody. */
async function makeFile() {
  const { tenant, issuer, card } = await makePayer(world, { pci_compliant: true })
  const { body } = await issuer.call('GET', `/v1/cards/${card.card_id}:reveal`)
  const strangers = [2_500n, 3_000n, 3_500n].map((amount) => presentment(STRANGER, amount))
  const file = await clearingFile([presentment(String(body.card_number), 4_000n), ...strangers])
  return { tenant, card, file }
}

/** Drops bytes on an element, as a hand does with a file of the desktop. */
async function dropOn(page: Page, text: string, bytes: Buffer): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    const content = Uint8Array.from(atob('${bytes.toString('base64')}'), (one) => one.charCodeAt(0))
    transfer.items.add(new File([content], 'T112.bin'))
    return transfer
  })()`)
  const target = page.getByText(text, { exact: true })
  await target.dispatchEvent('dragover', { dataTransfer })
  await target.dispatchEvent('drop', { dataTransfer })
}

for (const { way, t, options } of new Set([...WAYS, FAR])) {
  const words = t.operator.clearings
  const { tenant, card, file } = await makeFile()
  const colorScheme = options.viewport === PHONE ? 'dark' : 'light'
  const opened = await stage.open(email, '/home', { ...options, colorScheme })
  const { page } = opened

  async function goToFiles(): Promise<void> {
    await goTo(page, '/reconciliation', t.pages.reconciliation)
    await page.getByRole('link', { name: t.pages.clearings, exact: true }).click()
    await titled(page, t.pages.clearings)
  }

  test(`a file that is dropped is imported and shown to its last record ${way}`, async () => {
    await goToFiles()
    await regionOf(page, words.queue).getByText(words.queue_none, { exact: true }).waitFor()
    await assertWell(opened)
    await dropOn(page, words.drop, file)
    await headed(page, 'POSTING')
    await page
      .getByText(fill(words.imported, { name: 'T112.bin' }))
      .first()
      .waitFor()
    await assertWell(opened)
    await world.sweeper.runDueJobs(tenant.id)
    await headed(page, 'POSTED')
    await page.getByText(fill(words.suspended, { n: 3 }), { exact: true }).waitFor()
    await rowsOf(page, words.sums).getByText('AED 90.00').waitFor()
    const records = rowsOf(page, words.of_file)
    await page.reload()
    await records.nth(5).waitFor()
    await assertWell(opened)
    await records.getByText('AED 40.00').waitFor()
    await records.nth(1).getByRole('link').first().click()
    await headed(page, 'POSTED')
    const fields = regionOf(page, words.content)
    await fields.getByText(/^\d{6}\*{6}\d{4}$/).waitFor()
    await fields.getByText(`DE31 · ${words.elements.DE31}`, { exact: true }).waitFor()
    await assertWell(opened)
  })

  test(`the same file again changes nothing, and says so, ${way}`, async () => {
    await goToFiles()
    const chosen = page.waitForEvent('filechooser')
    const button = page.getByRole('button', { name: words.choose, exact: true })
    await tabTo(page, button)
    await page.keyboard.press('Enter')
    await (await chosen).setFiles({ name: 'again.bin', mimeType: '', buffer: file })
    await page
      .getByText(fill(words.known, { name: 'again.bin' }))
      .first()
      .waitFor()
    await headed(page, 'POSTED')
  })

  test(`each record in suspense is resolved by a person, with a note, ${way}`, async () => {
    await goToFiles()
    const queue = rowsOf(page, words.queue)
    await queue.nth(2).waitFor()
    await queue.first().getByText(words.reasons.UNKNOWN_CARD).waitFor()
    await assertWell(opened)
    await queue.first().getByRole('link').first().click()
    await headed(page, 'SUSPENDED')
    await page.locator('body').press('p')
    const posting = dialogOf(page, words.moves.POST)
    await posting.getByLabel(words.card_id).fill(card.card_id)
    await posting.getByLabel(words.note).fill('The holder has called')
    await assertWell(opened)
    await submit(posting, words.moves.POST)
    await headed(page, 'RESOLVED')
    await regionOf(page, words.facts).getByText('The holder has called').waitFor()
    await assertWell(opened)
    for (const move of ['RETURN', 'WRITE_OFF'] as const) {
      await goToFiles()
      await queue.first().getByRole('link').first().click()
      await press(page, words.moves[move])
      const dialog = dialogOf(page, words.moves[move])
      await focused(dialog.getByLabel(words.note))
      await dialog.getByLabel(words.note).fill('Nobody is known')
      await submit(dialog, words.moves[move])
      await headed(page, 'RESOLVED')
    }
    await goToFiles()
    await regionOf(page, words.queue).getByText(words.queue_none, { exact: true }).waitFor()
  })

  test(`a file with a fault is rejected with every fault named ${way}`, async () => {
    const trailer = { PDS0301: '0000000000000001' }
    const wrong = await clearingFile([presentment(STRANGER, 100n)], { trailer })
    await goToFiles()
    await page.getByLabel(words.home).selectOption(tenant.id)
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'wrong.bin', mimeType: '', buffer: wrong },
    })
    await headed(page, 'REJECTED')
    await regionOf(page, words.faults)
      .getByText(/PDS0301/)
      .waitFor()
    await assertWell(opened)
  })

  test(`support sees the files, and is offered no change, ${way}`, async () => {
    const support = await memberWith(world, 'operator_support', null)
    const theirs = await stage.open(support.email, '/clearings', options)
    await rowsOf(theirs.page, t.pages.clearings).first().waitFor()
    const button = theirs.page.getByRole('button', { name: words.choose, exact: true })
    assert.equal(await button.count(), 0)
    await assertWell(theirs)
    await theirs.context.close()
  })
}
