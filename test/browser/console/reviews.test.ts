/** Reviews of the operator's team: the queue by keyboard, the viewer, and decisions. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pdfOf, upload } from '#test/support/documents.ts'
import { png } from '#test/support/files.ts'
import { keeper } from '#test/support/keeper.ts'
import { people } from '#test/support/people.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import { assertWell, dialogOf, FAR, fill, headed, regionOf, submit, titled, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
const compliance = await memberWith(world, 'operator_compliance', null)
const support = await memberWith(world, 'operator_support', null)

/** Three businesses of one tenant, the oldest with documents, and a person whose KYC is open. */
async function makeQueue() {
  const tenant = await world.otherTenant({ require_kyc: true })
  const they = people(world, tenant)
  const business = (business_legal_name: string) =>
    they.create({ user_type: 'BUSINESS', business_legal_name, business_dba_name: 'Palm' })
  const oldest = await business('Oldest LLC')
  const license = await they.addIdentification(oldest.id, { type: 'TRADE_LICENSE' })
  await upload(world, tenant, license, { name: 'a.pdf', bytes: pdfOf('LICENSE', 'PARTNERS') })
  const card = await they.addIdentification(oldest.id, { type: 'NATIONAL_ID' })
  for (const side of ['NATIONAL_ID_FRONT', 'NATIONAL_ID_BACK']) {
    const bytes = png({ width: 300, height: 200 })
    await upload(world, tenant, card, { name: `${side}.png`, bytes, side })
  }
  const second = await business('Second LLC')
  const third = await business('Third LLC')
  const waiting = await they.create({ first_name: 'Ann', last_name: 'Lee' })
  const request = (await they.askKyc(waiting.id)).body
  const listed = await they.create({ first_name: 'Mia', last_name: 'Match' })
  await they.askKyc(listed.id)
  await they.runDueJobs()
  const reviewOf = ({ id }: { id: string }) => `/reviews/${tenant.id}/${id}`
  return { tenant, they, license, oldest, second, third, waiting, listed, request, reviewOf }
}

/** The least brightness on the canvas: below 255 something is drawn. */
const DARKEST = `(() => {
  const canvas = document.querySelector('canvas')
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  return data.reduce((least, value, at) => (at % 4 === 3 ? least : Math.min(least, value)), 255)
})()`

