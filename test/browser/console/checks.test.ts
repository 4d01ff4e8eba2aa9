/** Checks of a tenant's users: the list, documents, KYC, statuses, and what each role is offered. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Role } from '#kit/http/callers/roles.ts'
import { upload } from '#test/support/documents.ts'
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
const palm = await they.createBusiness()
const director = { user_type: 'DIRECTOR', first_name: 'Omar', last_name: 'Saleh' }
await they.create({ ...director, designation: 'Chief executive', parent_user_id: palm.id })
const ann = await they.create({ first_name: 'Ann', last_name: 'Lee', email: 'ann@lee.example' })

const WIDE = { viewport: { width: 1440, height: 900 } }

async function open(
  role: Role,
  path: string,
  options: Parameters<typeof stage.openPage>[0] = WIDE,
) {
  const { email } = await memberWith(world, role, tenant.id)
  const opened = await stage.openPage(options)
  await stage.signIn(opened, email, path)
  return opened
}

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Presses the button, fills what `fill` fills, and sends the dialog. */
async function act(page: Page, name: string, fill?: (page: Page) => Promise<void>) {
  await page.getByRole('button', { name, exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await fill?.(page)
  await dialog.getByRole('button', { name, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

test('an open check is found, and its documents are added, seen and deleted', async () => {
  const { page, context, faults } = await open('compliance', '/reviews')
  await page.getByRole('link', { name: 'Acme' }).waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
  await page.getByLabel('Status').selectOption('PENDINGKYC')
  await page.getByRole('link', { name: 'Acme' }).waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await heading(page, 'Ann Lee')

  await act(page, 'Add identification', (dialog) => dialog.getByLabel('Number').fill('784-1'))
  await page.getByRole('heading', { name: 'NATIONAL_ID PENDING' }).waitFor()
  const [document] = (await they.ask('GET', `/v1/users/${ann.id}/identifications`)).body.data
  const file = { name: 'front.png', bytes: png({ width: 300, height: 200 }) }
  await upload(world, tenant, document, { ...file, side: 'NATIONAL_ID_FRONT' })
  await page.reload()
  await page.getByRole('img', { name: 'NATIONAL_ID_FRONT, page 1' }).waitFor()
  await act(page, 'Delete file')
  await page.getByText('No file has been uploaded for this identification.').waitFor()
  assert.deepEqual(await faultsOfAxe(page), [])
  assert.deepEqual(faults, [])
  await context.close()
})

test('a file is uploaded from the page, and the drawer "API" shows its form', async () => {
  const sara = await they.create({ first_name: 'Sara', last_name: 'Khan' })
  await they.addIdentification(sara.id, { type: 'NATIONAL_ID' })
  const { page, context, faults } = await open('compliance', `/users/${sara.id}`)
  await act(page, 'Upload file', async (dialog) => {
    const buffer = png({ width: 300, height: 200 })
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'front.png', mimeType: 'image/png', buffer })
  })
  await page.getByRole('img', { name: 'NATIONAL_ID_FRONT, page 1' }).waitFor()
  await page.getByRole('button', { name: 'API', exact: true }).click()
  await page.getByText("-F 'file=@front.png'").first().waitFor()
  await page.keyboard.press('Escape')
  assert.deepEqual(faults, [])
  await context.close()
})

test('KYC is requested and its result simulated, and the status follows its table', async () => {
  const { page, context } = await open('owner', `/users/${ann.id}`)
  await heading(page, 'Ann Lee')
  await act(page, 'Request KYC')
  await page.getByRole('region', { name: 'KYC requests' }).getByText('SUBMITTED').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Request KYC' }).count(), 0)
  await act(page, 'Simulate KYC result')
  await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor()
  assert.equal(await they.state(ann.id), 'ACTIVE/A0')
  await act(page, 'Suspend')
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor()
  assert.equal(await they.state(ann.id), 'SUSPENDED/S0')
  await context.close()
})

test('a business shows who is linked to it, and a viewer is offered no action', async () => {
  const { page, context } = await open('viewer', `/users/${palm.id}`)
  await heading(page, 'Acme')
  const region = page.getByRole('region', { name: 'Linked users' })
  await region.getByRole('link', { name: 'Omar Saleh' }).waitFor()
  await region.getByText('Chief executive').waitFor()
  for (const name of ['Terminate', 'Suspend', 'Add identification', 'Request KYC']) {
    assert.equal(await page.getByRole('button', { name }).count(), 0, name)
  }
  await context.close()
})

test('users are filtered by status and type, and found by name and e-mail', async () => {
  const { page, context } = await open('viewer', '/users?user_type=BUSINESS')
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await link('Acme').waitFor()
  assert.equal(await link('Ann Lee').count(), 0)
  for (const text of ['lee', 'ANN@lee.example']) {
    await page.getByLabel('Name or e-mail').fill(text)
    await page.keyboard.press('Enter')
    await link('Ann Lee').waitFor()
    assert.equal(await link('Acme').count(), 0)
  }
  assert.match(page.url(), /find=ANN/)
  await context.close()
})

for (const [way, options] of [
  ['on a phone', { viewport: { width: 390, height: 844 } }],
  ['in Arabic', { ...WIDE, locale: 'ar' }],
] as const) {
  test(`list and user fit ${way}`, async () => {
    const { page, context, faults } = await open('compliance', '/reviews', options)
    await page.getByRole('link', { name: 'Acme' }).waitFor()
    assert.ok((await overflowOf(page)) <= 0)
    await page.getByRole('link', { name: 'Acme' }).click()
    await page.getByRole('link', { name: 'Omar Saleh' }).waitFor()
    assert.deepEqual(await faultsOfAxe(page), [])
    assert.ok((await overflowOf(page)) <= 0)
    assert.deepEqual(faults, [])
    await context.close()
  })
}
