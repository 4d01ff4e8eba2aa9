/** A day of traffic in a browser, and the clock that it moves. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { makePayer } from './payer.ts'
import { openConsole } from './stage.ts'
import {
  assertWell,
  dialogOf,
  FAR,
  fill,
  goTo,
  press,
  regionOf,
  shape,
  submit,
  WAYS,
} from './ways.ts'

const keep = keeper()
const stage = keep(await openConsole())
const { world, home } = stage

/** A period as the console has it in both languages: `8 days`, with these digits. */
const daysIn = (locale: string, count: number): string =>
  new Intl.NumberFormat(locale === 'ar' ? 'ar-u-nu-latn' : 'en-GB', {
    style: 'unit',
    unit: 'day',
    unitDisplay: 'long',
  }).format(count)

for (const { way, t, options } of WAYS) {
  const words = t.traffic
  const { tenant, email } = await makePayer(world)
  const opened = await stage.open(email, '/simulator/traffic', options)
  const { page } = opened
  const visit = () => page.goto(`${home}/console/simulator/traffic`)
  const run = regionOf(page, words.run)
  const sum = regionOf(page, words.sum)
  const plan = async (payments: string, a_second: string) => {
    await page.getByLabel(words.count, { exact: true }).fill(payments)
    await page.getByLabel(words.rate, { exact: true }).selectOption(a_second)
  }
  const limitRate = async (
    rate_limit_per_second: number | null,
    rate_limit_burst: number | null,
  ) => {
    const limits = { rate_limit_per_second, rate_limit_burst }
    const path = `/v1/operator/tenants/${tenant.id}/settings`
    const { status } = await world.request('PUT', path, limits, { key: world.operator_key })
    assert.equal(status, 200)
  }

  test(`a day of 20 payments is charted and summed up ${way}`, async () => {
    await plan('20', '20')
    await assertWell(opened)
    await press(page, words.start)
    await page.getByRole('link', { name: words.see_declined, exact: true }).waitFor()
    const [approved, declined] = await run.locator('dl dd').allTextContents()
    assert.equal(Number(approved) + Number(declined), 20)
    assert.ok(Number(declined) > 0, 'one payment is too large')
    assert.equal(await run.locator('figure tbody tr').count(), 24)
    await assertWell(opened)
  })

  test(`a day waits where the rate is reached, and sends all of it, ${way}`, async () => {
    await visit()
    await plan('10', '20')
    await limitRate(1, 2)
    const refused = page.waitForResponse((response) => response.status() === 429)
    await press(page, words.start)
    await refused
    await limitRate(null, null)
    await run.getByText(fill(words.progress, { done: 10, all: 10 })).waitFor()
    await sum.waitFor()
  })

  test(`a day is paused, goes on and is stopped ${way}`, async () => {
    await visit()
    await plan('400', '1')
    await press(page, words.start)
    const phase = run.getByRole('status')
    await press(page, words.pause)
    await phase.getByText(words.phases.paused, { exact: true }).waitFor()
    await assertWell(opened)
    await press(page, words.resume)
    await phase.getByText(words.phases.running, { exact: true }).waitFor()
    await press(page, words.stop)
    await phase.getByText(words.phases.stopped, { exact: true }).waitFor()
    await sum.waitFor()
    await assertWell(opened)
  })

  test(`the clock moves through a day of traffic, and by a step that is asked about, ${way}`, async () => {
    await visit()
    await plan('10', '20')
    await page.getByRole('switch', { name: words.clock }).check()
    await press(page, words.start)
    await sum.waitFor()
    await goTo(page, '/simulator/clock', t.pages.clock)
    const present = regionOf(page, words.present)
    const isAhead = (count: number) =>
      present.getByText(shape(daysIn(options.locale, count))).waitFor()
    await isAhead(1)
    await assertWell(opened)
    await press(page, words.steps.P7D)
    await submit(dialogOf(page, words.steps.P7D), words.move_now)
    const due = regionOf(page, words.due)
    await due.getByText(shape(words.due_moved)).waitFor()
    await due.getByText('EXPIRED_AUTH').waitFor()
    await isAhead(8)
    await assertWell(opened)
  })
}

test(`the day and the clock fit ${FAR.way}`, async () => {
  const { email } = await makePayer(world)
  const opened = await stage.open(email, '/simulator/traffic', FAR.options)
  const { page } = opened
  await page.getByRole('button', { name: FAR.t.traffic.start, exact: true }).waitFor()
  await assertWell(opened)
  await goTo(page, '/simulator/clock', FAR.t.pages.clock)
  await page.getByRole('button', { name: FAR.t.traffic.to_date, exact: true }).waitFor()
  await assertWell(opened)
})
