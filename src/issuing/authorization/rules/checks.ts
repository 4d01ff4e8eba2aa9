/**
 * The checks of an authorization in their order: the first that refuses gives the code (D-43, D-44,
 * D-106). The order is the documentation; docs/codes.md is generated from it.
 */

import { isCvv } from '#cvv/cvv.ts'
import { holdsKeptPin } from '#issuing/pins/rules.ts'
import type { StoredTrace } from '#issuing/transactions/rules.ts'
import { isCurrency } from '#lib/currency.ts'
import { monthOf } from '#lib/time.ts'
import { amountBounds, boundCodes } from './bounds.ts'
import type { AuthorizationRequest, Seen } from './evidence.ts'
import { type Finding, passed, refused } from './findings.ts'
import { kindOf } from './kinds.ts'
import { switchCodes, switches } from './switches.ts'

export type Check = {
  name: string
  /** Every code that it can give, in its own order of precedence. */
  codes: readonly string[]
  /** Money that comes to the cardholder is stopped by fewer things than money that leaves. */
  credits_too: boolean
  look: (seen: Seen) => Finding
}

export const checks: readonly Check[] = [
  {
    name: 'format',
    codes: ['1846', '9104'],
    credits_too: true,
    look: ({ request: { format_fault } }) =>
      format_fault ? refused(format_fault.status_code, format_fault.saw) : passed('complete'),
  },
  {
    name: 'reversal',
    codes: ['1894'],
    credits_too: true,
    look: ({ reversed_early }) =>
      reversed_early ? refused('1894', 'its reversal came first') : passed('none'),
  },
  {
    name: 'deadline',
    codes: ['1889'],
    credits_too: true,
    look: ({ late }) => (late ? refused('1889', 'passed') : passed('in time')),
  },
  {
    name: 'card',
    codes: ['1018'],
    credits_too: true,
    look: ({ card }) => (card ? passed('found') : refused('1018', 'no card has this number')),
  },
  {
    name: 'card status',
    codes: ['1816', '1809', '1003', '1806'],
    credits_too: false,
    look: status,
  },
  { name: 'cardholder', codes: ['1019', '1892'], credits_too: false, look: cardholder },
  { name: 'wallet', codes: ['1890'], credits_too: false, look: wallet },
  { name: 'expiry', codes: ['1804', '1001'], credits_too: false, look: expiry },
  { name: 'card verification', codes: ['1022'], credits_too: false, look: verification },
  { name: 'PIN tries', codes: ['1006'], credits_too: false, look: pinTries },
  { name: 'PIN', codes: ['1017'], credits_too: false, look: pin },
  { name: 'transaction type', codes: ['1888'], credits_too: true, look: transactionType },
  { name: 'switches', codes: switchCodes, credits_too: true, look: switches },
  { name: 'currency', codes: ['1888'], credits_too: true, look: currency },
  { name: 'amount', codes: ['1010'], credits_too: true, look: amount },
  { name: 'amount bounds', codes: boundCodes, credits_too: false, look: amountBounds },
  { name: 'account', codes: ['1019'], credits_too: true, look: account },
  { name: 'funds', codes: ['1016'], credits_too: true, look: funds },
]

/** The client or the scheme closed it: 1809; the operator or a replacement did: 1816 (D-106). */
const CLOSED_BY_CLIENT = new Set(['T0', 'T1', 'T2'])

/** On the way to plastic, which must not take longer than the product allows (D-32). */
const MIGRATING = new Set(['AT', 'ST'])

function status({ card, now }: Seen): Finding {
  const { status, status_reason_code } = card ?? { status: 'unknown', status_reason_code: '' }
  const saw = `${status}/${status_reason_code}`
  const ends = MIGRATING.has(status_reason_code) ? card?.migration_ends : null
  if (ends && ends <= now) return refused('1806', `${saw}, migration took too long`)
  if (status === 'ACTIVE') return passed(saw)
  if (status === 'SUSPENDED') return refused('1003', saw)
  if (status !== 'TERMINATED') return refused('1806', saw)
  return refused(CLOSED_BY_CLIENT.has(status_reason_code) ? '1809' : '1816', saw)
}

function cardholder({ card }: Seen): Finding {
  if (!card?.user_id) return refused('1019', 'the card belongs to nobody')
  const saw = card.user_status ?? 'absent'
  return saw === 'ACTIVE' ? passed(saw) : refused('1892', saw)
}

function wallet({ token }: Seen): Finding {
  if (!token) return passed('no token')
  return token.status === 'ACTIVE' ? passed('ACTIVE') : refused('1890', token.status)
}

/** A message by a token's number brings the token's expiry, and its CVV2 is over both. */
const expiryOf = ({ card, token }: Seen): string => token?.expiry_date ?? card?.expiry_date ?? ''
const printed = (expiry_date: string): string => expiry_date.slice(2).replace('-', '')

/**
 * Given and another: 1804; the right one but past: 1001. A card is good to the end of its month.
 */
