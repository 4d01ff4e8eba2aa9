/** The charges of a product: read at the edge, computed, shown (D-475). Pure. */

import { divideHalfEven, formatAmount, parseAmount, parseTenThousandths } from '#lib/money.ts'
import type { Fault } from '#lib/result.ts'
import type { ProductChargeInput, ProductChargeType, StoredCharge } from '../charges_schema.ts'

/** 100 per cent, in the unit of `percent`. */
const WHOLE = 1_000_000

/** Charges that are a part of the amount posted for a transaction. */
const BY_PERCENT: ReadonlySet<ProductChargeType> = new Set(['CASH_WITHDRAWAL', 'FOREIGN_CURRENCY'])

/**
 * The charges after a change, with every fault of it. Charges that are not sent stay; if the
 * currency of the product changes, its amounts are read again, in the new one.
 */
export function changedCharges(
  input: readonly ProductChargeInput[] | undefined,
  stored: readonly StoredCharge[],
  { from, to }: { from: string; to: string },
): { charges: StoredCharge[]; faults: Fault[] } {
  if (input === undefined && from === to) return { charges: [...stored], faults: [] }
  const sent = input ?? presentCharges(stored, from)
  const faults: Fault[] = []
  const seen = new Set<ProductChargeType>()
  const charges = sent.map((charge, at) => {
    const path = `charges.${at}`
    if (seen.has(charge.type)) faults.push({ path: `${path}.type`, message: 'is there twice' })
    seen.add(charge.type)
    const value = readValue(charge, to, path)
    if ('message' in value) faults.push(value)
    const { type, description } = charge
    return {
      type,
      ...('message' in value ? {} : value),
      ...(description !== undefined && { description }),
    }
  })
  return { charges, faults }
}

type Value = { amount: string } | { percent: number }

function readValue(charge: ProductChargeInput, currency: string, path: string): Value | Fault {
  const { type, amount, percent } = charge
  if ((amount === undefined) === (percent === undefined)) {
    return { path, message: 'must have either amount or percent' }
  }
  if (percent !== undefined) {
    if (!BY_PERCENT.has(type)) return { path: `${path}.percent`, message: `is none of ${type}` }
    return readPercent(percent, `${path}.percent`)
  }
  if (type === 'FOREIGN_CURRENCY') return { path: `${path}.amount`, message: 'must be a percent' }
  const parsed = parseAmount(amount ?? '', currency)
  if (!parsed.ok) return { path: `${path}.amount`, message: parsed.message, rests_on: ['currency'] }
  if (parsed.minor === 0n) return { path: `${path}.amount`, message: 'must be above zero' }
  return { amount: parsed.minor.toString() }
}

function readPercent(value: number | string, path: string): Value | Fault {
  const read = parseTenThousandths(value)
  if (!read.ok) return { path, message: read.message }
  if (read.units === 0n || read.units > WHOLE) {
    return { path, message: 'must be above 0 and at most 100' }
  }
  return { percent: Number(read.units) }
}

/** The charges as answered: amounts in major units, percentages as numbers. */
export function presentCharges(stored: readonly StoredCharge[], currency: string) {
  return stored.map(({ amount, percent, ...rest }) => ({
    ...rest,
    ...(amount !== undefined && { amount: formatAmount(BigInt(amount), currency) }),
    ...(percent !== undefined && { percent: percent / 10_000 }),
  }))
}

/** The charge of a type, if the product has one. */
export const chargeOf = (
  charges: readonly StoredCharge[],
  type: ProductChargeType,
): StoredCharge | undefined => charges.find((charge) => charge.type === type)

/**
 * The charge for `of`, minor units. A percentage is rounded half-even to the minor unit and may
 * come to nothing; a fixed charge does not depend on `of`.
 */
export function chargedOn({ amount, percent }: StoredCharge, of: bigint): bigint {
  if (amount !== undefined) return BigInt(amount)
  return divideHalfEven(of * BigInt(percent ?? 0), BigInt(WHOLE))
}
