/** The address of Watchman, which lists count, and from which likeness an entry is a match. */

import { type Static, Type } from 'typebox'
import { Choice, Shaped, Whole } from '#kit/settings/kinds.ts'
import { isPlainUrl, withoutSlashes } from '#kit/settings/shapes.ts'
import type { Deployment } from '../adapter.ts'

export type WatchmanSettings = Readonly<{
  /** Without a trailing slash. */
  url: string
  /** From 0 to 1: an entry that is less alike is no match. */
  least: number
  /** Names of lists as Watchman has them; null: all that it has. */
  lists: readonly string[] | null
  /** The result of a KYC request without a match. */
  clear: 'OK' | 'COMPLIANCE'
}>

const REMEDY = 'set it, or leave out every WATCHMAN_ variable'
const LEAST = { minimum: 50, maximum: 100, default: 80 }
const LISTS_MAX = 10
const LISTS = new RegExp(`^\\w{1,40}(,\\w{1,40}){0,${LISTS_MAX - 1}}$`)

export const variables = Type.Object({
  WATCHMAN_URL: Shaped(isPlainUrl, {
    description: 'an http or https address without an account',
    remedy: REMEDY,
    writeOnly: true,
  }),
  WATCHMAN_MIN_MATCH: Whole(LEAST),
  WATCHMAN_LISTS: Shaped((text) => LISTS.test(text), {
    description: `up to ${LISTS_MAX} names of lists with commas, as us_ofac,eu_csl`,
    remedy: 'change it or leave it out for all lists',
  }),
  WATCHMAN_CLEAR: Choice(['review', 'pass'], 'review'),
})

export function settingsOf(
  values: Static<typeof variables>,
  { faults }: Deployment,
): WatchmanSettings | undefined {
  const { WATCHMAN_URL, WATCHMAN_LISTS, WATCHMAN_CLEAR } = values
  if (WATCHMAN_URL === undefined) {
    const isHalf = WATCHMAN_LISTS !== undefined || WATCHMAN_CLEAR === 'pass'
    if (isHalf) faults.push(`WATCHMAN_URL is missing: ${REMEDY}`)
    return undefined
  }
  return Object.freeze({
    url: withoutSlashes(WATCHMAN_URL),
    least: values.WATCHMAN_MIN_MATCH / 100,
    lists: WATCHMAN_LISTS === undefined ? null : [...new Set(WATCHMAN_LISTS.split(','))],
    clear: WATCHMAN_CLEAR === 'pass' ? 'OK' : 'COMPLIANCE',
  })
}
