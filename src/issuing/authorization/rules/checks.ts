/**
 * The checks of an authorization in their order: the first that refuses gives the code (D-43, D-44,
 * D-106). The order is the documentation; docs/codes.md is generated from it.
 */

import { isCvv } from '#cvv/cvv.ts'
import type { StoredTrace } from '#issuing/transactions/rules.ts'
import { isCurrency } from '#lib/currency.ts'
import { monthOf } from '#lib/time.ts'
import type { Seen } from './evidence.ts'
import { kindOf } from './kinds.ts'

/** What a check looked at, and the code when it refuses. */
export type Finding = { saw: string; refused?: string }

export type Check = {
  name: string
  /** Every code that it can give, in its own order of precedence. */
  codes: readonly string[]
  /** Money that comes to the cardholder is stopped by fewer things than money that leaves. */
  credits_too: boolean
  look: (seen: Seen) => Finding
}

const passed = (saw: string): Finding => ({ saw })
const refused = (refused: string, saw: string): Finding => ({ saw, refused })

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
  { name: 'expiry', codes: ['1804', '1001'], credits_too: false, look: expiry },
  { name: 'card verification', codes: ['1022'], credits_too: false, look: verification },
  { name: 'transaction type', codes: ['1888'], credits_too: true, look: transactionType },
  { name: 'currency', codes: ['1888'], credits_too: true, look: currency },
  { name: 'amount', codes: ['1010'], credits_too: true, look: amount },
  { name: 'account', codes: ['1019'], credits_too: true, look: account },
  { name: 'funds', codes: ['1016'], credits_too: true, look: funds },
]

/** The client or the scheme closed it: 1809; the operator or a replacement did: 1816 (D-106). */
const CLOSED_BY_CLIENT = new Set(['T0', 'T1', 'T2'])

function status({ card }: Seen): Finding {
  const { status, status_reason_code } = card ?? { status: 'unknown', status_reason_code: '' }
  const saw = `${status}/${status_reason_code}`
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

/**
 * Given and another: 1804; the right one but past: 1001. A card is good to the end of its month.
 */
function expiry({ request, card, now }: Seen): Finding {
  const own = card?.expiry_date ?? ''
  const printed = own.slice(2).replace('-', '')
  if (request.expiry !== undefined && request.expiry !== printed) {
    return refused('1804', 'does not match')
  }
  if (own < monthOf(now)) return refused('1001', own)
  return passed(request.expiry === undefined ? `${own}, not given` : own)
}

/** CVV2 under service code 000; the value of stripe or chip under its own service code. */
function verification({ request, card, keys }: Seen): Finding {
  const { cvv2, track_cvv } = request
  if (!cvv2 && !track_cvv) return passed('not given')
  if (!keys || !card || !('pan' in request.card)) return refused('1022', 'no keys to check it with')
  const base = {
    cvk: keys.cvk,
    pan: request.card.pan,
    expiry_yymm: card.expiry_date.slice(2).replace('-', ''),
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

export type Examination = { trace: StoredTrace; refused: string | undefined }

/** Runs the checks up to the first that refuses, and keeps what each of them saw (D-45). */
export function examine(seen: Seen): Examination {
  const credit = kindOf(seen.request).direction === 'credit'
  const trace: [string, string, string?][] = []
  for (const { name, look, credits_too } of checks) {
    if (credit && !credits_too) continue
    const { saw, refused } = look(seen)
    if (refused !== undefined) {
      trace.push([name, saw, refused])
      return { trace, refused }
    }
    trace.push([name, saw])
  }
  return { trace, refused: undefined }
}
