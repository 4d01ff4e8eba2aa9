/** How stories look at a page: wide and on a phone, in English and in Arabic. */

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import {
  coveringCellsOf,
  faultsOfAxe,
  IS_LOADED,
  type Opened,
  overflowOf,
  smallTargetsOf,
} from './stage.ts'
import { arabic, english, type Words } from './words.ts'

export const WIDE = { width: 1440, height: 900 }
export const PHONE = { width: 390, height: 844 }

type Way = { way: string; t: Words; options: { viewport: typeof WIDE; locale: string } }

export const USUAL: Way = {
  way: 'in English',
  t: english,
  options: { viewport: WIDE, locale: 'en' },
}
/**
 * The way that differs most from the usual one: pages that no menu leads to are opened in it as
 * well.
 */
export const FAR: Way = {
  way: 'in Arabic, on a phone',
  t: arabic,
  options: { viewport: PHONE, locale: 'ar' },
}
const ALL: readonly Way[] = [
  USUAL,
  { ...USUAL, way: 'in English, on a phone', options: { viewport: PHONE, locale: 'en' } },
  { ...FAR, way: 'in Arabic', options: { viewport: WIDE, locale: 'ar' } },
  FAR,
]

/** The usual run has the stories once: pages.test.ts opens every page of the menu in all ways. */
export const WAYS = process.env['TEST_DEEP'] === '1' ? ALL : [USUAL]

/** Requirements of a page in every state: whole, within its window, and readable by everyone. */
export async function assertWell({ page, faults }: Opened): Promise<void> {
  await page.waitForFunction(IS_LOADED)
  assert.deepEqual(await faultsOfAxe(page), [])
  assert.ok((await overflowOf(page)) <= 0, page.url())
  assert.deepEqual(await coveringCellsOf(page), [])
  if (page.viewportSize()?.width === PHONE.width) assert.deepEqual(await smallTargetsOf(page), [])
  assert.deepEqual(faults, [])
}

/** A text of the console with its values in it. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]))

/** Finds what begins with a text of the console, with whatever values in it. */
export function shape(text: string): RegExp {
  const parts = text.split(/\{\{\w+\}\}/)
  return new RegExp(`^${parts.map((part) => part.replace(/[.?+*()]/g, '\\$&')).join('.+')}`)
}

export const titled = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name, level: 1, exact: true }).waitFor()

/** The name of an object has its status beside it. */
export const headed = (page: Page, text: string): Promise<void> =>
  page.getByRole('heading', { level: 1 }).getByText(text, { exact: true }).waitFor()

/** Goes to a page of the menu, which a phone has in a drawer that is not open. */
export async function goTo(page: Page, path: string, name: string): Promise<void> {
  await page.locator(`nav a[href="/console${path}"]`).first().dispatchEvent('click')
  await titled(page, name)
}

export const regionOf = (page: Page, name: string): Locator =>
  page.getByRole('region', { name, exact: true })

/** The rows of the table of that name, without its head. */
export const rowsOf = (page: Page, name: string): Locator =>
  page.getByRole('table', { name, exact: true }).locator('tbody tr')

/** The field of a filter, which a phone shows after a press. */
export async function filterOf(page: Page, t: Words, label: string): Promise<Locator> {
  const field = page.getByLabel(label, { exact: true })
  if (!(await field.isVisible())) await press(page, t.filters.title)
  return field
}

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click()

/** The dialog of that name; `submit` is the button that sends it. */
export const dialogOf = (page: Page, name: string): Locator =>
  page.getByRole('dialog', { name, exact: true })

/** Presses the last button of the name in the dialog: the cross has the name of another one. */
export const pressIn = (dialog: Locator, name: string): Promise<void> =>
  dialog.getByRole('button', { name, exact: true }).last().click()

/** Presses a button of the dialog, and waits until the dialog is gone. */
export async function submit(dialog: Locator, name: string): Promise<void> {
  await pressIn(dialog, name)
  await dialog.waitFor({ state: 'hidden' })
}

/** The presses of Tab after which an element of a page is out of reach. */
const MOST_TABS = 40

export async function tabTo(page: Page, target: Locator, most = MOST_TABS): Promise<void> {
  for (let presses = 0; presses < most; presses++) {
    if (await hasFocus(target)) return
    await page.keyboard.press('Tab')
  }
  assert.fail('Tab does not lead to the element')
}

/** Waits until it has the focus, which a page may give some time after it has shown the element. */
export const focused = (target: Locator): Promise<void> =>
  target.and(target.page().locator(':focus')).waitFor()

export const hasFocus = async (target: Locator): Promise<boolean> =>
  (await target.and(target.page().locator(':focus')).count()) === 1
