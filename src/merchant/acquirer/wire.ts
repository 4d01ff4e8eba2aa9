/**
 * The messages of an online shop (docs/iso8583.md 5, 5.6) without the card data, which is added
 * when a message is sent.
 */

import { writeAmount } from '#iso8583/amounts.ts'
import type { Fields } from '#iso8583/message.ts'
import { writeOriginal, writeReplacement } from '#iso8583/original.ts'
import { elementIds, parseElements, writeElements } from '#iso8583/tlv48.ts'
import { toAlpha2, toNumeric } from '#lib/country.ts'
import { numericOf } from '#lib/currency.ts'
import { toLatin } from '#lib/letters/latin.ts'
import type { Secret } from '#lib/secret.ts'
import { DE43_NAME, networkName } from '#merchant/merchants/rules.ts'

/** The institution that sends for the merchants (DE32, DE33). */
export const ACQUIRER_ID = '60400000001'

/** The merchant as the card network knows it. `country` is ISO 3166 alpha-3. */
export type Acceptor = {
  display_name: string
  descriptor: string | null
  city: string
  country: string
  mcc: string
  card_acceptor_id: string
  terminal_id: string
}

export type Card = {
  pan: Secret
  /** YYMM, as DE14 has it. */
  expiry: string
}

/** The time and DE11 that identify a message. */
export type Stamp = { now: Date; stan: string }

const PURCHASE = '000000'
const REFUND = '200000'

/**
 * The customer pays on a page: e-commerce, no PIN entry possible; unattended, e-commerce order,
 * card not present, preauthorization, cardholder's own device.
 */
const ONLINE = { 22: '812', 25: '59', 61: '10251040066' }
/**
 * The merchant asks with a kept card (D-775): credential on file in DE22, recurring in DE25 and
 * DE61, preauthorization, and no terminal.
 */
const RECURRING = { 22: '102', 25: '73', 61: '10341040000' }
/** Whether 3-D Secure authenticated the cardholder of an e-commerce payment (DE48 element 42). */
export type ThreeDs = 'AUTHENTICATED' | 'ATTEMPTED' | 'NONE'

/** Mastercard style: 0103 and the level (docs/iso8583.md 5.6). */
const levels: Readonly<Record<ThreeDs, string>> = {
  NONE: '0103210',
  ATTEMPTED: '0103211',
  AUTHENTICATED: '0103212',
}
/** DE39 of a 0420: the answer came too late, or the customer's side cancelled. */
export type ReversalReason = '68' | '17'

/** 0100 without DE2, DE14 and the CVV2. `rrn` is 12 letters and digits. */
export function authorizationFields(
  acceptor: Acceptor,
  sale: { amount: bigint; currency: string; three_ds: ThreeDs; recurring?: boolean },
  stamp: Stamp,
  rrn: string,
): Fields {
  return {
    3: PURCHASE,
    4: writeAmount(sale.amount),
    ...stampFields(stamp),
    18: acceptor.mcc,
    19: toNumeric(acceptor.country),
    32: ACQUIRER_ID,
    37: rrn,
    41: acceptor.terminal_id,
    42: acceptor.card_acceptor_id,
    43: nameAndLocation(acceptor),
    48: writeElements([[elementIds.three_ds_level, levels[sale.three_ds]]]),
    49: numericOf(sale.currency),
    ...(sale.recurring ? RECURRING : ONLINE),
  }
}

/** 0220: `amount` of the authorization is captured. */
export function completionFields(
  authorization: Fields,
  approval_code: string | null,
  amount: bigint,
  stamp: Stamp,
): Fields {
  return {
    ...follower(authorization, stamp),
    4: writeAmount(amount),
    ...(approval_code !== null && { 38: approval_code }),
    39: '00',
    90: originalOf('0100', authorization),
  }
}

/** 0200 with processing code 20: `amount` goes back to the card. */
export function refundFields(authorization: Fields, amount: bigint, stamp: Stamp): Fields {
  return {
    ...follower(authorization, stamp),
    3: REFUND,
    4: writeAmount(amount),
    90: originalOf('0100', authorization),
  }
}

/** 0420 of `original`; `stays` is what remains authorized if it is a part (DE95). */
export function reversalFields(
  mti: string,
  original: Fields,
  approval_code: string | null,
  reason: ReversalReason,
  stamp: Stamp,
  stays?: bigint,
): Fields {
  const { 3: processing_code, 4: amount } = original
  const none = { side: 'C', amount: 0n } as const
  const fees = { settlement: 0n, transaction_fee: none, settlement_fee: none }
  return {
    ...follower(original, stamp),
    3: processing_code,
    4: amount,
    ...(approval_code !== null && { 38: approval_code }),
    39: reason,
    90: originalOf(mti, original),
    ...(stays !== undefined && { 95: writeReplacement({ actual: stays, ...fees }) }),
  }
}

/** The values that are sent once and stored nowhere; the AAV is that of element 43 (D-1091). */
export type Proofs = { cvv2: Secret; aav?: Secret | undefined }

/** The fields as they are sent. Only the first sending of a 0100 contains the proofs. */
export function withCard(fields: Fields, { pan, expiry }: Card, proofs?: Proofs): Fields {
  const whole: Fields = { ...fields, 2: pan.reveal(), 14: expiry }
  if (!proofs) return whole
  const known = parseElements(fields[48] ?? '')
  const elements = new Map(known.ok ? known.elements : [])
  if (proofs.aav) elements.set(elementIds.authentication_value, proofs.aav.reveal())
  return { ...whole, 48: writeElements(elements.set(elementIds.cvv2, proofs.cvv2.reveal())) }
}

/** MMDDhhmmss in UTC, as DE7. */
export function transmissionTime(now: Date): string {
  return now.toISOString().slice(5, 19).replace(/[-T:]/g, '')
}

/** The fields that a later message of the same payment copies from the first. */
function follower(original: Fields, stamp: Stamp): Fields {
  const { 48: _elements, 38: _approval, 39: _reason, 90: _original, 95: _stays, ...rest } = original
  return { ...rest, ...stampFields(stamp) }
}

function stampFields({ now, stan }: Stamp): Fields {
  const time = transmissionTime(now)
  return { 7: time, 11: stan, 12: time.slice(4), 13: time.slice(0, 4) }
}

function originalOf(mti: string, { 7: transmitted = '', 11: stan = '' }: Fields): string {
  return writeOriginal({ mti, stan, transmitted, acquirer: ACQUIRER_ID, forwarder: '' })
}

/** DE43: name 25, city 13, country 2; characters that the wire cannot write are left out. */
function nameAndLocation(acceptor: Acceptor): string {
  const { city, country } = acceptor
  const place = fit(toLatin(city), 13) + fit(toAlpha2(country) ?? '', 2)
  return fit(networkName(acceptor), DE43_NAME) + place
}

const fit = (text: string, length: number) => text.slice(0, length).padEnd(length)
