/**
 * Money as whole minor units in a bigint, always beside its currency. On the wire amounts are
 * decimal numbers of major units (D-6); nothing in between is a float.
 */

import { exponentOf } from './currency.ts'

export type ParsedAmount = { ok: true; minor: bigint } | { ok: false; message: string }

/** An amount with up to four decimals, and the part of it that is moved on a card (D-81). */
export type ParsedDecimal =
  | { ok: true; ten_thousandths: bigint; minor: bigint }
  | { ok: false; message: string }

/** The most significant digits of an amount: a double holds so many exactly (D-6). */
const DIGITS_MAX = 15
/** Longer text cannot be an amount within DIGITS_MAX, whatever its zeros. */
const TEXT_MAX = 40

const DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/

/**
 * Reads a decimal number of major units, or the same as text, into minor units. Text is plain:
 * no sign, exponent, space or leading zeros, and no more decimals than the currency has. A number
 * means its shortest decimal text. Rejected with a message: negative, NaN, infinite, too many
 * decimals, more than 15 significant digits. Throws when `currency` is no currency.
 */
export function parseAmount(value: number | string, currency: string): ParsedAmount {
  const decimals = exponentOf(currency)
  const read = readDecimal(value, decimals)
  if (read.ok) return { ok: true, minor: read.units }
  return read.tooFine ? no(`has more decimals than ${currency} (${decimals})`) : no(read.message)
}

/**
 * Reads an amount of the merchant API: a number or numeric text of up to four decimals, behind
 * which zeros are nothing. `minor` is rounded half-even to the decimals of the currency,
 * `ten_thousandths` is as given (D-81, D-1009).
 */
export function parseDecimal4(value: number | string, currency: string): ParsedDecimal {
  const divisor = tenTo(4 - exponentOf(currency))
  const read = readDecimal(typeof value === 'string' ? withoutFinerZeros(value) : value, 4)
  if (!read.ok) return no(read.tooFine ? 'has more than four decimals' : read.message)
  return { ok: true, ten_thousandths: read.units, minor: divideHalfEven(read.units, divisor) }
}

const withoutFinerZeros = (text: string): string => text.replace(/^(\d+\.\d{4})0+$/, '$1')

/**
 * Reads an amount that is shown and not moved, such as one that a shop has computed, rounded
 * half-even to four decimals (D-1009). Less than half a ten-thousandth below zero is zero.
 */
export function parseShown4(
  value: number | string,
): { ok: true; units: bigint } | { ok: false; message: string } {
  if (typeof value === 'number' && !Number.isFinite(value)) return no('must be a finite number')
  const text = typeof value === 'number' ? plainText(value) : value
  const [, sign = '', whole = '', fraction = ''] = SHOWN.exec(text) ?? []
  if (whole === '') return no('must be a decimal number such as 100.5')
  const digits = BigInt(whole + fraction.padEnd(4, '0'))
  const units = divideHalfEven(digits, tenTo(Math.max(0, fraction.length - 4)))
  if (units >= tenTo(DIGITS_MAX)) return no(`must have at most ${DIGITS_MAX} digits`)
  return sign !== '' && units > 0n ? no('must not be negative') : { ok: true, units }
}

/** The smallest double has 324 decimals before its digits. */
const SHOWN = /^(-?)(0|[1-9][0-9]{0,39})(?:\.([0-9]{1,400}))?$/

/** The shortest text of a number without its exponent, before which it has one digit. */
function plainText(value: number): string {
  const [, sign = '', whole = '', fraction = '', power = ''] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? []
  if (power === '') return String(value)
  const shift = Number(power)
  if (shift > 0) return `${sign}${whole}${fraction.padEnd(shift, '0')}`
  return `${sign}0.${'0'.repeat(-shift - 1)}${whole}${fraction}`
}

/** Reads a plain decimal of up to four decimals that is no amount, such as a percentage. */
export function parseTenThousandths(
  value: number | string,
): { ok: true; units: bigint } | { ok: false; message: string } {
  const read = readDecimal(value, 4)
  if (read.ok) return read
  return no(read.tooFine ? 'has more than four decimals' : read.message)
}

/** Minor units as the decimal number of a JSON answer. Exact up to 15 significant digits. */
export function formatAmount(minor: bigint, currency: string): number {
  return Number(decimalText(minor, exponentOf(currency)))
}

/**
 * Minor units with a fixed number of decimals, at least those of the currency: 10000 AED with 4
 * is '100.0000'.
 */
export function formatFixed(minor: bigint, currency: string, decimals: number): string {
  const more = decimals - exponentOf(currency)
  if (more < 0) throw new RangeError(`${currency} has more than ${decimals} decimals`)
  return decimalText(minor * tenTo(more), decimals)
}

