/** What a checkout request must be (D-81, D-82). Every fault is told, not only the first. */

import { toAlpha2 } from '#lib/country.ts'
import { isCurrency } from '#lib/currency.ts'
import { parseDecimal4 } from '#lib/money.ts'
import { allow, type Fault, type Ruling, refuse } from '#lib/ruling.ts'
import type { NewCheckout } from '../schema.ts'

export type CheckoutTerms = {
  /** Hosts to which it may lead back; none named means any (D-84). */
  callback_hosts: readonly string[]
  /** Addresses without encryption are for the sandbox. */
  plain_http: boolean
}

/** Amounts in ten-thousandths of a major unit; `amount` in minor units, what the card pays. */
export type CheckoutPlan = {
  reference: string
  currency: string
  total: bigint
  amount: bigint
  tax_amount: bigint | null
  shipping_amount: bigint | null
  discount: bigint | null
}

/** DE4 has twelve digits. */
const AMOUNT_MAX = 999_999_999_999n
const PLAN = 'pay-now'
/** It stands in a path: no slash, and no colon, which begins a verb there. */
const REFERENCE = /^[^\s/:\p{C}]{1,100}$/u
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/

export function ruleOnCheckout(
  request: NewCheckout,
  terms: CheckoutTerms,
): Ruling<CheckoutPlan, 'validation_failed'> {
  const faults: Fault[] = []
  const note = (path: string, message: string) => void faults.push({ path, message })

  const reference = String(request.reference)
  if (!REFERENCE.test(reference) || reference === '.' || reference === '..') {
    note('reference', 'must be 1 to 100 characters without space, slash and colon')
  }
  for (const path of ['confirm_callback_url', 'reject_callback_url'] as const) {
    const message = callbackFault(request[path], terms)
    if (message) note(path, message)
  }
  if ((request.plan ?? PLAN) !== PLAN) note('plan', `must be ${PLAN}`)
  noteOrderFaults(request, note)

  const known = isCurrency(request.currency)
  if (!known) note('currency', 'is not a currency of ISO 4217')
  const money = known ? readAmounts(request, note) : undefined
  if (!money || faults.length > 0) return refuse('validation_failed', { errors: faults })
  return allow({ reference, currency: request.currency, ...money })
}

type Note = (path: string, message: string) => void

function readAmounts({ total: given, currency, order }: NewCheckout, note: Note) {
  const optional = (name: 'tax_amount' | 'shipping_amount' | 'discount'): bigint | null => {
    const value = order?.[name] ?? ''
    if (value === '') return null
    const read = parseDecimal4(value, currency)
    if (!read.ok) note(`order.${name}`, read.message)
    return read.ok ? read.ten_thousandths : null
  }
  const others = {
    tax_amount: optional('tax_amount'),
    shipping_amount: optional('shipping_amount'),
    discount: optional('discount'),
  }
  const read = parseDecimal4(given, currency)
  if (!read.ok) return void note('total', read.message)
  const { ten_thousandths: total, minor: amount } = read
  if (amount === 0n) return void note('total', `must be at least the smallest unit of ${currency}`)
  if (amount > AMOUNT_MAX) return void note('total', 'is more than a card payment can be')
  return { total, amount, ...others }
}

function callbackFault(text: string, { callback_hosts, plain_http }: CheckoutTerms) {
  const url = URL.parse(text)
  const schemes = plain_http ? ['https:', 'http:'] : ['https:']
  if (!url || !schemes.includes(url.protocol) || url.username || url.password) {
    return `must be an address that begins with ${schemes.join(' or ')}//`
  }
  const allowed = callback_hosts.map((host) => host.toLowerCase())
  if (allowed.length > 0 && !allowed.includes(url.hostname)) {
    return 'is not on a host that this merchant has registered'
  }
  return undefined
}

function noteOrderFaults({ order }: NewCheckout, note: Note): void {
  const email = order?.customer?.email ?? ''
  if (email !== '' && !EMAIL.test(email)) note('order.customer.email', 'is not an e-mail address')
  for (const name of ['billing_address', 'shipping_address'] as const) {
    const country = order?.[name]?.country ?? ''
    const isAlpha2 = country.length === 2 && toAlpha2(country) !== undefined
    if (country !== '' && !isAlpha2)
      note(`order.${name}.country`, 'is not an ISO 3166 alpha-2 code')
  }
}
