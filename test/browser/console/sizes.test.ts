/**
 * The JavaScript that a browser loads for each page, compressed, as `node tools/sizes.ts` prints
 * it.
 */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as arabic from '../../../apps/console/src/i18n/ar/gallery.ts'
import * as english from '../../../apps/console/src/i18n/en/gallery.ts'
import { type PageSize, readPageSizes } from '../../../tools/console_sizes.ts'

/** Bytes. */
const FIRST_MAX = 200_000
const PAGE_MAX = 350_000

/** A reader comes by these. */
const FIRST = ['sign_up/', 'sign_in/', 'operator_home/']

const sizes = readPageSizes() ?? []
const within = (names: readonly string[]) => (size: PageSize) =>
  names.some((name) => size.page.startsWith(name))

test('a first page can be used after 200 kB', () => {
  const first = sizes.filter(within(FIRST))
  assert.equal(first.length, FIRST.length)
  assert.deepEqual(
    first.filter((size) => size.first > FIRST_MAX),
    [],
  )
})

test('no page loads more than 350 kB', () => {
  assert.ok(sizes.length > 30, String(sizes.length))
  assert.deepEqual(
    sizes.filter((size) => size.whole > PAGE_MAX),
    [],
  )
})

test('the page of all parts, for those who work on the console, is not in its build', () => {
  const built = globSync('apps/console/dist/assets/*.js')
  assert.ok(built.length > 30, String(built.length))
  const texts = [english, arabic].map(({ gallery }) => gallery.lead)
  const having = built.filter((path) => {
    const text = readFileSync(path, 'utf8')
    return texts.some((one) => text.includes(one))
  })
  assert.deepEqual(having, [])
  assert.doesNotMatch(readFileSync('apps/console/dist/manifest.json', 'utf8'), /gallery/)
})
