/** Masked fields with the names of the standard, and with the parts of values that have some. */

import { parseAdditionalAmounts } from './amounts.ts'
import { fieldTable } from './fields.ts'
import type { MaskedField } from './masked.ts'
import { elementIds } from './tlv48.ts'

export type NamedField = {
  number: string
  name: string
  value: string
  masked: boolean
  subfields?: NamedField[]
}

const names = new Map(fieldTable.map(({ de, name }) => [String(de), name]))

const ELEMENTS: Readonly<Record<string, string>> = {
  [elementIds.key]: 'Key',
  [elementIds.three_ds_level]: '3-D Secure level',
  [elementIds.authentication_value]: '3-D Secure authentication value',
  [elementIds.partial_approval]: 'Partial approval capability',
  [elementIds.cvv2_result]: 'CVV2 result',
  [elementIds.cvv2]: 'CVV2',
}

const TAGS: Readonly<Record<string, string>> = {
  '50': 'Application label',
  '56': 'Track 1 equivalent data',
  '57': 'Track 2 equivalent data',
  '5A': 'Primary account number',
  '5F20': 'Cardholder name',
  '5F24': 'Application expiration date',
  '5F2A': 'Transaction currency code',
  '5F34': 'PAN sequence number',
  '71': 'Issuer script, before the second cryptogram',
  '72': 'Issuer script, after the second cryptogram',
  '82': 'Application interchange profile',
  '84': 'Dedicated file name',
  '86': 'Issuer script command',
  '8A': 'Authorization response code',
  '91': 'Issuer authentication data',
  '95': 'Terminal verification results',
  '9A': 'Transaction date',
  '9C': 'Transaction type',
  '9F02': 'Amount, authorized',
  '9F03': 'Amount, other',
  '9F06': 'Application identifier of the terminal',
  '9F09': 'Application version number',
  '9F10': 'Issuer application data',
  '9F18': 'Issuer script identifier',
  '9F1A': 'Terminal country code',
  '9F1E': 'Interface device serial number',
  '9F1F': 'Track 1 discretionary data',
  '9F20': 'Track 2 discretionary data',
  '9F26': 'Application cryptogram',
  '9F27': 'Cryptogram information data',
  '9F33': 'Terminal capabilities',
  '9F34': 'Cardholder verification method results',
  '9F35': 'Terminal type',
  '9F36': 'Application transaction counter',
  '9F37': 'Unpredictable number',
  '9F41': 'Transaction sequence counter',
  '9F6B': 'Track 2 data',
}

const partNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '48': ELEMENTS,
  '55': TAGS,
}

/** Fields whose parts have fixed places: name and number of characters, in their order. */
const places: Readonly<Record<string, readonly (readonly [name: string, length: number])[]>> = {
  '3': [
    ['Transaction type', 2],
    ['From account', 2],
    ['To account', 2],
  ],
  '22': [
    ['PAN entry mode', 2],
    ['PIN entry capability', 1],
  ],
  '43': [
    ['Name', 25],
    ['City', 13],
    ['Country', 2],
  ],
  '53': [
    ['PIN block format', 2],
    ['Security control', 14],
  ],
  '90': [
    ['Original message type', 4],
    ['Original trace number', 6],
    ['Original transmission date and time', 10],
    ['Original acquiring institution', 11],
    ['Original forwarding institution', 11],
  ],
  '95': [
    ['Actual amount, transaction', 12],
    ['Actual amount, settlement', 12],
    ['Actual amount, transaction fee', 9],
    ['Actual amount, settlement fee', 9],
  ],
}

/** Fields with the names of the standard; an unknown element or tag is named so. */
export const namedFields = (fields: readonly MaskedField[]): NamedField[] => fields.map(named)

function named([number, value, masked, parts]: MaskedField): NamedField {
  const subfields = parts ? partsOf(number, parts) : readParts(number, value, masked === 1)
  return {
    number,
    name: names.get(number) ?? 'Unknown field',
    value,
    masked: masked === 1,
    ...(subfields.length > 0 && { subfields }),
  }
}

const partsOf = (of: string, parts: readonly MaskedField[]): NamedField[] =>
  parts.map(([number, value, masked]) => ({
    number,
    name: partNames[of]?.[number] ?? 'Private',
    value,
    masked: masked === 1,
  }))

/** The parts of a value that was kept as it came: they are read when it is shown. */
function readParts(number: string, value: string, masked: boolean): NamedField[] {
  if (number === '54') return balancesOf(value)
  const layout = places[number]
  const length = layout?.reduce((sum, [, size]) => sum + size, 0)
  // A value of stars alone says nothing of its parts.
  if (!layout || value.length !== length || /^\*+$/.test(value)) return []
  let at = 0
  return layout.map(([name, size], index) => {
    const part = value.slice(at, at + size)
    at += size
    const hidden = masked && part.includes('*')
    return { number: String(index + 1), name, value: part.trim(), masked: hidden }
  })
}

const BALANCES: Readonly<Record<string, string>> = {
  '01': 'Ledger balance',
  '02': 'Available balance',
  '40': 'Cash back',
  '57': 'Original amount',
}

function balancesOf(value: string): NamedField[] {
  const entries = parseAdditionalAmounts(value) ?? []
  return entries.map(({ amount_type, currency, side, amount }, at) => ({
    number: String(at + 1),
    name: BALANCES[amount_type] ?? `Amount of type ${amount_type}`,
    value: `${currency} ${side} ${amount}`,
    masked: false,
  }))
}
