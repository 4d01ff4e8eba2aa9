/** The meaning of a record of a clearing file, and what posting takes of it. Pure. */

import type { ClearingRecord } from '#clearing/record.ts'
import type { EntryMode, Merchant, Pos } from '#issuing/transactions/schema.ts'
import { toAlpha3 } from '#lib/country.ts'
import { currencyOfNumeric, exponentOf } from '#lib/currency.ts'

/** The kinds of records; a DISPUTE is what a dispute of a cardholder is answered with. */
export const recordKinds = [
  ...(['PRESENTMENT', 'REVERSAL', 'FEE', 'DISPUTE', 'TOTALS', 'OTHER'] as const),
] as const
export type RecordKind = (typeof recordKinds)[number]

/** Amounts in minor units, as text: JSON has no bigint. */
export type Facts = {
  processing_code: string
  rrn?: string
  approval_code?: string
  trace_id?: string
  acquirer_id?: string
  local_time?: string
  local_date?: string
  merchant: Merchant
  pos: Pos
  entry_mode: EntryMode
  /** The amount that the network bills (DE6 in DE51), and its rate. */
  billed?: { amount: string; currency: string; rate: string }
}

export type Meaning = {
  kind: RecordKind
  function_code: string
  /** The card number (DE2). */
  pan: string | undefined
  amount: bigint | undefined
  currency: string | undefined
  /** Whether the cardholder, or the issuer, gets the money. */
  credit: boolean
  ard: string | undefined
  facts: Facts
}

export type Read = { ok: true; meaning: Meaning } | { ok: false; reason: string }
const failed = (reason: string): Read => ({ ok: false, reason })

/** Not ok: a record with an amount that no account could have. */
export function meaningOf(record: ClearingRecord): Read {
  const { mti, elements, subelements } = record
  // An administrative message moves nothing, whatever amounts it has.
  const money = mti === ADMINISTRATIVE ? undefined : moneyOf(record, 4, 49)
  if (money !== undefined && 'reason' in money) return failed(money.reason)
  const billed = moneyOf(record, 6, 51)
  if (billed !== undefined && 'reason' in billed) return failed(billed.reason)
  const kind = kindOf(record)
  if (money === undefined && MONEY.has(kind)) return failed('DE4 or DE49 is missing')
  const processing_code = elements.get(3) ?? ''
  const isCredit = processing_code.startsWith('2')
  return {
    ok: true,
    meaning: {
      kind,
      function_code: elements.get(24) ?? '',
      pan: elements.get(2),
      amount: money?.amount,
      currency: money?.currency,
      credit: (kind !== 'DISPUTE' && isCredit) !== isReversal(subelements),
      ard: elements.get(31) || undefined,
      facts: factsOf(record, processing_code, money, billed),
    },
  }
}

const ADMINISTRATIVE = '1644'
/** Kinds that cannot be without an amount. */
const MONEY: ReadonlySet<RecordKind> = new Set(['PRESENTMENT', 'REVERSAL', 'FEE', 'DISPUTE'])

const isReversal = (subelements: ReadonlyMap<string, string>): boolean =>
  subelements.get('0025')?.startsWith('R') === true

const SECOND_PRESENTMENTS: ReadonlySet<string> = new Set(['205', '282'])
const CHARGEBACKS: ReadonlySet<string> = new Set(['450', '451', '453', '454'])
const RECONCILIATIONS: ReadonlySet<string> = new Set(['685', '688'])

function kindOf({ mti, elements, subelements }: ClearingRecord): RecordKind {
  const code = elements.get(24) ?? ''
  if (mti === '1240' && code === '200') return isReversal(subelements) ? 'REVERSAL' : 'PRESENTMENT'
  if (mti === '1240' && SECOND_PRESENTMENTS.has(code)) return 'DISPUTE'
  if (mti === '1442' && CHARGEBACKS.has(code)) return 'DISPUTE'
  if (mti === '1740') return 'FEE'
  return mti === ADMINISTRATIVE && RECONCILIATIONS.has(code) ? 'TOTALS' : 'OTHER'
}

type Money = { amount: bigint; currency: string }

/**
 * An amount with its currency, in minor units of ISO 4217: PDS 0148 may give the currency another
 * exponent. Undefined where one of both is missing.
 */
function moneyOf(
  { elements, subelements }: ClearingRecord,
  amount: number,
  code: number,
): Money | { reason: string } | undefined {
  const [digits, numeric] = [elements.get(amount), elements.get(code)]
  if (digits === undefined || numeric === undefined) return undefined
  const currency = currencyOfNumeric(numeric)
  if (currency === undefined) return { reason: `DE${code} is ${numeric}, which is no currency` }
  const given = exponentIn(subelements.get('0148') ?? '', numeric) ?? exponentOf(currency)
  const steps = exponentOf(currency) - given
  const units = BigInt(digits)
  if (steps >= 0) return { amount: units * 10n ** BigInt(steps), currency }
  const divisor = 10n ** BigInt(-steps)
  if (units % divisor === 0n) return { amount: units / divisor, currency }
  return { reason: `DE${amount} has more decimals than ${currency} (PDS0148 has ${given})` }
}

