/** The fees of a merchant: read at the edge, computed, shown (D-733, D-734). Pure. */

import { isCurrency } from '#lib/currency.ts'
import { divideHalfEven, formatAmount, parseAmount, parseTenThousandths } from '#lib/money.ts'
import type { Fault } from '#lib/result.ts'

/** The fees as they are sent: amounts in major units. */
export type FeeInput = {
  currency: string
  percent?: number | string
  fixed?: number | string
  refund_fee?: number | string
  chargeback_fee?: number | string
}

/**
 * As stored: the fees on operations in one currency. `percent` is in ten-thousandths of a per cent;
 * `fixed`, `refund_fee` and `chargeback_fee` are minor units as text; the last is absent where it
 * was never set.
 */
export type StoredFee = {
  currency: string
  percent: number
  fixed: string
  refund_fee: string
  chargeback_fee?: string
}

/** 100 per cent, in the unit of `percent`. */
const WHOLE = 1_000_000

/** The fees of a request, with every fault of it. A member that is absent is zero. */
export function readFees(input: readonly FeeInput[]): { fees: StoredFee[]; faults: Fault[] } {
  const faults: Fault[] = []
  const seen = new Set<string>()
  const fees = input.flatMap((fee, at) => {
    const path = `fees.${at}`
    const { currency } = fee
    if (!isCurrency(currency)) {
      faults.push({ path: `${path}.currency`, message: 'is not a currency of ISO 4217' })
      return []
    }
    if (seen.has(currency)) faults.push({ path: `${path}.currency`, message: 'is there twice' })
    seen.add(currency)
    const read = { percent: readPercent(fee.percent ?? 0), ...amountsOf(fee) }
    for (const [name, value] of Object.entries(read)) {
      if (typeof value === 'object') faults.push({ path: `${path}.${name}`, ...value })
    }
    const { percent, fixed, refund_fee, chargeback_fee } = read
    if (typeof percent === 'object') return []
    if (typeof fixed === 'object' || typeof refund_fee === 'object') return []
    if (typeof chargeback_fee === 'object') return []
    const fees = { currency, percent, fixed, refund_fee }
    return [chargeback_fee === '0' ? fees : { ...fees, chargeback_fee }]
  })
  return { fees, faults }
}

type Wrong = { message: string }

function readPercent(value: number | string): number | Wrong {
  const read = parseTenThousandths(value)
  if (!read.ok) return { message: read.message }
  return read.units > WHOLE ? { message: 'must be at most 100' } : Number(read.units)
}

function amountsOf({ currency, fixed = 0, refund_fee = 0, chargeback_fee = 0 }: FeeInput) {
  const [one, other, third] = [fixed, refund_fee, chargeback_fee].map((value): string | Wrong => {
    const read = parseAmount(value, currency)
    return read.ok ? read.minor.toString() : { message: read.message }
  })
  return { fixed: one ?? '0', refund_fee: other ?? '0', chargeback_fee: third ?? '0' }
}

/** The fees as answered: amounts in major units, percentages as numbers. */
export const presentFees = (fees: readonly StoredFee[]) =>
  fees.map(({ currency, percent, fixed, refund_fee, chargeback_fee }) => ({
    currency,
    percent: percent / 10_000,
    fixed: formatAmount(BigInt(fixed), currency),
    refund_fee: formatAmount(BigInt(refund_fee), currency),
    ...(chargeback_fee !== undefined && {
      chargeback_fee: formatAmount(BigInt(chargeback_fee), currency),
    }),
  }))

type Taken = { type: 'CAPTURE' | 'REFUND' | 'CHARGEBACK'; amount: bigint; currency: string }

/**
 * The fee of a capture, refund or chargeback, in minor units of its currency; zero in a currency
 * without one.
 * A percentage is rounded half-even to the minor unit.
 */
export function feeOf(fees: readonly StoredFee[], { type, amount, currency }: Taken): bigint {
  const fee = fees.find((one) => one.currency === currency)
  if (!fee) return 0n
  if (type === 'REFUND') return BigInt(fee.refund_fee)
  if (type === 'CHARGEBACK') return BigInt(fee.chargeback_fee ?? 0)
  return BigInt(fee.fixed) + divideHalfEven(amount * BigInt(fee.percent), BigInt(WHOLE))
}