for (const { way, t, options } of WAYS) {
  const words = t.reviews
  const queue = await makeQueue()
  const { tenant, they, oldest, reviewOf } = queue
  const opened = await stage.open(compliance.email, reviewOf(oldest), options)
  const { page } = opened
  const visit = (path: string) => page.goto(`${home}/console${path}`)
  const documents = regionOf(page, words.documents)
  const shows = (title: string) => {
    const name = fill(words.viewer.shows, { title, page: 1 })
    return page.getByRole('img', { name, exact: true }).waitFor()
  }
  /** Presses the key of a decision, and sends its dialog by another. */
  const decide = async (key: string, name: string, reason?: string) => {
    await page.keyboard.press(key)
    const dialog = dialogOf(page, name)
    const field = dialog.getByRole('textbox')
    await field.waitFor()
    if (reason !== undefined) await field.fill(reason)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }

  test(`the viewer turns and enlarges a PDF and pictures by keys ${way}`, async () => {
    await shows('NATIONAL_ID_FRONT')
    await page.keyboard.press('n')
    await shows('NATIONAL_ID_BACK')
    await page.keyboard.press(']')
    await shows('TRADE_LICENSE')
    const place = fill(words.viewer.page, { page: 1, pages: 2 })
    await page.getByText(place, { exact: true }).waitFor()
    assert.equal(await page.evaluate(DARKEST), 0)
    await page.keyboard.press('n')
    await page.locator('canvas[data-page="2"]').waitFor()
    await page.keyboard.press('t')
    await page.locator('canvas[data-turn="90"]').waitFor()
    const before = (await page.locator('canvas').boundingBox())?.width ?? 0
    await page.keyboard.press('+')
    await page.getByText('125%', { exact: true }).waitFor()
    const after = (await page.locator('canvas').boundingBox())?.width ?? 0
    assert.ok(Math.abs(after - before * 1.25) < 2, `${before} ${after}`)
    await assertWell(opened)
  })

  test(`a file that is held or infected says so, and is not asked for, ${way}`, async () => {
    const setStatus = (scan_status: 'HELD' | 'INFECTED' | 'NOT_SCANNED') =>
      world.db
        .updateTable('identification_files')
        .set({ scan_status })
        .where('identification_id', '=', queue.license.id)
        .execute()
    for (const [scan_status, text] of [
      ['HELD', words.viewer.held],
      ['INFECTED', words.viewer.infected],
    ] as const) {
      await setStatus(scan_status)
      await visit(reviewOf(oldest))
      await page.getByRole('button', { name: /^TRADE_LICENSE/ }).click()
      await page.getByText(text, { exact: true }).waitFor()
      await assertWell(opened)
    }
    await setStatus('NOT_SCANNED')
  })

  test(`the queue is worked through by keyboard: approve, reject, go back, ${way}`, async () => {
    await visit(`/reviews?tenant_id=${tenant.id}&user_type=BUSINESS`)
    await page.getByRole('link', { name: 'Third LLC', exact: true }).waitFor()
    await assertWell(opened)
    for (const key of ['j', 'j', 'k']) await page.keyboard.press(key)
    await page.waitForFunction("document.activeElement.textContent === 'Third LLC'")
    await page.keyboard.press('Enter')
    await headed(page, 'Third LLC')
    await page.getByText(fill(words.place_in_queue, { at: 1, total: 3 })).waitFor()

    await page.keyboard.press('?')
    const help = dialogOf(page, words.keys.title)
    await help.getByText(words.keys.next_review, { exact: true }).waitFor()
    await assertWell(opened)
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })

    await decide('a', words.approve)
    await headed(page, 'Second LLC')
    assert.equal(await they.state(queue.third.id), 'ACTIVE/A0')
    await decide('r', words.reject, 'The license shows another name')
    await headed(page, 'Oldest LLC')
    assert.equal(await they.state(queue.second.id), 'SUSPENDED/S5')

    await page.keyboard.press('k')
    await headed(page, 'Second LLC')
    const changes = regionOf(page, words.status_changes)
    await changes.getByText('The license shows another name').waitFor()
    // The user may be shown as before until it has been read anew.
    const rejection = page.getByRole('button', { name: words.reject, exact: true })
    await rejection.waitFor({ state: 'detached' })
    await assertWell(opened)
    await page.keyboard.press('u')
    await titled(page, t.pages.reviews)
  })

  test(`a document is verified and rejected, and the person stays on the page, ${way}`, async () => {
    await visit(reviewOf(oldest))
    const title = (status: string) =>
      documents.getByRole('heading', { name: `NATIONAL_ID ${status}` }).waitFor()
    await title('PENDINGKYB')
    await decide('v', words.verify)
    await title('VERIFIED')
    await decide('d', words.reject_document, 'It has expired')
    await title('REJECTED')
    await documents.getByText('It has expired').waitFor()
    await assertWell(opened)
  })

  test(`a KYC request is passed, which makes the person ACTIVE, ${way}`, async () => {
    await visit(reviewOf(queue.waiting))
    await page.getByRole('button', { name: words.pass_kyc, exact: true }).waitFor()
    await assertWell(opened)
    await decide('o', words.pass_kyc)
    assert.equal(await they.state(queue.waiting.id), 'ACTIVE/A0')
    assert.equal((await they.kyc(queue.request.id)).body.status, 'OK')
  })

  test(`a match shows its entry, list and likeness, and is dismissed with a reason, ${way}`, async () => {
    await visit(reviewOf(queue.listed))
    const matches = regionOf(page, words.matches)
    await matches.getByText('MATCH', { exact: true }).waitFor()
    await matches.getByText('sandbox_list', { exact: true }).waitFor()
    await matches.getByText(fill(words.alike, { score: 97 }), { exact: true }).waitFor()
    await assertWell(opened)
    await matches.getByRole('button', { name: words.dismiss_match }).click()
    const dialog = dialogOf(page, words.dismiss_match)
    await dialog.getByRole('textbox').fill('Born on another day')
    await submit(dialog, words.dismiss_match)
    await matches.getByText('DISMISSED', { exact: true }).waitFor()
    await matches.getByText('Born on another day').waitFor()
    await assertWell(opened)
  })

  test(`support of the operator sees the queue and decides nothing ${way}`, async () => {
    const seen = await stage.open(support.email, reviewOf(oldest), options)
    await headed(seen.page, 'Oldest LLC')
    await regionOf(seen.page, words.documents).locator('canvas').waitFor()
    await assertWell(seen)
    for (const name of [words.approve, words.reject, words.verify, words.reject_document]) {
      assert.equal(await seen.page.getByRole('button', { name, exact: true }).count(), 0, name)
    }
  })
}

test(`a review of a person with documents fits ${FAR.way}`, async () => {
  const { oldest, reviewOf } = await makeQueue()
  const opened = await stage.open(compliance.email, reviewOf(oldest), FAR.options)
  await opened.page.locator('canvas').waitFor()
  await assertWell(opened)
})
