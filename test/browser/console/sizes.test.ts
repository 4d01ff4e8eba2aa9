/**
 * The JavaScript that a browser loads for each page, compressed, as `node tools/sizes.ts` prints
 * it.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PageSize, readPageSizes } from '../../../tools/console_sizes.ts'

/** Bytes. */
const FIRST_MAX = 200_000
const PAGE_MAX = 350_000

/** A reader comes by these. */
const FIRST = ['sign_up/', 'sign_in/', 'operator_home/']
/** The page of all parts is for those who work on the console. */
const UNBOUND = ['gallery/']

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
  const pages = sizes.filter((size) => !within(UNBOUND)(size))
  assert.deepEqual(
    pages.filter((size) => size.whole > PAGE_MAX),
    [],
  )
})
