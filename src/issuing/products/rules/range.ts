/** The range of card numbers of a product: the digits between BIN and check digit (D-110). */

import type { Fault } from '#lib/result.ts'
import type { PanRangeInput } from '../schema.ts'

export type PanRange = { pan_range_start: string; pan_range_end: string }

/** All numbers of a BIN; `length` is the number of digits between it and the check digit. */
export function wholeRange(length: number): PanRange {
  return { pan_range_start: '0'.repeat(length), pan_range_end: '9'.repeat(length) }
}

/** The range after a change, with leading zeros; a bound that is not sent is unchanged. */
export function changedRange(
  current: PanRange,
  input: PanRangeInput = {},
): { range: PanRange; faults: Fault[] } {
  const faults: Fault[] = []
  const boundOf = (name: 'start_range' | 'end_range', before: string): string => {
    const value = input[name]
    if (value === undefined) return before
    const digits = String(value).padStart(before.length, '0')
    if (digits.length === before.length) return digits
    const message = `must have at most ${before.length} digits under this BIN`
    faults.push({ path: `pan_range.${name}`, message, rests_on: ['bin'] })
    return before
  }
  const range = {
    pan_range_start: boundOf('start_range', current.pan_range_start),
    pan_range_end: boundOf('end_range', current.pan_range_end),
  }
  if (faults.length === 0 && range.pan_range_start > range.pan_range_end) {
    const rests_on = ['pan_range.start_range', 'bin']
    const message = 'must not be below start_range'
    faults.push({ path: 'pan_range.end_range', message, rests_on })
  }
  return { range, faults }
}
