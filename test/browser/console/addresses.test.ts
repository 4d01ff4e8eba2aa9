/** Addresses of the console: a link that is sent to somebody else shows the same. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { openProgram } from '#issuing/programs/programs.ts'
import { transact } from '#kit/context.ts'
import { asker } from '#test/support/contract/belongings.ts'
import { keeper } from '#test/support/keeper.ts'
import { memberWith, PASSWORD } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  filterOf,
  goTo,
  headed,
  press,
  regionOf,
  rowsOf,
  titled,
  WAYS,
} from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
const operator = await memberWith(world, 'operator_owner', null)

/** A tenant with one user, whose page a link shows. */
async function makeTenant(name: string) {
  const { tenant } = await transact(await world.ctx(), (tx) =>
    openProgram(
      { ...tx, db: tx.db.overAllTenants() },
      { tenant: { name }, funding: 500, product: { name: 'Gold' } },
    ),
  )
  return tenant.id
}

async function makeUser(tenant_id: string, first_name: string): Promise<string> {
  const user = { first_name, last_name: 'Aziz' }
  const answer = await operator.browser.ask('POST', '/v1/users', user, {
    'x-bezant-tenant': tenant_id,
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.id
}

async function signInHere(page: Page, email: string): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(email)
  await page.locator('input[autocomplete=current-password]').fill(PASSWORD)
  await page.locator('button[type=submit]').click()
}

for (const [at, { way, t, options }] of WAYS.entries()) {
  const name = `Oasis Bank ${at}`
  const id = await makeTenant(name)
  const twin = await makeTenant(name)
  const layla = await makeUser(id, 'Layla')
  const opened = await stage.open(operator.email, '/users', options)
  const { page, context } = opened

  test(`a page of a tenant asks the operator to choose one, and shows it then, ${way}`, async () => {
    await titled(page, t.pages.no_tenant)
    await page.getByText(t.acting.needed, { exact: true }).waitFor()
    await assertWell(opened)
    await page.getByLabel(t.acting.find).fill(id)
    await page.getByRole('button', { name }).click()
    await titled(page, t.pages.users)
    await page.waitForURL(`${home}/console/users?tenant=${id}`)
    await assertWell(opened)
  })

  test(`the address of an object shows it in a new tab, and to a colleague, ${way}`, async () => {
    await rowsOf(page, t.pages.users).getByRole('link', { name: 'Layla Aziz' }).click()
    await headed(page, 'Layla Aziz')
    const address = page.url()
    assert.equal(address, `${home}/console/users/${layla}?tenant=${id}`)
    const tab = await context.newPage()
    await tab.goto(address)
    await headed(tab, 'Layla Aziz')
    await regionOf(tab, t.acting.title).getByText(`${t.acting.now} ${name}`).waitFor()
    await tab.close()
    const colleague = await memberWith(world, 'operator_owner', null)
    const theirs = await stage.openPage(options)
    await theirs.page.goto(address)
    await theirs.page.waitForURL(/sign-in/)
    await signInHere(theirs.page, colleague.email)
    await headed(theirs.page, 'Layla Aziz')
    assert.equal(theirs.page.url(), address)
    await theirs.context.close()
  })

  test(`the way back leads to the tenant before, and leaving takes it away ${way}`, async () => {
    await page.goto(`${home}/console/users?tenant=${twin}`)
    await page.getByText(t.users.none, { exact: true }).waitFor()
    await page.goBack()
    await headed(page, 'Layla Aziz')
    await regionOf(page, t.acting.title).getByRole('button', { name: t.acting.leave }).click()
    await page.waitForURL(`${home}/console/home`)
    await regionOf(page, t.health.title).waitFor()
  })

  test(`a tenant of an address that is none is left for the choice of one ${way}`, async () => {
    await page.goto(`${home}/console/cards?tenant=${twin.replace(/.{12}$/, '000000000000')}`)
    await titled(page, t.pages.no_tenant)
  })

  test(`a filter tells tenants of one name apart ${way}`, async () => {
    await goTo(page, '/merchants', t.pages.merchants)
    const field = await filterOf(page, t, t.operator.tenant)
    await field.locator('option', { hasText: name }).first().waitFor({ state: 'attached' })
    const labels = await field.locator('option').allTextContents()
    const own = labels.filter((label) => label.startsWith(name))
    assert.deepEqual(
      own.toSorted(),
      [id, twin].map((one) => `${name} · ${one.slice(-12)}`).toSorted(),
    )
  })
}

for (const { way, t, options } of WAYS) {
  const tenant = await world.otherTenant({ default_currency: 'AED' })
  const { email } = await memberWith(world, 'owner', tenant.id)
  const ask = asker(world, tenant.api_key)

  test(`a link that is opened signed out keeps its filters ${way}`, async () => {
    const opened = await stage.openPage(options)
    const { page, context } = opened
    await page.goto(`${home}/console/users?status=TERMINATED&user_type=BUSINESS`)
    await page.waitForURL(/sign-in/)
    await signInHere(page, email)
    await page.waitForURL(`${home}/console/users?status=TERMINATED&user_type=BUSINESS`)
    await titled(page, t.pages.users)
    await context.close()
  })

  test(`a member of a tenant sees their own, whatever tenant an address names, ${way}`, async () => {
    const opened = await stage.open(email, '/home', options)
    const { page, context } = opened
    await page.goto(`${home}/console/users?tenant=${world.tenant.id}`)
    await page.getByText(t.users.none, { exact: true }).waitFor()
    await page.waitForURL(`${home}/console/users`)
    assert.equal(await regionOf(page, t.acting.title).count(), 0)
    await context.close()
  })

  test(`a list that its filters leave empty says so, and an empty one how to begin, ${way}`, async () => {
    const opened = await stage.open(email, '/transactions', options)
    const { page, context } = opened
    const user = await ask('POST', '/v1/users', { first_name: 'Layla', last_name: 'Aziz' })
    const lists = [
      ['/transactions', t.no_transactions.title, 'status=PENDING'],
      ['/audit-log', undefined, 'operation=createRefund'],
      ['/users', undefined, 'status=TERMINATED'],
      ['/cards', t.cards.none, 'last_four=0000'],
      ['/accounts', t.accounts.none, `user_id=${user.id}`],
      ['/disputes', t.disputes.none, 'reason=FRAUD'],
      ['/webhooks', t.webhooks.none, undefined],
    ] as const
    for (const [path, begin, query] of lists) {
      await page.goto(`${home}/console${path}`)
      if (begin !== undefined) await page.getByText(begin, { exact: true }).waitFor()
      assert.equal(await page.getByText(t.filters.no_fit, { exact: true }).count(), 0)
      if (query === undefined) continue
      await page.goto(`${home}/console${path}?${query}`)
      await page.getByText(t.filters.no_fit, { exact: true }).waitFor()
      if (begin !== undefined) assert.equal(await page.getByText(begin, { exact: true }).count(), 0)
      await assertWell(opened)
      await press(page, t.filters.clear)
      await page.waitForURL(`${home}/console${path}`)
      await page.getByText(t.filters.no_fit, { exact: true }).waitFor({ state: 'detached' })
    }
    await context.close()
  })

  test(`every filter of a text has a limit at its field ${way}`, async () => {
    const opened = await stage.open(email, '/home', options)
    const { page, context } = opened
    const paths = ['/users', '/cards', '/accounts', '/transactions', '/events', '/audit-log']
    for (const path of paths) {
      await page.goto(`${home}/console${path}`)
      await page.locator('search input').first().waitFor({ state: 'attached' })
      const free = await page
        .locator('search input:not([type=date], [type=hidden], [maxlength])')
        .evaluateAll((fields) => fields.length)
      assert.equal(free, 0, path)
    }
    await context.close()
  })
}
