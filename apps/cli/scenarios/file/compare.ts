/** Compares what was expected with what is there. Pure. */

import type { Path } from '../../kit/values.ts'

export type Difference = { path: Path; expected: string; actual: string }

/** Stands for any value that is there. */
export const ANY = '<any>'
const SHOWN_MAX = 300

/**
 * The first difference, in the order of the expected value: only the named members of an object are
 * compared, but all items of a list. Null expects that there is nothing.
 */
export function firstDifference(
  expected: unknown,
  actual: unknown,
  path: Path = [],
): Difference | undefined {
  const differs = { path, expected: shown(expected), actual: shown(actual) }
  if (expected === ANY) return isThere(actual) ? undefined : differs
  if (!isThere(expected)) return isThere(actual) ? differs : undefined
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return differs
    return differenceOfLists(expected, actual, path)
  }
  if (typeof expected !== 'object') return expected === actual ? undefined : differs
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return differs
  for (const [member, value] of Object.entries(expected)) {
    const found = Object.hasOwn(actual, member)
      ? (actual as Record<string, unknown>)[member]
      : undefined
    const difference = firstDifference(value, found, [...path, member])
    if (difference) return difference
  }
  return undefined
}

function differenceOfLists(
  expected: readonly unknown[],
  actual: readonly unknown[],
  path: Path,
): Difference | undefined {
  for (const [at, value] of expected.entries()) {
    if (at >= actual.length) break
    const difference = firstDifference(value, actual[at], [...path, at])
    if (difference) return difference
  }
  if (expected.length === actual.length) return undefined
  return { path, expected: counted(expected), actual: `${counted(actual)}: ${shown(actual)}` }
}

const counted = ({ length }: readonly unknown[]) => `${length} member${length === 1 ? '' : 's'}`

const isThere = (value: unknown) => value !== undefined && value !== null

/** A value as a sentence shows it. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (value === ANY) return 'any value'
  const text = JSON.stringify(value)
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text
}
