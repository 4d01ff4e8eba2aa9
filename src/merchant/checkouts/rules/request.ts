/** Validates a checkout request (D-81, D-82) and returns every fault, not only the first. */

import { toAlpha2 } from '#lib/country.ts'
import { isCurrency } from '#lib/currency.ts'
import { formatTenThousandths, parseDecimal4, parseShown4 } from '#lib/money.ts'
import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import { withoutSurround } from '#lib/surround.ts'
import type { Line, NewCheckout, NewKeptPayment } from '../schema.ts'

export type CheckoutTerms = {
  /** Hosts of its callback URLs; an empty list allows any (D-84). */
  callback_hosts: readonly string[]
  /** Allows `http:` callback URLs, in the sandbox. */
  plain_http: boolean
}

/** Amounts in ten-thousandths of a major unit; `amount`, which the card pays, in minor units. */
export type PaymentPlan = Amounts & {
  reference: string
  currency: string
  total: bigint
  amount: bigint
}

export type CheckoutPlan = PaymentPlan & {
  /** Normalized, so that they fit into a header (D-128). */
  confirm_callback_url: string
  reject_callback_url: string
}

type Amounts = Record<'tax_amount' | 'shipping_amount' | 'discount', bigint | null>

/** DE4 has twelve digits. */
const AMOUNT_MAX = 999_999_999_999n
const PLAN = 'pay-now'
/** It is a segment of a path: no slash, and no colon, which begins a verb there (D-904). */
const REFERENCE = /^[^\s/:\p{C}]{1,100}$/u
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/
/** The longest normalized address in a header. */
const URL_MAX = 4_000
/** Amounts are checked in this currency if the requested one is at fault. */
const ANY_CURRENCY = 'AED'

/** Members of the wrong shape are left out (D-1000); absent members are not checked here. */
export function checkCheckout(
  request: Partial<NewCheckout>,
  terms: CheckoutTerms,
): Result<CheckoutPlan, 'validation_failed'> {
  const faults: Fault[] = []
  const note: Note = (path, message) => void faults.push({ path, message })

  noteReferenceFaults(request, note)
  const confirm_callback_url = readCallback('confirm_callback_url', request, terms, note)
  const reject_callback_url = readCallback('reject_callback_url', request, terms, note)
  if ((request.plan || PLAN) !== PLAN) note('plan', `must be ${PLAN}`)
  const payment = readPayment(request, note)
  if (!payment || !confirm_callback_url || !reject_callback_url || faults.length > 0) {
    return fail('validation_failed', { errors: faults })
  }
  return ok({ ...payment, confirm_callback_url, reject_callback_url })
}

/** The same of a payment without a page (D-775). */
export function checkPayment(
  request: Partial<NewKeptPayment>,
): Result<PaymentPlan, 'validation_failed'> {
  const faults: Fault[] = []
  const note: Note = (path, message) => void faults.push({ path, message })
  noteReferenceFaults(request, note)
  const payment = readPayment(request, note)
  if (!payment || faults.length > 0) return fail('validation_failed', { errors: faults })
  return ok(payment)
}

/** The reference that the customer sees; one that is blank shows nothing (D-81, D-903). */
export function displayReferenceOf(request: NewKeptPayment): string | number {
  const shown = request.display_reference ?? ''
  return String(shown).trim() === '' ? request.reference : shown
}

type Note = (path: string, message: string) => void

function noteReferenceFaults(request: Partial<NewKeptPayment>, note: Note): void {
  const reference = String(request.reference)
  if (!REFERENCE.test(reference) || reference === '.' || reference === '..') {
    note('reference', 'must be 1 to 100 visible characters without space, slash and colon')
  }
}

/** Undefined if the total is at fault or absent. */
function readPayment(request: Partial<NewKeptPayment>, note: Note): PaymentPlan | undefined {
  noteOrderFaults(request, note)
  const { currency = ANY_CURRENCY } = request
  const known = isCurrency(currency)
  if (!known) note('currency', 'is not a currency of ISO 4217')
  const money = readTotal(request, known ? currency : undefined, note)
  const amounts = readAmounts(request, note)
  return money && { reference: String(request.reference), currency, ...money, ...amounts }
}

function readTotal(
  { total: requested }: Partial<NewKeptPayment>,
  currency: string | undefined,
  note: Note,
) {
  if (requested === undefined) return undefined
  const read = parseDecimal4(requested, currency ?? ANY_CURRENCY)
  if (!read.ok) return void note('total', read.message)
  if (currency === undefined) return undefined
  const { ten_thousandths: total, minor: amount } = read
  if (amount === 0n) return void note('total', `must be at least the smallest unit of ${currency}`)
  if (amount > AMOUNT_MAX) return void note('total', 'is more than a card payment can be')
  return { total, amount }
}

