/**
 * How the card was read, the place of the sale and the proof of the cardholder: iso8583.md 5.4 to
 * 5.6, both the Visa marks (DE25, DE60) and the Mastercard ones (DE61, DE48).
 */

import type { Fields } from '#iso8583/message.ts'
import { type Elements, elementIds } from '#iso8583/tlv48.ts'
import type { EntryMode, Pos } from '#issuing/transactions/schema.ts'
import type { AuthorizationRequest } from '../schema.ts'

/**
 * The first two digits of DE22. Contactless stripe (91) is checked as a stripe is, and a card keyed
 * at a chip terminal (79) like one keyed elsewhere.
 */
const entryModes: Readonly<Record<string, EntryMode>> = {
  '01': 'MANUAL',
  '02': 'MAGSTRIPE',
  '05': 'CHIP',
  '07': 'CONTACTLESS',
  '09': 'ECOMMERCE',
  '10': 'CREDENTIAL_ON_FILE',
  '79': 'MANUAL',
  '80': 'FALLBACK',
  '81': 'ECOMMERCE',
  '82': 'ECOMMERCE',
  '90': 'MAGSTRIPE',
  '91': 'MAGSTRIPE',
  '95': 'CHIP',
}

/** The terminal marks the verification value of the track as unreliable. */
const UNRELIABLE = new Set(['02', '95'])

const AUTOMATED_CASH = '6011'

/** DE25: 08 mail, phone or recurring; 01 cardholder not present; 51 verification; 73 recurring. */
const ECOMMERCE = '59'
const VERIFICATION = '51'
const RECURRING = '73'
const DISTANT = new Set(['01', '08'])

export type Place = {
  entry_mode: EntryMode
  environment: Pos['environment']
  recurring: boolean
  /** The message only verifies the card; true for the mark, whatever the amount. */
  marked_verification: boolean
  reliable_track: boolean
}

export function placeOf(fields: Fields): Place {
  const entry = fields[22]?.slice(0, 2) ?? ''
  const condition = fields[25]
  const data = /^\d{7}/.test(fields[61] ?? '') ? (fields[61] ?? '') : ''
  const presence = data.charAt(3)
  const mode = entryModes[entry] ?? 'UNKNOWN'
  const online = mode === 'ECOMMERCE' || condition === ECOMMERCE || presence === '5'
  const keyed = mode === 'MANUAL' || mode === 'UNKNOWN'
  const recurring = mode === 'CREDENTIAL_ON_FILE' || condition === RECURRING || presence === '4'
  return {
    entry_mode: online && keyed ? 'ECOMMERCE' : mode,
    environment: environmentOf({ mode, condition, presence, online, recurring, mcc: fields[18] }),
    recurring,
    marked_verification: condition === VERIFICATION || data.charAt(6) === '8',
    reliable_track: !UNRELIABLE.has(entry),
  }
}

type Marks = {
  mode: EntryMode
  condition: string | undefined
  presence: string
  online: boolean
  recurring: boolean
  mcc: string | undefined
}

/** A payment with a stored card is ECOMMERCE, unless the message marks it as mail or phone. */
function environmentOf(marks: Marks): Pos['environment'] {
  const { mode, condition = '', presence, online, recurring, mcc } = marks
  if (online) return 'ECOMMERCE'
  if (DISTANT.has(condition) || presence === '2' || presence === '3') return 'MAIL_PHONE'
  if (recurring) return 'ECOMMERCE'
  if (mcc === AUTOMATED_CASH) return 'ATM'
  return mode === 'UNKNOWN' || condition === VERIFICATION ? 'UNKNOWN' : 'POS'
}

/** The last digit of the level in element 42 (0103 and three digits), or the ECI in DE60. */
const byLevel: Readonly<Record<string, AuthorizationRequest['three_ds']>> = {
  '211': 'ATTEMPTED',
  '212': 'AUTHENTICATED',
}
const byIndicator: Readonly<Record<string, AuthorizationRequest['three_ds']>> = {
  '05': 'AUTHENTICATED',
  '06': 'ATTEMPTED',
}
const LEVEL_AT = 4
const INDICATOR_AT = 8

export function threeDsOf(fields: Fields, elements: Elements | undefined) {
  const level = elements?.get(elementIds.three_ds_level)
  if (level !== undefined) return byLevel[level.slice(LEVEL_AT)] ?? 'NONE'
  return byIndicator[fields[60]?.slice(INDICATOR_AT, INDICATOR_AT + 2) ?? ''] ?? 'NONE'
}