function expiry(seen: Seen): Finding {
  const { request, card, now } = seen
  const own = expiryOf(seen)
  if (request.expiry !== undefined && request.expiry !== printed(own)) {
    return refused('1804', 'does not match')
  }
  const past = [own, card?.expiry_date ?? ''].find((month) => month < monthOf(now))
  if (past !== undefined) return refused('1001', past)
  return passed(request.expiry === undefined ? `${own}, not given` : own)
}

/** CVV2 under service code 000; the value of stripe or chip under its own service code. */
function verification(seen: Seen): Finding {
  const { request, card, keys } = seen
  const { cvv2, track_cvv } = request
  if (!cvv2 && !track_cvv) return passed('not given')
  if (!keys || !card || !('pan' in request.card)) return refused('1022', 'no keys to check it with')
  const base = {
    cvk: keys.cvk,
    pan: request.card.pan,
    expiry_yymm: printed(expiryOf(seen)),
  }
  const { cvv2_date_order: date_order } = keys
  if (cvv2 && !isCvv({ ...base, service_code: '000', date_order }, cvv2)) {
    return refused('1022', 'CVV2 is wrong')
  }
  if (track_cvv) {
    const { service_code, value } = track_cvv
    if (!isCvv({ ...base, service_code }, value)) return refused('1022', 'CVV is wrong')
  }
  return passed(cvv2 ? 'CVV2 is right' : 'CVV is right')
}

/** Whether a message has a PIN checked: one that asks. What only tells of a decision tries none. */
export const bringsPin = ({ pin_block, message_type }: AuthorizationRequest): boolean =>
  pin_block !== undefined && (message_type === '0100' || message_type === '0200')

function pinTries({ request, card, pin }: Seen): Finding {
  if (!bringsPin(request) || !pin || !card) return passed('nothing to try')
  const saw = `${pin.failures} wrong of ${card.pin_max_tries}`
  return pin.failures < card.pin_max_tries ? passed(saw) : refused('1006', saw)
}

/**
 * A block that cannot be read is a wrong PIN like any other: what is wrong with it is nobody's to
 * know, and each counts. A card without a PIN has no right one (1017).
 */
function pin({ request, card_number, keys, pin }: Seen): Finding {
  if (!request.pin_block || !bringsPin(request)) return passed('none to check')
  if (!pin || !keys || !card_number) return refused('1017', 'the card has none')
  const over = 'pan' in request.card ? request.card.pan : card_number
  const { pin_block: block } = request
  const right = holdsKeptPin({ block, over, pan: card_number, keys, kept: pin.pvv })
  if (right) return { saw: 'right', pin_failures: 0 }
  return { saw: 'wrong', refused: '1017', pin_failures: pin.failures + 1 }
}

function transactionType({ request }: Seen): Finding {
  const { type } = kindOf(request)
  return type === 'UNKNOWN' ? refused('1888', request.processing_code) : passed(type)
}

function currency({ request, card }: Seen): Finding {
  if (!isCurrency(request.currency)) return refused('1888', 'not a currency')
  if (request.currency === card?.currency) return passed(request.currency)
  return refused('1888', `no rate from ${request.currency} to ${card?.currency}`)
}

function amount({ request }: Seen): Finding {
  const saw = String(request.amount)
  const { direction, type } = kindOf(request)
  // A verification that asks for money is none, and nothing would be held for it.
  if (type === 'VERIFICATION' && request.amount > 0n) return refused('1010', saw)
  return request.amount === 0n && direction !== 'none' ? refused('1010', saw) : passed(saw)
}

function account({ request, account }: Seen): Finding {
  // Who pays without an account lacks funds (1016); money that comes has no place to go.
  const incoming = kindOf(request).direction === 'credit'
  if (!account && incoming) return refused('1019', 'the card has no account')
  if (!account || account.status === 'ACTIVE') return passed(account?.status ?? 'none')
  return refused('1019', account.status)
}

function funds({ request, account, card }: Seen): Finding {
  const available = account ? account.balance - account.held : 0n
  const saw = account ? `available ${available}` : 'the card has no account'
  const { direction } = kindOf(request)
  if (direction !== 'debit') return passed(saw)
  if (account && request.amount <= available) return passed(saw)
  // Less than was asked may be approved; how much is decided with the answer (D-48).
  const partial = card?.partial_approval && request.partial_capable && available > 0n
  return partial ? passed(`${saw}, partial approval`) : refused('1016', saw)
}

export type Examination = {
  trace: StoredTrace
  refused: string | undefined
  /** Where a PIN was tried: how many wrong ones in a row there are now. */
  pin_failures: number | undefined
}

/** Runs the checks up to the first that refuses, and keeps what each of them saw (D-45). */
export function examine(seen: Seen): Examination {
  const credit = kindOf(seen.request).direction === 'credit'
  const trace: [string, string, string?][] = []
  let pin_failures: number | undefined
  for (const { name, look, credits_too } of checks) {
    if (credit && !credits_too) continue
    const { saw, refused, ...found } = look(seen)
    pin_failures ??= found.pin_failures
    if (refused !== undefined) {
      trace.push([name, saw, refused])
      return { trace, refused, pin_failures }
    }
    trace.push([name, saw])
  }
  return { trace, refused: undefined, pin_failures }
}
