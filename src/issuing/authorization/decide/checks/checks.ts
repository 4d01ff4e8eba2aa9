/**
 * The checks of an authorization in their order: the first that declines gives the code (D-43,
 * D-44, D-106). The order is the documentation; docs/codes.md is generated from it.
 */

import { firstOfEach, type ShadowFinding } from '#issuing/shadows/rules.ts'
import { NOT_CHECKED, type StoredTrace } from '#issuing/transactions/rules.ts'
import { isCurrency } from '#lib/currency.ts'
import type { AuthorizationRequest } from '../../schema.ts'
import type { Case } from '../case.ts'
import { covered } from '../charges/charges.ts'
import { amountBounds, boundCodes } from './amount_bounds.ts'
import { cashTerminal } from './cash.ts'
import { declined, type Finding, NOT_VERIFIED, passed, UNANSWERED, unanswered } from './findings.ts'
import { balanceCodes, balanceLimits, velocity, velocityCodes } from './limit_checks.ts'
import { countries, mccs, merchants } from './lists.ts'
import { phone } from './phone.ts'
import { provePin } from './pin_keys.ts'
import { product } from './product.ts'
import {
  asks,
  chip,
  expiry,
  hasExpiry,
  hasPinToCheck,
  hasVerificationValue,
  verification,
  verificationTries,
} from './proofs.ts'
import { responder } from './responder.ts'
import { serviceCode } from './service_code.ts'
import { stopOrders } from './stop_orders.ts'
import { switchCodes, switches } from './switches.ts'

export type Check = {
  name: string
  /** Every code that it can give, in its own order of precedence. */
  codes: readonly string[]
  /**
   * Money that comes to the cardholder is stopped by fewer things than money that leaves, and a
   * refund, which returns money of an earlier purchase, by fewer still (D-118).
   */
  credits: 'all' | 'but refunds' | 'none'
  look: (input: Case) => Finding
  /** If this check declines, later checks lack their data and are not made. */
  ends?: true
  /**
   * Whether the message contains a value that a sender may be guessing. After an earlier decline
   * the value is not checked: a guess that is not counted gets no answer, in the trace neither
   * (D-467).
   */
  guesses?: (request: AuthorizationRequest) => boolean
}

const cardVerification: Check = {
  name: 'card verification',
  codes: ['1022', UNANSWERED],
  credits: 'none',
  look: verification,
  guesses: hasVerificationValue,
}

export const checks: readonly Check[] = [
  {
    name: 'format',
    codes: ['1846', '9104'],
    credits: 'all',
    ends: true,
    look: ({ request: { format_fault } }) =>
      format_fault ? declined(format_fault.status_code, format_fault.detail) : passed('complete'),
  },
  {
    name: 'reversal',
    codes: ['1894'],
    credits: 'all',
    look: ({ reversed_early }) =>
      reversed_early ? declined('1894', 'its reversal came first') : passed('none'),
  },
  {
    name: 'deadline',
    codes: ['1889'],
    credits: 'all',
    ends: true,
    look: ({ late }) => (late ? declined('1889', 'passed') : passed('in time')),
  },
  {
    name: 'card',
    codes: ['1018'],
    credits: 'all',
    ends: true,
    look: ({ card, lacks_product }) =>
      card || lacks_product ? passed('found') : declined('1018', 'no card has this number'),
  },
  { name: 'product', codes: ['1847', '1845'], credits: 'all', ends: true, look: product },
  {
    name: 'card status',
    codes: ['1816', '1809', '1001', '1003', '1806'],
    credits: 'but refunds',
    look: status,
  },
  { name: 'cardholder', codes: ['1019', '1892'], credits: 'but refunds', look: cardholder },
  { name: 'wallet', codes: ['1890'], credits: 'none', look: wallet },
  { name: 'verification tries', codes: ['1022'], credits: 'none', look: verificationTries },
  {
    name: 'expiry',
    codes: ['1804', '1001'],
    credits: 'none',
    look: expiry,
    guesses: hasExpiry,
  },
  { name: 'service code', codes: ['1848'], credits: 'none', look: serviceCode },
  { name: 'chip', codes: ['1810', UNANSWERED], credits: 'none', look: chip },
  cardVerification,
  { name: 'PIN tries', codes: ['1006'], credits: 'none', look: pinTries },
  {
    name: 'PIN',
    codes: ['1017', UNANSWERED],
    credits: 'none',
    look: pin,
    guesses: hasPinToCheck,
  },
  { name: 'transaction type', codes: ['1888'], credits: 'all', look: transactionType },
  { name: 'switches', codes: switchCodes, credits: 'all', look: switches },
  cashTerminal,
  phone,
  countries,
  mccs,
  merchants,
  { name: 'currency', codes: ['1888'], credits: 'all', look: currency },
  { name: 'amount', codes: ['1010'], credits: 'all', look: amount },
  { name: 'amount bounds', codes: boundCodes, credits: 'none', look: amountBounds },
  { name: 'velocity', codes: velocityCodes, credits: 'none', look: velocity },
  stopOrders,
  responder,
  { name: 'account', codes: ['1019'], credits: 'all', look: account },
  { name: 'funds', codes: ['1016'], credits: 'all', look: funds },
  { name: 'balance limits', codes: balanceCodes, credits: 'but refunds', look: balanceLimits },
]

