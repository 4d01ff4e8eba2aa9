/**
 * The order as the customer sees it (D-703). Shops send any text in a line, so unreadable parts are
 * left out, and a sum is shown only if it adds up.
 */

import { parseShown4 } from '#lib/money.ts'
import { isCleanText } from '#lib/text.ts'
import type { Line, NewCheckout } from '../schema.ts'
import { amountsOf, isPlainHost } from './request.ts'

/** Amounts in ten-thousandths of a major unit of `currency`. */
export type SummaryLine = {
  /** Empty if the shop sends no name. */
  title: string
  /** Decimal text, such as `2` or `1.5`. */
  quantity: string | null
  /** The price of one, if the price is known to be that of one and there are several. */
  each: bigint | null
  /** The price as the shop sends it; for all of the line if `each` is known. */
  price: bigint | null
  currency: string
  /** An https address. */
  picture: string | null
}

export type Summary = {
  lines: SummaryLine[]
  /** The sum of the lines, if it adds up to the total with the members below. */
  subtotal: bigint | null
  shipping: bigint | null
  tax: bigint | null
  discount: bigint | null
  total: bigint
}

/** Different origins of pictures on one page; further pictures are left out. */
const ORIGINS_MAX = 4
const UNIT = 10_000n
const NAME_MAX = 300

type Priced = { quantity: bigint | null; price: bigint | null; currency: string }

export function summaryOf(
  request: NewCheckout,
  { total, currency }: { total: bigint; currency: string },
): Summary {
  const { tax_amount: tax, shipping_amount: shipping, discount } = amountsOf(request)
  const sent = request.order?.lines ?? []
  const priced = sent.map((line) => pricedOf(line, currency))
  // Prices contain the tax in some shops and not in others.
  const net = total - (shipping ?? 0n) + (discount ?? 0n)
  const meaning = meaningOf(priced, currency, [net, net - (tax ?? 0n)])
  const lines = sent.map((line, at) => lineOf(line, priced[at], meaning?.of))
  const others = [tax, shipping, discount].filter((amount) => amount !== null && amount !== 0n)
  return {
    lines: withinOrigins(lines),
    subtotal: meaning && others.length > 0 ? meaning.sum : null,
    shipping,
    tax,
    discount,
    total,
  }
}

/** Every origin from which the page shows pictures. */
export const pictureOrigins = ({ lines }: Summary): string[] => [
  ...new Set(lines.flatMap(({ picture }) => (picture === null ? [] : [new URL(picture).origin]))),
]

/** Whether prices are of one item or of a line: whichever adds up to one of the sums. */
function meaningOf(priced: readonly Priced[], currency: string, sums: readonly bigint[]) {
  const isWhole = priced.every((line) => line.price !== null && line.currency === currency)
  if (priced.length === 0 || !isWhole) return undefined
  const add = (amountOf: (line: Priced) => bigint) =>
    priced.reduce((sum, line) => sum + amountOf(line), 0n)
  const ofOne = add((line) => allOf(line) ?? 0n)
  const ofLine = add(({ price }) => price ?? 0n)
  if (sums.includes(ofOne)) return { of: 'one' as const, sum: ofOne }
  return sums.includes(ofLine) ? { of: 'line' as const, sum: ofLine } : undefined
}

const allOf = ({ price, quantity }: Priced): bigint | null =>
  price === null ? null : (price * (quantity ?? UNIT)) / UNIT

function lineOf(line: Line, priced: Priced | undefined, meaning: 'one' | 'line' | undefined) {
  const { quantity = null, price = null, currency = '' } = priced ?? {}
  const isOfOne = meaning === 'one' && quantity !== null && quantity !== UNIT
  return {
    title: [line.title, line.sku, line.reference].map(nameOf).find((name) => name !== '') ?? '',
    quantity: quantity === null ? null : plainText(quantity),
    each: isOfOne ? price : null,
    price: isOfOne ? allOf({ price, quantity, currency }) : price,
    currency,
    picture: pictureOf(line.image_url),
  }
}

const nameOf = (value: unknown): string => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return isCleanText(text) ? text.slice(0, NAME_MAX) : ''
}

function pricedOf({ price, quantity, currency: own }: Line, currency: string): Priced {
  const isOwn = typeof own === 'string' && own !== '' && own !== currency
  return {
    price: readNumber(price),
    quantity: readNumber(quantity),
    currency: isOwn ? own : currency,
  }
}

/** The number in ten-thousandths, to which it is rounded; null if it is no number. */
function readNumber(value: unknown): bigint | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const read = parseShown4(typeof value === 'string' ? value.trim() : value)
  return read.ok ? read.units : null
}

function plainText(units: bigint): string {
  const fraction = String(units % UNIT)
    .padStart(4, '0')
    .replace(/(?<!0)0+$/, '')
  return `${units / UNIT}${fraction && `.${fraction}`}`
}

/** Only https: a page with a form for cards loads nothing that others on the line could change. */
function pictureOf(value: unknown): string | null {
  const url = typeof value === 'string' ? URL.parse(value) : null
  const isFit = url?.protocol === 'https:' && url.username === '' && url.password === ''
  return isFit && isPlainHost(url) ? url.href : null
}

function withinOrigins(lines: readonly SummaryLine[]): SummaryLine[] {
  const origins = new Set<string>()
  return lines.map((line) => {
    if (line.picture === null) return line
    const { origin } = new URL(line.picture)
    if (origins.size < ORIGINS_MAX) origins.add(origin)
    return origins.has(origin) ? line : { ...line, picture: null }
  })
}
