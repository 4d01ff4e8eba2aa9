/** Values entered into the form of a request, and the body that is made of them. */

import type { SimulatedAuthorization } from '../../api/types.ts'
import type { simulator } from '../../i18n/en/simulator.ts'
import { amountOf, codeOf } from '../../parts/typed_text.ts'

type Body = Required<SimulatedAuthorization>
type Chip = Required<Body['chip']>

export type Channel = Body['entry_mode']
export type TransactionType = Body['transaction_type']

/** Texts as they were typed; '' is not sent. */
export type Typed = {
  mode: 'real' | 'what_if'
  card_id: string
  merchant: string
  mcc: string
  country: string
  channel: Channel
  /** The amount in major units. */
  amount: string
  currency: string
  type: TransactionType
  city: string
  acceptor: string
  pin: string
  cvv2: string
  expiry: string
  three_ds: Body['three_ds']
  partial: boolean
  cryptogram: Chip['cryptogram']
  version: Chip['version'] | ''
  atc: string
}

export const initial: Typed = {
  mode: 'real',
  card_id: '',
  merchant: 'Palm Books',
  mcc: '5942',
  country: 'AE',
  channel: 'ECOMMERCE',
  amount: '20.00',
  currency: 'USD',
  type: 'PURCHASE',
  city: '',
  acceptor: '',
  pin: '',
  cvv2: '',
  expiry: '',
  three_ds: 'NONE',
  partial: false,
  cryptogram: 'RIGHT',
  version: '',
  atc: '',
}

/** The fields that stand behind "More". */
const FURTHER = [
  'type',
  'city',
  'acceptor',
  'pin',
  'cvv2',
  'expiry',
  'three_ds',
  'partial',
] as const
const OF_CHIP = ['cryptogram', 'version', 'atc'] as const

export const isOfChip = ({ channel }: Typed): boolean =>
  channel === 'CHIP' || channel === 'CONTACTLESS'

export const furtherOf = (typed: Typed): readonly (keyof Typed)[] =>
  isOfChip(typed) ? [...FURTHER, ...OF_CHIP] : FURTHER

/** How many of them differ from what they are at first. */
export const countFurther = (typed: Typed): number =>
  furtherOf(typed).filter((name) => typed[name] !== initial[name]).length

export type FaultName = keyof typeof simulator.faults

/** The shape of each field. Whether a code exists, the server knows. */
const SHAPES: Readonly<Record<FaultName, RegExp>> = {
  amount: /^\d+(\.\d+)?$/,
  currency: /^[A-Za-z]{3}$/,
  mcc: /^(\d{4})?$/,
  country: /^([A-Za-z]{2,3}|\d{3})?$/,
  pin: /^(\d{4,12})?$/,
  cvv2: /^(\d{3,4})?$/,
  expiry: /^(\d{4}-(0[1-9]|1[0-2])|\d{2}(0[1-9]|1[0-2]))?$/,
  atc: /^\d{0,5}$/,
}
const COUNTER_MAX = 65_535

const amount = ({ amount, currency }: Typed) => amountOf(amount, currency)
const text =
  (name: 'currency' | 'country') =>
  (typed: Typed): string =>
    typed[name].trim()
const code =
  (name: 'mcc' | 'pin' | 'cvv2' | 'expiry' | 'atc') =>
  (typed: Typed): string =>
    codeOf(typed[name])
/** The entered values, as the API takes them. */
const READ: Readonly<Record<FaultName, (typed: Typed) => string>> = {
  ...{ amount, currency: text('currency'), country: text('country') },
  ...{ mcc: code('mcc'), pin: code('pin'), cvv2: code('cvv2'), expiry: code('expiry') },
  atc: code('atc'),
}

export function faultOf(name: FaultName, typed: Typed): boolean {
  const value = READ[name](typed)
  if (name === 'atc' && (!isOfChip(typed) || Number(value) > COUNTER_MAX)) return isOfChip(typed)
  return !SHAPES[name].test(value)
}

export const faultNames = Object.keys(SHAPES) as FaultName[]

export function bodyOf(typed: Typed): SimulatedAuthorization {
  const { card_id, channel, type, three_ds, partial } = typed
  const { merchant: name, country, city, acceptor: id } = typed
  const mcc = READ.mcc(typed)
  return {
    card_id,
    amount: READ.amount(typed),
    currency: typed.currency.trim().toUpperCase(),
    entry_mode: channel,
    merchant: written({ id, name, mcc, city, country }),
    ...(type !== initial.type && { transaction_type: type }),
    ...written({ pin: READ.pin(typed), cvv2: READ.cvv2(typed), expiry: READ.expiry(typed) }),
    ...(three_ds !== initial.three_ds && { three_ds }),
    ...(partial && { partial_approval: true }),
    ...(isOfChip(typed) && chipOf(typed)),
  }
}

function chipOf({ cryptogram, version, atc }: Typed): Pick<SimulatedAuthorization, 'chip'> {
  const chip = {
    ...(cryptogram !== initial.cryptogram && { cryptogram }),
    ...(version !== '' && { version }),
    ...(atc.trim() !== '' && { atc: Number(codeOf(atc)) }),
  }
  return Object.keys(chip).length === 0 ? {} : { chip }
}

/** The values that are not empty. */
function written<Name extends string>(values: Record<Name, string>): Partial<Record<Name, string>> {
  const kept = Object.entries<string>(values).map(([name, value]) => [name, value.trim()] as const)
  // The names are those of the argument.
  return Object.fromEntries(kept.filter(([, value]) => value !== '')) as Partial<
    Record<Name, string>
  >
}

const FIELDS: Readonly<Record<string, keyof Typed>> = {
  card_id: 'card_id',
  amount: 'amount',
  currency: 'currency',
  entry_mode: 'channel',
  transaction_type: 'type',
  pin: 'pin',
  cvv2: 'cvv2',
  expiry: 'expiry',
  three_ds: 'three_ds',
  partial_approval: 'partial',
  'merchant.id': 'acceptor',
  'merchant.name': 'merchant',
  'merchant.mcc': 'mcc',
  'merchant.city': 'city',
  'merchant.country': 'country',
  'chip.version': 'version',
  'chip.atc': 'atc',
  'chip.cryptogram': 'cryptogram',
}

/** The faults that the server found, at the fields that they are of. */
export function faultsAtFields(faults: Readonly<Record<string, string>>) {
  const known = Object.entries(faults).flatMap(([path, fault]) => {
    const field = FIELDS[path]
    return field === undefined ? [] : [[field, fault] as const]
  })
  return { fields: Object.fromEntries(known), isWhole: known.length === Object.keys(faults).length }
}