/** The codes with which a request is declined before its CVV2 is checked. */
export const codesBeforeCvv2: ReadonlySet<string> = new Set(
  checks.slice(0, checks.indexOf(cardVerification)).flatMap(({ codes }) => codes),
)

/**
 * A card closed by the client gives 1809, one closed by the operator (D-897) or a replacement 1816
 * (D-106).
 */
const CLOSED_BY_CLIENT = new Set(['T0', 'T1', 'T2'])
/** The sweep has terminated it: 1001, as before the sweep (D-898). */
const EXPIRED = 'T4'

/** On the way to plastic, which must not take longer than the product allows (D-32). */
const MIGRATING = new Set(['AT', 'ST'])

function status({ card, now }: Case): Finding {
  const { status, status_reason_code } = card ?? { status: 'unknown', status_reason_code: '' }
  const detail = `${status}/${status_reason_code}`
  const ends = MIGRATING.has(status_reason_code) ? card?.migration_ends : null
  if (ends && ends <= now) return declined('1806', `${detail}, migration took too long`)
  if (status === 'ACTIVE') return passed(detail)
  if (status === 'SUSPENDED') return declined('1003', detail)
  if (status !== 'TERMINATED') return declined('1806', detail)
  if (status_reason_code === EXPIRED) return declined('1001', detail)
  const by_client = !card?.terminated_by_operator && CLOSED_BY_CLIENT.has(status_reason_code)
  return declined(by_client ? '1809' : '1816', detail)
}

function cardholder({ card, holder }: Case): Finding {
  if (!card?.user_id) return declined('1019', 'the card has no user')
  const detail = holder?.status ?? 'absent'
  return detail === 'ACTIVE' ? passed(detail) : declined('1892', detail)
}

function wallet({ token }: Case): Finding {
  if (!token) return passed('no token')
  return token.status === 'ACTIVE' ? passed('ACTIVE') : declined('1890', token.status)
}

function pinTries({ request, product, pin }: Case): Finding {
  if (!hasPinToCheck(request) || !pin || !product) return passed('nothing to try')
  const detail = `${pin.failures} wrong of ${product.pin_max_tries}`
  return pin.failures < product.pin_max_tries ? passed(detail) : declined('1006', detail)
}

/**
 * A block that cannot be read is a wrong PIN like any other: the sender does not learn the cause,
 * and each counts. A card without a PIN has no right one (1017).
 */
function pin({ request, card_number, keys, pin, proofs }: Case): Finding {
  if (!request.pin_block || !hasPinToCheck(request)) return passed('none to check')
  if (!pin || !keys || !card_number) return declined('1017', 'the card has none')
  const over = 'pan' in request.card ? request.card.pan : card_number
  const { pin_block: block, pin_keys = [] } = request
  const proof = { block, over, pan: card_number, keys, kept: pin.value }
  const tried = provePin(proofs, proof, pin_keys)
  if (tried === 'right') return { detail: 'right', pin_failures: 0 }
  if (tried === 'fault') return unanswered
  if (tried !== 'wrong') return passed(NOT_VERIFIED)
  return { detail: 'wrong', declined: '1017', pin_failures: pin.failures + 1 }
}

function transactionType({ request, kind: { type } }: Case): Finding {
  return type === 'UNKNOWN' ? declined('1888', request.processing_code) : passed(type)
}

