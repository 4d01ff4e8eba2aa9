/** The fields and operators of a search for KYC requests, as allow-lists (D-22). */

import { isId } from '#lib/id.ts'
import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import { isInstant } from '#lib/time.ts'

type Kind = 'id' | 'word' | 'text' | 'instant'

/** The fields that may be filtered. */
export const kycFields = {
  id: 'id',
  user_id: 'id',
  kyc_policy: 'word',
  status: 'word',
  old_status: 'word',
  status_code: 'word',
  status_description: 'text',
  note: 'text',
  created: 'instant',
  modified: 'instant',
} as const satisfies Record<string, Kind>
export type KycField = keyof typeof kycFields

export const operators = ['eq', 'any_of', 'gte', 'lte', 'contains'] as const
export type Operator = (typeof operators)[number]

const operatorsOf: Readonly<Record<Kind, readonly Operator[]>> = {
  id: ['eq', 'any_of'],
  word: ['eq', 'any_of', 'contains'],
  text: ['eq', 'any_of', 'contains'],
  instant: ['eq', 'gte', 'lte'],
}

export const sortFields = ['created', 'modified'] as const
export const matchers = ['and', 'or'] as const
export type Matcher = (typeof matchers)[number]

export type Filter = { field: KycField; operator: Operator; values: readonly string[] }

/**
 * Filters that fit their fields, and the matchers between them from left to right: one for all, or
 * one fewer than there are filters. Without any all must match.
 */
export function checkFilters(
  filters: readonly Filter[],
  matcher: readonly Matcher[],
): Result<readonly Matcher[], 'validation_failed'> {
  const errors = filters.flatMap(faultsOf)
  const between = Math.max(0, filters.length - 1)
  if (matcher.length > 1 && matcher.length !== between) {
    const message = 'must be one word, or one for each place between two filters'
    errors.push({ path: 'matcher', message })
  }
  if (errors.length > 0) return fail('validation_failed', { errors })
  const [first = 'and'] = matcher
  return ok(matcher.length > 1 ? matcher : Array<Matcher>(between).fill(first))
}

function faultsOf({ field, operator, values }: Filter, at: number): Fault[] {
  const kind = kycFields[field]
  const path = `filters.${at}`
  if (!operatorsOf[kind].includes(operator)) {
    const message = `of ${field} must be one of ${operatorsOf[kind].join(', ')}`
    return [{ path: `${path}.operator`, message }]
  }
  if (operator !== 'any_of' && values.length !== 1) {
    return [{ path: `${path}.values`, message: `of ${operator} must be one value` }]
  }
  return values.flatMap((value, place) => {
    const message = faultOfValue(kind, value)
    return message === undefined ? [] : [{ path: `${path}.values.${place}`, message }]
  })
}

function faultOfValue(kind: Kind, value: string): string | undefined {
  if (kind === 'id' && !isId(value)) return 'is not an id'
  if (kind === 'instant' && !isInstant(value)) return 'is not an instant'
  return undefined
}
