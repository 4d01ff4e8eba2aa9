/** The requirements of a limit, new or changed (D-41, D-42, D-113, D-116). */

import { isCurrency } from '#lib/currency.ts'
import { formatAmount, parseAmount } from '#lib/money.ts'
import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import type { LimitTerms } from '../rules.ts'
import type { LimitInput } from '../schema.ts'

/** Everything of a limit that a client sets; amounts in minor units of `currency`. */
export type LimitFields = Omit<LimitTerms, 'id' | 'short_id' | 'version'> & {
  description: string | null
}

/** The defaults of a new limit, which sent members replace; `type` and `currency` are required. */
const EMPTY = {
  description: null,
  min_amount: null,
  max_amount: null,
  frequency: null,
  period: null,
  mode: 'ENFORCED',
} as const

export function newLimit(
  kind: LimitTerms['kind'],
  input: LimitInput & Required<Pick<LimitInput, 'type' | 'currency'>>,
): Result<LimitFields, 'validation_failed'> {
  const { type, currency } = input
  const transaction_scope = kind === 'VELOCITY' ? ['ALL' as const] : null
  return changedLimit({ ...EMPTY, kind, type, currency, transaction_scope }, input)
}

/** The limit after a change: sent members replace stored ones. Fails with every fault. */
export function changedLimit(
  before: LimitFields,
  input: LimitInput,
): Result<LimitFields, 'validation_failed'> {
  const { min_amount: min, max_amount: max, ...plain } = input
  const after = { ...before, ...plain }
  const { currency } = after
  const isKnown = isCurrency(currency)
  const faults: Fault[] = isKnown
    ? []
    : [{ path: 'currency', message: 'is not a currency of ISO 4217' }]
  const amountOf = (name: 'min_amount' | 'max_amount', sent: typeof min): bigint | null => {
    const stored = before[name]
    // Parsed again from major units, because the currency may have changed.
    const kept = stored === null ? null : formatAmount(stored, before.currency)
    const value = sent === undefined ? kept : sent
    if (value === null) return null
    // How many decimals it may have is not known.
    if (!isKnown) return 0n
    const parsed = parseAmount(value, currency)
    if (parsed.ok) return parsed.minor
    faults.push({ path: name, message: parsed.message, rests_on: ['currency'] })
    return null
  }
  const amounts = {
    min_amount: amountOf('min_amount', min),
    max_amount: amountOf('max_amount', max),
  }
  const limit = { ...after, ...amounts }
  faults.push(...faultsOf(limit, isKnown && faults.length > 0))
  return faults.length > 0 ? fail('validation_failed', { errors: faults }) : ok(limit)
}

function* faultsOf(limit: LimitFields, hasBadAmount: boolean): Generator<Fault> {
  const { kind, type, min_amount, max_amount, frequency, period } = limit
  if (!hasBadAmount && min_amount === null && max_amount === null) {
    yield { path: 'max_amount', message: 'is required, or min_amount', rests_on: ['min_amount'] }
  }
  if (min_amount !== null && max_amount !== null && min_amount > max_amount) {
    const rests_on = ['min_amount', 'currency']
    yield { path: 'max_amount', message: 'must not be below min_amount', rests_on }
  }
  if (kind === 'BALANCE') return
  if (period === null && frequency !== null) {
    yield { path: 'period', message: 'is required with frequency', rests_on: ['frequency'] }
  } else if (period === null && type === 'CUMULATIVE') {
    yield { path: 'period', message: 'is required with CUMULATIVE', rests_on: ['type'] }
  }
  // Without a number nothing would count in the period (D-130).
  if (period !== null && frequency === null && type === 'PER_TRANSACTION') {
    const message = 'is required with period and PER_TRANSACTION'
    yield { path: 'frequency', message, rests_on: ['period', 'type'] }
  }
}
