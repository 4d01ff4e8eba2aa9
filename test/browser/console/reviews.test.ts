/** Reviews of the operator's team: the queue by keyboard, the viewer, and decisions. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { pdfOf, upload } from '#test/support/documents.ts'
import { png } from '#test/support/files.ts'
import { keeper } from '#test/support/keeper.ts'
import { people } from '#test/support/people.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { faultsOfAxe, openConsole, overflowOf } from './stage.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world } = stage
const tenant = await world.otherTenant({ require_kyc: true })
const they = people(world, tenant)

/** A business of the name, with nothing else. */
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
await they.runDueJobs()
const compliance = await memberWith(world, 'operator_compliance', null)

const WIDE = { viewport: { width: 1440, height: 900 } }

async function open(path: string, options: Parameters<typeof stage.openPage>[0] = WIDE) {
  const opened = await stage.openPage(options)
  await stage.signIn(opened, compliance.email, path)
  return opened
}

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const reviewOf = ({ id }: { id: string }) => `/reviews/${tenant.id}/${id}`

/** The least brightness on the canvas: below 255 something is drawn. */
const DARKEST = `(() => {
  const canvas = document.querySelector('canvas')
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
  return data.reduce((least, value, at) => (at % 4 === 3 ? least : Math.min(least, value)), 255)
})()`

test('the viewer shows the pages of a PDF and pictures, turned and enlarged, by keys', async () => {
  const { page, context, faults } = await open(reviewOf(oldest))
  const shown = (name: string) => page.getByRole('img', { name, exact: true }).waitFor()
  await shown('NATIONAL_ID_FRONT, page 1')
  await page.keyboard.press('n')
  await shown('NATIONAL_ID_BACK, page 1')
  await page.keyboard.press(']')
  await shown('TRADE_LICENSE, page 1')
  await page.getByText('1 / 2', { exact: true }).waitFor()
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
  assert.deepEqual(await faultsOfAxe(page), [])
  assert.deepEqual(faults, [])
  await context.close()
})

test('a file that is held or infected says so, and is not asked for', async () => {
  const { page, context } = await open('/reviews')
  for (const [scan_status, words] of [
    ['HELD', 'The file is held'],
    ['INFECTED', 'The file is infected'],
  ] as const) {
    await world.db
      .updateTable('identification_files')
      .set({ scan_status })
      .where('identification_id', '=', license.id)
      .execute()
    await page.goto(`${stage.home}/console${reviewOf(oldest)}`)
    await page.getByRole('button', { name: /^TRADE_LICENSE/ }).click()
    await page.getByText(words, { exact: true }).waitFor()
  }
  await world.db
    .updateTable('identification_files')
    .set({ scan_status: 'NOT_SCANNED' })
    .where('identification_id', '=', license.id)
    .execute()
  await context.close()
})

test('the queue is worked through by keyboard: open, look up keys, approve, reject', async () => {
  const { page, context, faults } = await open('/reviews?user_type=BUSINESS')
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await link('Third LLC').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Third LLC')
  await page.keyboard.press('Enter')
  await heading(page, 'Third LLC')
  await page.getByText('1 of 3').waitFor()

  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Next review').waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await page.keyboard.press('a')
  await dialog.getByRole('textbox').waitFor()
  await page.keyboard.press('Enter')
  await heading(page, 'Second LLC')
  assert.equal(await they.state(third.id), 'ACTIVE/A0')

  await page.keyboard.press('r')
  await dialog.getByRole('textbox').fill('The license shows another name')
  await page.keyboard.press('Enter')
  await heading(page, 'Oldest LLC')
  assert.equal(await they.state(second.id), 'SUSPENDED/S5')

  await page.keyboard.press('k')
  await heading(page, 'Second LLC')
  const region = page.getByRole('region', { name: 'Status changes' })
  await region.getByText('The license shows another name').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Reject/ }).count(), 0)
  await page.keyboard.press('u')
  await heading(page, 'Reviews')
  assert.deepEqual(faults, [])
  await context.close()
})

test('a document is verified and rejected, and the person stays on the page', async () => {
  const { page, context } = await open(reviewOf(oldest))
  const region = page.getByRole('region', { name: 'Documents' })
  await region.getByRole('heading', { name: 'NATIONAL_ID PENDINGKYB' }).waitFor()
  await page.keyboard.press('v')
  await page.getByRole('dialog').getByRole('textbox').waitFor()
  await page.keyboard.press('Enter')
  await region.getByRole('heading', { name: 'NATIONAL_ID VERIFIED' }).waitFor()
  await page.keyboard.press('d')
  await page.getByRole('dialog').getByRole('textbox').fill('It has expired')
  await page.keyboard.press('Enter')
  await region.getByRole('heading', { name: 'NATIONAL_ID REJECTED' }).waitFor()
  await region.getByText('It has expired').waitFor()
  await context.close()
})

test('a KYC request is passed, which makes the person ACTIVE', async () => {
  const { page, context } = await open(reviewOf(waiting))
  await page.getByRole('button', { name: 'Pass KYC' }).waitFor()
  await page.keyboard.press('o')
  await page.getByRole('dialog').getByRole('textbox').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await they.state(waiting.id), 'ACTIVE/A0')
  assert.equal((await they.kyc(request.id)).body.status, 'OK')
  await context.close()
})

test('support of the operator sees the queue and decides nothing', async () => {
  const support = await memberWith(world, 'operator_support', null)
  const opened = await stage.openPage(WIDE)
  await stage.signIn(opened, support.email, reviewOf(oldest))
  await heading(opened.page, 'Oldest LLC')
  await opened.page.getByRole('region', { name: 'Documents' }).getByText('VISA').count()
  assert.equal(await opened.page.getByRole('button', { name: /Approve|Reject|Verify/ }).count(), 0)
  await opened.context.close()
})

for (const [way, options] of [
  ['on a phone', { viewport: { width: 390, height: 844 } }],
  ['in Arabic', { ...WIDE, locale: 'ar' }],
] as const) {
  test(`queue and review fit ${way}`, async () => {
    const { page, context, faults } = await open('/reviews', options)
    await page.getByRole('link', { name: 'Oldest LLC' }).waitFor()
    assert.deepEqual(await faultsOfAxe(page), [])
    assert.ok((await overflowOf(page)) <= 0)
    await page.getByRole('link', { name: 'Oldest LLC' }).click()
    await page.locator('canvas').waitFor()
    assert.deepEqual(await faultsOfAxe(page), [])
    assert.ok((await overflowOf(page)) <= 0)
    assert.deepEqual(faults, [])
    await context.close()
  })
}
