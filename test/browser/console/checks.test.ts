/** Checks of a tenant's users: the list, documents, KYC, statuses, and what each role is offered. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import type { Role } from '#callers/roles.ts'
import { upload } from '#test/support/documents.ts'
import { png } from '#test/support/files.ts'
import { keeper } from '#test/support/keeper.ts'
import { people } from '#test/support/people.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  FAR,
  fill,
  filterOf,
  headed,
  press,
  regionOf,
  submit,
  WAYS,
} from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world } = stage

/** A business with its director, and a person, whose checks are open. */
async function makeUsers() {
  const tenant = await world.otherTenant({ require_kyc: true })
  const they = people(world, tenant)
  const palm = await they.createBusiness()
  const director = { user_type: 'DIRECTOR', first_name: 'Omar', last_name: 'Saleh' }
  await they.create({ ...director, designation: 'Chief executive', parent_user_id: palm.id })
  const ann = await they.create({ first_name: 'Ann', last_name: 'Lee', email: 'ann@lee.example' })
  return { tenant, they, palm, ann }
}

for (const { way, t, options } of WAYS) {
  const words = t.reviews
  const { tenant, they, palm, ann } = await makeUsers()
  const front = fill(words.viewer.shows, { title: 'NATIONAL_ID_FRONT', page: 1 })
  /** The page of a member with the role, on which the dialogs of actions are sent. */
  const open = async (role: Role, path: string) => {
    const { email } = await memberWith(world, role, tenant.id)
    const opened = await stage.open(email, path, options)
    const act = async (name: string, prepare?: (dialog: Locator) => Promise<void>) => {
      await press(opened.page, name)
      const dialog = dialogOf(opened.page, name)
      await prepare?.(dialog)
      await assertWell(opened)
      await submit(dialog, name)
    }
    return { opened, page: opened.page, act }
  }

  test(`an open check is found, and its documents are added, seen and deleted, ${way}`, async () => {
    const { opened, page, act } = await open('compliance', '/reviews')
    const business = page.getByRole('link', { name: 'Acme' })
    await business.waitFor()
    await assertWell(opened)
    const status = await filterOf(page, t, t.fields.status)
    await status.selectOption('PENDINGKYC')
    await business.waitFor({ state: 'detached' })
    // The rows of a list that is loading have no link to go to.
    await page.getByRole('link', { name: 'Ann Lee' }).waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await headed(page, 'Ann Lee')

    await act(words.add_document, (dialog) =>
      dialog.getByLabel(words.number, { exact: true }).fill('784-1'),
    )
    await page.getByRole('heading', { name: 'NATIONAL_ID PENDING' }).waitFor()
    const [document] = (await they.ask('GET', `/v1/users/${ann.id}/identifications`)).body.data
    const file = { name: 'front.png', bytes: png({ width: 300, height: 200 }) }
    await upload(world, tenant, document, { ...file, side: 'NATIONAL_ID_FRONT' })
    await page.reload()
    await page.getByRole('img', { name: front, exact: true }).waitFor()
    await act(words.delete_file)
    await page.getByText(words.no_files, { exact: true }).waitFor()
    await assertWell(opened)
    await opened.context.close()
  })

  test(`a file is uploaded from the page, and the drawer shows its form, ${way}`, async () => {
    const sara = await they.create({ first_name: 'Sara', last_name: 'Khan' })
    await they.addIdentification(sara.id, { type: 'NATIONAL_ID' })
    const { opened, page, act } = await open('compliance', `/users/${sara.id}`)
    await act(words.upload, async (dialog) => {
      const buffer = png({ width: 300, height: 200 })
      const file = { name: 'front.png', mimeType: 'image/png', buffer }
      await dialog.locator('input[type=file]').setInputFiles(file)
    })
    await page.getByRole('img', { name: front, exact: true }).waitFor()
    await press(page, t.api.button)
    await dialogOf(page, t.api.title).getByText("-F 'file=@front.png'").first().waitFor()
    await assertWell(opened)
    await opened.context.close()
  })

  test(`KYC is requested and its result simulated, and the status follows, ${way}`, async () => {
    const { opened, page, act } = await open('owner', `/users/${ann.id}`)
    await headed(page, 'Ann Lee')
    await act(words.request_kyc)
    await regionOf(page, words.kyc).getByText('SUBMITTED').waitFor()
    const request = page.getByRole('button', { name: words.request_kyc, exact: true })
    assert.equal(await request.count(), 0)
    await act(words.simulate_kyc)
    await page.getByRole('button', { name: words.moves.suspend, exact: true }).waitFor()
    assert.equal(await they.state(ann.id), 'ACTIVE/A0')
    await act(words.moves.suspend)
    await page.getByRole('button', { name: words.moves.resume, exact: true }).waitFor()
    assert.equal(await they.state(ann.id), 'SUSPENDED/S0')
    await assertWell(opened)
    await opened.context.close()
  })

  test(`a business shows who is linked to it, and a viewer is offered no action, ${way}`, async () => {
    const { opened, page } = await open('viewer', `/users/${palm.id}`)
    await headed(page, 'Acme')
    const linked = regionOf(page, words.linked)
    await linked.getByRole('link', { name: 'Omar Saleh' }).waitFor()
    await linked.getByText('Chief executive').waitFor()
    await assertWell(opened)
    const { terminate, suspend } = words.moves
    for (const name of [terminate, suspend, words.add_document, words.request_kyc]) {
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    }
    await opened.context.close()
  })

  test(`users are filtered by type, and found by name and e-mail, ${way}`, async () => {
    const { opened, page } = await open('viewer', '/users?user_type=BUSINESS')
    const link = (name: string) => page.getByRole('link', { name, exact: true })
    await link('Acme').waitFor()
    assert.equal(await link('Ann Lee').count(), 0)
    for (const text of ['lee', 'ANN@lee.example']) {
      await page.getByLabel(words.find, { exact: true }).fill(text)
      await page.keyboard.press('Enter')
      await link('Ann Lee').waitFor()
      assert.equal(await link('Acme').count(), 0)
    }
    await page.waitForURL(/find=ANN/)
    await assertWell(opened)
    await opened.context.close()
  })
}

test(`open checks and a business fit ${FAR.way}`, async () => {
  const { tenant } = await makeUsers()
  const { email } = await memberWith(world, 'compliance', tenant.id)
  const opened = await stage.open(email, '/reviews', FAR.options)
  const { page } = opened
  await page.getByRole('link', { name: 'Acme' }).waitFor()
  await assertWell(opened)
  await page.getByRole('link', { name: 'Acme' }).click()
  await page.getByRole('link', { name: 'Omar Saleh' }).waitFor()
  await assertWell(opened)
})