function currency({ request, currency: own, billing, rate }: Case): Finding {
  if (!isCurrency(request.currency)) return declined('1888', 'not a currency')
  const pair = `${request.currency} to ${own}`
  if (rate === undefined && billing === undefined) return declined('1888', `no rate from ${pair}`)
  if (rate === undefined) return passed(request.currency)
  if (billing === undefined) return declined('1888', `${pair} at ${rate}: more than 15 digits`)
  return passed(`${pair} at ${rate}: ${billing}`)
}

function amount({ request, kind, billing }: Case): Finding {
  const detail = String(request.amount)
  const { direction, type } = kind
  // A verification with an amount is none, and nothing would be held for it.
  if (type === 'VERIFICATION' && request.amount > 0n) return declined('1010', detail)
  // Less than half a minor unit of the account's currency is nothing.
  return billing === 0n && direction !== 'none' ? declined('1010', detail) : passed(detail)
}

function account({ kind, account }: Case): Finding {
  // A payment without an account lacks funds (1016); a credit without one has no destination.
  const incoming = kind.direction === 'credit'
  if (!account && incoming) return declined('1019', 'the card has no account')
  if (!account || account.status === 'ACTIVE') return passed(account?.status ?? 'none')
  return declined('1019', account.status)
}

/** Begins the detail of the check of funds if there is an account. */
const AVAILABLE = 'available'

/**
 * The funds that were available when a stored decision was made, and the charges that it included,
 * in minor units of the account's currency.
 */
export function fundsIn(trace: StoredTrace): { available: bigint; charge: bigint } | undefined {
  const found = trace.find(([name]) => name === 'funds')
  const [word, available, charge = '0'] = found?.[1].split(/, with charges of |[ ,]/) ?? []
  if (word !== AVAILABLE || available === undefined) return undefined
  return { available: BigInt(available), charge: /^\d+$/.test(charge) ? BigInt(charge) : 0n }
}

function funds(input: Case): Finding {
  const { request, kind, account, product, billing = 0n, charge } = input
  const available = account ? account.balance - account.held : 0n
  const needed = charge > 0n ? `, with charges of ${charge}` : ''
  const detail = account ? `${AVAILABLE} ${available}${needed}` : 'the card has no account'
  if (kind.direction !== 'debit') return passed(detail)
  if (account && billing + charge <= available) return passed(detail)
  // Less than was requested may be approved; how much is decided with the answer (D-48).
  const partial =
    product?.partial_approval && request.partial_capable && covered(input, available) > 0n
  return partial ? passed(`${detail}, partial approval`) : declined('1016', detail)
}

export type Examination = {
  trace: StoredTrace
  declined: string | undefined
  /** The count of wrong PINs in a row, this try included; undefined if no PIN was tried. */
  pin_failures: number | undefined
  /** CVV2, iCVV, CVV or expiry date was wrong, and that counts. */
  wrong_try: boolean
  /** Each list and limit in SHADOW that would have declined, once. */
  shadows: readonly ShadowFinding[]
}

/**
 * Runs the checks and records the detail of each (D-45). The first that declines decides; those
 * after it are made for the trace only, and their findings have no effect (D-467).
 */
export function examine(input: Case): Examination {
  const counts = asks(input.request) && input.settings.card_verification_max_tries > 0
  const trace: StoredTrace[number][] = []
  let decisive: Finding | undefined
  let ended = false
  let pin_failures: number | undefined
  const shadows: ShadowFinding[] = []
  for (const check of checks) {
    if (!applies(check, input)) continue
    const { name, look, guesses, ends = false } = check
    if (decisive && (ended || guesses?.(input.request))) {
      trace.push([name, NOT_CHECKED])
      continue
    }
    const found = look(input)
    const { detail, declined } = found
    trace.push(declined === undefined ? [name, detail] : [name, detail, declined])
    for (const shadow of found.shadows ?? []) {
      trace.push([name, shadow.detail, shadow.code, shadow.id])
      shadows.push(shadow)
    }
    if (decisive) continue
    pin_failures ??= found.pin_failures
    if (declined === undefined) continue
    decisive = found
    ended = ends
  }
  const wrong_try = counts && decisive?.wrong_try === true
  return {
    trace,
    declined: decisive?.declined,
    pin_failures,
    wrong_try,
    shadows: firstOfEach(shadows),
  }
}

export function applies({ credits }: Check, { kind: { direction, type } }: Case): boolean {
  if (direction !== 'credit' || credits === 'all') return true
  return credits === 'but refunds' && type !== 'REFUND'
}
