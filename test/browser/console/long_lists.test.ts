/** Texts of the operator's pages about lists that are longer than a page of the API. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { keeper } from '#test/support/keeper.ts'
import { people } from '#test/support/people.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openConsole } from './stage.ts'
import { assertWell, fill, headed, regionOf, WAYS } from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage
const owner = await memberWith(world, 'operator_owner', null)

const tenant = await world.otherTenant({ require_kyc: true })
const they = people(world, tenant)
const business = (business_legal_name: string) =>
  they.create({ user_type: 'BUSINESS', business_legal_name, business_dba_name: 'Palm' })
const reviewOf = ({ id }: { id: string }) => `/reviews/${tenant.id}/${id}?tenant_id=${tenant.id}`

/** Neither awaits a review: the one is older than the queue, the other newer. */
const older = await they.create({ first_name: 'Ann', last_name: 'Older' })
/** The newest one is the first. */
const queue: { id: string }[] = []
while (queue.length < 103) queue.unshift(await business(`Business ${103 - queue.length}`))
const newer = await they.create({ first_name: 'Ann', last_name: 'Newer' })
const businessAt = (place: number) => queue[place - 1] ?? assert.fail('the queue is shorter')

/** Two hundred rates of today, and one that is two days old. */
async function makeRates(): Promise<void> {
  const [created, old] = [new Date(), new Date(Date.now() - 2 * 24 * 60 * 60_000)]
  const letter = (at: number) => String.fromCharCode(65 + at)
  const rates = Array.from({ length: 200 }, (_, at) => ({
    from_currency: `X${letter(at % 26)}${letter(Math.floor(at / 26))}`,
    created,
  }))
  const all = [...rates, { from_currency: 'OLD', created: old }]
  await world.db
    .insertInto('rates')
    .values(all.map((rate) => ({ ...rate, id: newId(), to_currency: 'AED', rate: '1.5' })))
    .execute()
}

await makeRates()

for (const { way, t, options } of WAYS) {
  const words = t.reviews
  const opened = await stage.open(owner.email, '/reviews', options)
  const { page } = opened
  const visit = (path: string) => page.goto(`${home}/console${path}`)
  const place = (at: number, total: string) =>
    page.getByText(fill(words.place_in_queue, { at, total }), { exact: true }).waitFor()

  test(`a review has its place and its neighbours in a queue of any length ${way}`, async () => {
    await visit(reviewOf(businessAt(103)))
    await place(103, '103')
    await page.keyboard.press('k')
    await headed(page, 'Business 102')
    await place(102, '103')
    await visit(reviewOf(businessAt(50)))
    await place(50, '100+')
    await page.keyboard.press('j')
    await headed(page, 'Business 51')
    await place(51, '100+')
    await assertWell(opened)
  })

  test(`a user who awaits no review is in no place of the queue ${way}`, async () => {
    for (const user of [older, newer]) {
      await visit(reviewOf(user))
      await page.getByText(words.not_in_queue, { exact: true }).waitFor()
    }
    await assertWell(opened)
  })

  test(`the home page counts no more reviews than it has read, and finds old rates ${way}`, async () => {
    await visit('/home')
    const { reviews, rates, more } = t.operator.home
    await regionOf(page, reviews)
      .getByText(fill(more, { n: '45+' }), { exact: true })
      .waitFor()
    await regionOf(page, rates).getByText('OLD/AED', { exact: true }).waitFor()
    await assertWell(opened)
  })
}
