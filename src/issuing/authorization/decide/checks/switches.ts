/**
 * The switches of product and card (D-33): which message each of them is about, and which code it
 * gives at either level (D-105). Everything is allowed that is not switched off (D-104).
 *
 * If the documents leave it open, a switch means the same as its name in ISO 8583: money that comes
 * to the cardholder is stopped only by the switches that are about such money.
 */

import type { Switch } from '#issuing/products/schema.ts'
import { type Kind, kindOf } from '../kinds.ts'
import { isChip, isRead } from './entry_modes.ts'
import type { Evidence } from './evidence.ts'
import { declined, type Finding, passed } from './findings.ts'

type Message = Evidence & { kind: Kind; code: string }

export type SwitchRule = {
  name: Switch
  product: string
  card: string
  /** Whether the message is of the sort that the switch is about. */
  applies: (message: Message) => boolean
}

const DISTANT: ReadonlySet<string> = new Set(['ECOMMERCE', 'CREDENTIAL_ON_FILE'])
/** Wire transfers, stored value, foreign money and cryptocurrency, betting (iso8583.md 5.3). */
const QUASI_CASH_MCCS: ReadonlySet<string> = new Set(['4829', '6051', '6540', '7995'])

const isPayment = ({ kind }: Message) => kind.direction === 'debit'
const isCredit = ({ kind }: Message) => kind.direction === 'credit'
const isAt = ({ request }: Message, environment: string) => request.pos.environment === environment
const is3ds = ({ request }: Message) => request.three_ds !== 'NONE'
const hasCode =
  (...codes: readonly string[]) =>
  ({ code }: Message) =>
    codes.includes(code)

/** A card keyed at a counter is as present as one that was read. */
const isPresent = (message: Message) =>
  isRead(message.request) || isAt(message, 'POS') || isAt(message, 'ATM')

/**
 * The shop's own request, with a stored card or to raise what it holds: the cardholder is absent,
 * so no proof of the cardholder can be missing (iso8583.md 5.6).
 */
const isOfShop = ({ request, raises }: Message) =>
  request.recurring || request.entry_mode === 'CREDENTIAL_ON_FILE' || raises !== undefined

/** The cardholder pays at a distance. */
const isEcommerce = (message: Message) =>
  isPayment(message) && message.request.entry_mode === 'ECOMMERCE' && !isOfShop(message)

const isAtmDeposit = (message: Message) => message.code === '21' && isAt(message, 'ATM')

/** The rules in the order in which they are checked, at the product and then at the card. */
export const switchRules: readonly SwitchRule[] = [
  {
    name: 'atm',
    product: '1832',
    card: '1862',
    applies: (message) => isAt(message, 'ATM') && !isCredit(message),
  },
  {
    name: 'pos',
    product: '1863',
    card: '1863',
    applies: (message) => isAt(message, 'POS') && !isCredit(message),
  },
  {
    name: 'chip',
    product: '1864',
    card: '1864',
    applies: (message) => isChip(message.request) && !isCredit(message),
  },
  {
    name: 'magstripe',
    product: '1865',
    card: '1865',
    applies: (message) => message.request.entry_mode === 'MAGSTRIPE' && !isCredit(message),
  },
  {
    name: 'chip_fallback',
    product: '1866',
    card: '1866',
    applies: (message) => message.request.entry_mode === 'FALLBACK' && !isCredit(message),
  },
  {
    name: 'pin_absent',
    product: '1837',
    card: '1867',
    applies: (message) =>
      isPayment(message) &&
      isPresent(message) &&
      message.raises === undefined &&
      message.request.pin_block === undefined,
  },
  {
    name: 'ecommerce_3ds',
    product: '1839',
    card: '1869',
    applies: (message) =>
      isPayment(message) && DISTANT.has(message.request.entry_mode) && is3ds(message),
  },
  {
    name: 'ecommerce_non_3ds',
    product: '1838',
    card: '1868',
    applies: (message) => isEcommerce(message) && !is3ds(message),
  },
  {
    name: 'ecommerce_without_cvv2',
    product: '1840',
    card: '1870',
    applies: (message) => isEcommerce(message) && message.request.cvv2 === undefined,
  },
  {
    name: 'quasi_cash',
    product: '1841',
    card: '1871',
    applies: (message) =>
      hasCode('11', '18')(message) ||
      (isPayment(message) && QUASI_CASH_MCCS.has(message.request.merchant.mcc ?? '')),
  },
  { name: 'account_funding', product: '1842', card: '1872', applies: hasCode('10') },
  { name: 'credit', product: '1843', card: '1873', applies: hasCode('26', '28') },
  {
    name: 'account_verification_without_cvv2',
    product: '1844',
    card: '1874',
    // A card that was read sends no CVV2.
    applies: (message) =>
      message.kind.type === 'VERIFICATION' &&
      !isRead(message.request) &&
      message.request.cvv2 === undefined,
  },
  { name: 'cash_in', product: '1899', card: '1899', applies: hasCode('21', '22') },
  {
    name: 'cash_out',
    product: '1900',
    card: '1900',
    applies: hasCode('01', '12', '17', '23'),
  },
  { name: 'atm_deposit', product: '1901', card: '1901', applies: isAtmDeposit },
  { name: 'incoming_transfers', product: '1849', card: '1849', applies: hasCode('26') },
  { name: 'outgoing_transfers', product: '1850', card: '1850', applies: hasCode('40') },
  {
    name: 'recurring',
    product: '1895',
    card: '1895',
    applies: (message) => isPayment(message) && message.request.recurring,
  },
]

/** The code of the tenant's own setting, which comes before the product's. */
const TENANT_CODE = '1902'

/** Every code in the order of precedence; a code of both levels is listed at its first place. */
export const switchCodes: readonly string[] = [
  ...new Set([
    TENANT_CODE,
    ...switchRules.map(({ product }) => product),
    ...switchRules.map(({ card }) => card),
  ]),
]

/** The first switch that is off and about this message: the tenant's, the product's, the card's. */
export function switches(evidence: Evidence): Finding {
  const { request, card, atm_deposit } = evidence
  const message = { ...evidence, kind: kindOf(request), code: codeOf(evidence) }
  if (!atm_deposit && isAtmDeposit(message)) return declined(TENANT_CODE, 'tenant atm_deposit off')
  for (const level of ['product', 'card'] as const) {
    const set = card?.settings[level].auth_settings ?? {}
    const off = switchRules.find(({ name, applies }) => set[name] === false && applies(message))
    if (off) return declined(off[level], `${level} ${off.name} off`)
  }
  return passed('allowed')
}

/** The type by processing code; a zero-amount verification has none. */
const codeOf = ({ request }: Evidence): string =>
  kindOf(request).type === 'VERIFICATION' ? '' : request.processing_code.slice(0, 2)