const PAIR = 4

function exponentIn(pairs: string, numeric: string): number | undefined {
  for (let at = 0; at + PAIR <= pairs.length; at += PAIR) {
    if (pairs.slice(at, at + 3) === numeric) return Number(pairs[at + 3])
  }
  return undefined
}

function factsOf(
  { elements }: ClearingRecord,
  processing_code: string,
  money: Money | undefined,
  billed: Money | undefined,
): Facts {
  const trimmed = (number: number) => elements.get(number)?.trim() || undefined
  const at = elements.get(12)
  const entry_mode = entryModeOf(elements.get(22))
  const members = {
    rrn: trimmed(37),
    approval_code: trimmed(38),
    trace_id: elements.get(63)?.slice(1).trim() || undefined,
    acquirer_id: trimmed(32),
    local_time: at?.slice(6),
    local_date: at?.slice(2, 6),
    billed: money && billed && billedOf(money, billed),
  }
  return {
    processing_code,
    merchant: merchantOf(elements),
    pos: posOf(elements, entry_mode, processing_code),
    entry_mode,
    ...withoutAbsent(members),
  }
}

type Present<Members> = { [Name in keyof Members]?: Exclude<Members[Name], undefined> }

const withoutAbsent = <Members extends object>(members: Members): Present<Members> =>
  // The rest has no member that is undefined.
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Present<Members>

/** Digits behind the point of a rate. */
const RATE_DIGITS = 12n

/** The rate is that of the two amounts, in major units: DE10 is the same, rounded. */
function billedOf(from: Money, to: Money): NonNullable<Facts['billed']> {
  const over = to.amount * 10n ** BigInt(exponentOf(from.currency)) * 10n ** RATE_DIGITS
  const under = from.amount * 10n ** BigInt(exponentOf(to.currency))
  const scaled = under === 0n ? 0n : over / under
  const digits = String(scaled).padStart(Number(RATE_DIGITS) + 1, '0')
  const [whole, rest] = [digits.slice(0, -Number(RATE_DIGITS)), digits.slice(-Number(RATE_DIGITS))]
  const fraction = withoutZeros(rest)
  const rate = fraction === '' ? whole : `${whole}.${fraction}`
  return { amount: String(to.amount), currency: to.currency, rate }
}

/** Without the zeros at its end. */
function withoutZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** name\street\city\ and then postcode 10, region 3, country 3. */
function merchantOf(elements: ReadonlyMap<number, string>): Merchant {
  const [name = '', , city = '', tail = ''] = (elements.get(43) ?? '').split('\\')
  const members = {
    id: elements.get(42)?.trim() || undefined,
    name: name.trim() || undefined,
    mcc: elements.get(26),
    city: city.trim() || undefined,
    country: toAlpha3(tail.slice(-3)),
  }
  return withoutAbsent(members)
}

/** The seventh character of DE22: how the card was read. */
const entryModes: Readonly<Record<string, EntryMode>> = {
  '1': 'MANUAL',
  '2': 'MAGSTRIPE',
  '5': 'CHIP',
  '6': 'MANUAL',
  '7': 'CREDENTIAL_ON_FILE',
  A: 'CONTACTLESS',
  B: 'MAGSTRIPE',
  C: 'CHIP',
  F: 'CHIP',
  M: 'CONTACTLESS',
  N: 'CONTACTLESS',
  R: 'ECOMMERCE',
  S: 'ECOMMERCE',
  T: 'ECOMMERCE',
}
const ENTRY_AT = 6
const AUTOMATED_CASH = '6011'

const entryModeOf = (code: string | undefined): EntryMode =>
  entryModes[code?.charAt(ENTRY_AT) ?? ''] ?? 'UNKNOWN'

function posOf(
  elements: ReadonlyMap<number, string>,
  entry_mode: EntryMode,
  processing_code: string,
): Pos {
  const terminal_id = elements.get(41)?.trim()
  const isAtm = elements.get(26) === AUTOMATED_CASH && processing_code.startsWith('01')
  const isOnline = entry_mode === 'ECOMMERCE' || entry_mode === 'CREDENTIAL_ON_FILE'
  const environment = isOnline ? 'ECOMMERCE' : isAtm ? 'ATM' : 'POS'
  return { entry_mode, environment, ...(terminal_id && { terminal_id }) }
}