/** Minor units with as many decimals as the currency has: 10000 AED is '100.00'. */
export function formatDecimal(minor: bigint, currency: string): string {
  return decimalText(minor, exponentOf(currency))
}

/** The text of `ten_thousandths`: 1001250n is '100.1250'. */
export function formatTenThousandths(units: bigint): string {
  return decimalText(units, 4)
}

/**
 * True for a rate that `convert` accepts: '3.6725' or '1/3', positive, each part with up to 12
 * digits before and 12 after the point.
 */
export function isRate(rate: string): boolean {
  return readRate(rate) !== undefined
}

/**
 * Converts minor units of `from` into minor units of `to`. The rate is how many major units of `to`
 * one major unit of `from` is worth, as decimal text or a fraction of two. The result is rounded
 * half-even once, at the end. Throws if `isRate` is false.
 */
export function convert(minor: bigint, from: string, to: string, rate: string): bigint {
  const parts = readRate(rate)
  if (parts === undefined) throw new TypeError('not a rate of exchange')
  const numerator = minor * parts.numerator * tenTo(exponentOf(to))
  return divideHalfEven(numerator, parts.denominator * tenTo(exponentOf(from)))
}

/**
 * The portion of `whole` that belongs to `part` of `of`. The rest of it is rounded half-even, so
 * that parts taken one after another add up to exactly `whole`. A `part` that is not less than `of`
 * is all.
 */
export function portionOf(whole: bigint, of: bigint, part: bigint): bigint {
  if (part === 0n) return 0n
  if (part >= of) return whole
  if (whole === of) return part
  return whole - divideHalfEven(whole * (of - part), of)
}

/** Divides by a positive divisor and rounds to the nearest, a tie to the even neighbour. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  if (divisor <= 0n) throw new RangeError('divideHalfEven needs a positive divisor')
  const quotient = dividend / divisor
  const remainder = dividend % divisor
  const twice = 2n * (remainder < 0n ? -remainder : remainder)
  if (twice < divisor || (twice === divisor && quotient % 2n === 0n)) return quotient
  return quotient + (dividend < 0n ? -1n : 1n)
}

type ReadDecimal =
  | { ok: true; units: bigint }
  | { ok: false; tooFine: true }
  | { ok: false; tooFine: false; message: string }

function readDecimal(value: number | string, decimals: number): ReadDecimal {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return bad('must be a finite number')
    if (value < 0) return bad('must not be negative')
    // The shortest text of a double has an exponent only beyond these bounds.
    if (value >= 1e21) return bad(`must have at most ${DIGITS_MAX} digits`)
    if (value !== 0 && value < 1e-6) return { ok: false, tooFine: true }
    return readDecimalText(String(value), decimals)
  }
  if (value.length > TEXT_MAX) return bad(`must have at most ${DIGITS_MAX} digits`)
  if (/^-[0-9.]+$/.test(value)) return bad('must not be negative')
  return readDecimalText(value, decimals)
}

function readDecimalText(text: string, decimals: number): ReadDecimal {
  const match = DECIMAL.exec(text)
  if (match === null) return bad('must be a decimal number such as 100.5')
  const [, whole = '', fraction = ''] = match
  const significant = (whole + fraction.replace(/(?<!0)0+$/, '')).replace(/^0+/, '')
  if (significant.length > DIGITS_MAX) return bad(`must have at most ${DIGITS_MAX} digits`)
  if (fraction.length > decimals) return { ok: false, tooFine: true }
  return { ok: true, units: BigInt(whole + fraction.padEnd(decimals, '0')) }
}

const bad = (message: string): ReadDecimal => ({ ok: false, tooFine: false, message })

const no = (message: string) => ({ ok: false, message }) as const

/** Digits before and after the point of each part of a rate. */
const RATE_DIGITS = 12
const RATE_PART = /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,12}))?$/

function readRate(rate: string): { numerator: bigint; denominator: bigint } | undefined {
  const [over = '', under = '1', ...rest] = rate.split('/', 3)
  const [numerator, denominator] = [readRatePart(over), readRatePart(under)]
  return numerator && denominator && rest.length === 0 ? { numerator, denominator } : undefined
}

/** The part in units of its last possible digit; undefined or zero if it is no part of a rate. */
function readRatePart(text: string): bigint | undefined {
  const match = RATE_PART.exec(text)
  return match ? BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(RATE_DIGITS, '0')) : undefined
}

function decimalText(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const sign = units < 0n ? '-' : ''
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
}

const tenTo = (power: number): bigint => 10n ** BigInt(power)

/** The smaller of two amounts of one currency. */
export const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)
