/** A record as it is stored and shown: without its card number and chip data. Pure. */

import { objectOf } from '#clearing/json.ts'
import type { ClearingRecord } from '#clearing/record.ts'

const FIRST = 6
const LAST = 4

export const maskNumber = (pan: string): string =>
  pan.length <= FIRST + LAST
    ? '*'.repeat(pan.length)
    : pan.slice(0, FIRST) + '*'.repeat(pan.length - FIRST - LAST) + pan.slice(-LAST)

/** The number is masked wherever it stands, also in a text. */
export function maskedContent(record: ClearingRecord): Record<string, string> {
  const pan = record.elements.get(2) ?? ''
  const masked = Object.entries(objectOf(record)).map(([name, value]) => {
    if (name === 'DE55') return [name, `${value.length / 2} bytes`] as const
    return [name, pan === '' ? value : value.replaceAll(pan, maskNumber(pan))] as const
  })
  return Object.fromEntries(masked)
}