/** The other amounts of a request that was validated before. */
export const amountsOf = (request: NewKeptPayment): Amounts => readAmounts(request, () => {})

/** None of them is moved on a card, so they are rounded (D-1009). */
function readAmounts({ order }: Partial<NewKeptPayment>, note: Note): Amounts {
  const optional = (name: keyof Amounts): bigint | null => {
    const value = order?.[name] ?? ''
    if (value === '') return null
    const read = parseShown4(name === 'discount' ? unsigned(value) : value)
    if (!read.ok) note(`order.${name}`, read.message)
    return read.ok ? read.units : null
  }
  return {
    tax_amount: optional('tax_amount'),
    shipping_amount: optional('shipping_amount'),
    discount: optional('discount'),
  }
}

/**
 * The request with the prices of its lines as they are shown, where one that is no number stays,
 * and its e-mail addresses and phone numbers without what a phone's contacts put around them.
 */
export function asStored<Request extends NewKeptPayment>(request: Request): Request {
  const { order } = request
  if (!order) return request
  const { lines, customer, billing_address, shipping_address } = order
  return {
    ...request,
    order: {
      ...order,
      ...(lines && { lines: lines.map((line) => ({ ...line, ...roundedPrice(line) })) }),
      ...(customer && { customer: cut(cut(customer, 'email'), 'phone') }),
      ...(billing_address && { billing_address: cut(billing_address, 'phone') }),
      ...(shipping_address && { shipping_address: cut(shipping_address, 'phone') }),
    },
  }
}

function cut<Contact extends object, Name extends string>(
  contact: Contact & { [name in Name]?: unknown },
  name: Name,
): Contact {
  const text = contact[name]
  return typeof text === 'string' ? { ...contact, [name]: withoutSurround(text) } : contact
}

function roundedPrice({ price }: Line): Line {
  const isSent = typeof price === 'number' || typeof price === 'string'
  const read = isSent ? parseShown4(price) : undefined
  if (!read?.ok || isWithinFour(String(price))) return {}
  const text = formatTenThousandths(read.units)
  return { price: typeof price === 'number' ? Number(text) : text }
}

const isWithinFour = (text: string) => !/\.\d{5}|e-/.test(text)

/** Shops differ in the sign of a discount; its absolute value counts (D-126). */
const unsigned = (value: number | string) =>
  typeof value === 'number' ? Math.abs(value) : value.replace(/^-/, '')

/**
 * A name or an IP address: the parser of URLs also takes `*`, `;` and `,`, which have a meaning of
 * their own in the policy of the page (D-902).
 */
export const isPlainHost = ({ hostname }: URL): boolean =>
  /^(?:[\w.-]+|\[[\da-f:.]+\])$/.test(hostname)

type Callback = 'confirm_callback_url' | 'reject_callback_url'

function readCallback(
  name: Callback,
  request: Partial<NewCheckout>,
  { callback_hosts, plain_http }: CheckoutTerms,
  note: Note,
): string | undefined {
  const text = request[name]
  if (text === undefined) return undefined
  const url = URL.parse(text)
  const schemes = plain_http ? ['https:', 'http:'] : ['https:']
  if (!url || !schemes.includes(url.protocol)) {
    const begins = schemes.map((scheme) => `${scheme}//`).join(' or ')
    return void note(name, `must be an address that begins with ${begins}`)
  }
  if (url.username || url.password) return void note(name, 'must not contain a name or password')
  if (!isPlainHost(url)) return void note(name, 'must have a host of letters, digits, . and -')
  // A browser drops some of these when it parses an address.
  if (/\p{Cc}/u.test(text)) return void note(name, 'must not contain control characters')
  if (url.href.length > URL_MAX) return void note(name, 'is too long')
  const allowed = callback_hosts.map((host) => host.toLowerCase())
  if (allowed.length > 0 && !allowed.includes(url.hostname)) {
    return void note(name, 'is not on a host that this merchant has registered')
  }
  return url.href
}

function noteOrderFaults({ order }: Partial<NewKeptPayment>, note: Note): void {
  const email = withoutSurround(order?.customer?.email ?? '')
  if (email !== '' && !EMAIL.test(email)) note('order.customer.email', 'is not an e-mail address')
  for (const name of ['billing_address', 'shipping_address'] as const) {
    const country = order?.[name]?.country ?? ''
    const isAlpha2 = country.length === 2 && toAlpha2(country) !== undefined
    if (country !== '' && !isAlpha2)
      note(`order.${name}.country`, 'is not an ISO 3166 alpha-2 code')
  }
}
