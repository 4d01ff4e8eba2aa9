/** The fields that a message must contain (iso8583.md 5.2) and the faults of format (D-106). */

import type { Fault, Fields, Leniency, Message } from '#iso8583/message.ts'
import { elementIds } from '#iso8583/tlv48.ts'
import { isCurrencyNumber } from '#lib/currency.ts'
import type { MessageType } from '../schema.ts'
import { type Parts, panOf } from './parts.ts'

/** The description of a fault, without a value of the message. */
export type FormatFault = { status_code: '1846' | '9104'; detail: string }

const always = [3, 4, 7, 11, 12, 13, 18, 25, 32, 37, 41, 42, 43, 49]

/** The mandatory fields beside a card number; DE22 has a code of its own, below. */
const mandatory: Record<MessageType, readonly number[]> = {
  '0100': always,
  '0200': always,
  '0120': [...always, 39],
  '0220': [...always, 38, 39],
  '0400': [...always, 90],
  '0420': [...always, 90],
}

const wantsEntryMode: ReadonlySet<MessageType> = new Set(['0100', '0120', '0200', '0220'])

const HOUR = '(?:[01]\\d|2[0-3])[0-5]\\d[0-5]\\d'
const DAY = '(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])'

const LOCAL_TIME = new RegExp(`^${HOUR}$`)
const LOCAL_DATE = new RegExp(`^${DAY}$`)

/** Narrower than the field table: the type of the field allows more than its meaning does. */
const shapes: readonly (readonly [de: number, shape: RegExp])[] = [
  [2, /^\d{12,19}$/],
  [7, new RegExp(`^${DAY}${HOUR}$`)],
  [37, /\S/],
  [38, /\S/],
]

/**
 * The fields that a decision or the answer to it is made of, and those of network management. Any
 * bytes in another field are accepted, and decline nothing (D-1033).
 */
const readFields: ReadonlySet<number> = new Set([
  ...[2, 3, 4, 7, 11, 14, 18, 19, 22, 23, 25, 32, 35, 37, 38, 39, 41, 42, 43, 48, 49, 52, 53, 55],
  ...[70, 90, 95, 123],
])

/**
 * Fields of text: names have letters with accents, and networks fill with NUL. The first amount of
 * DE95 alone is read.
 */
const textFields: ReadonlySet<number> = new Set([41, 43, 95])

export const lenient: Leniency = { read: readFields, text: textFields }

/** Messages to which DE38, a PIN block or DE95 says something. */
const withApproval: ReadonlySet<MessageType> = new Set(['0120', '0220', '0400', '0420'])
const withPin: ReadonlySet<MessageType> = new Set(['0100', '0200'])
const withReplacement: ReadonlySet<MessageType> = new Set(['0400', '0420'])

const CVV2 = /^\d{3,4}$/

/**
 * The first fault: one of the codec, a missing field, a malformed field, and at last a missing DE22
 * (1846). Only with the last can the other fields still be trusted.
 */
export function formatFaultOf(
  type: MessageType,
  message: Message,
  parts: Parts,
  fault: Fault | undefined,
): FormatFault | undefined {
  const { fields } = message
  const detail =
    codecFault(fault) ?? missing(type, message, parts) ?? malformed(type, fields, parts)
  if (detail !== undefined) return { status_code: '9104', detail }
  if (wantsEntryMode.has(type) && fields[22] === undefined) {
    return { status_code: '1846', detail: 'DE22 is missing' }
  }
  return undefined
}

function codecFault(fault: Fault | undefined): string | undefined {
  if (fault === undefined) return undefined
  const { reason, de, at } = fault
  return de === null ? `${reason} at byte ${at}` : `DE${de}: ${reason}`
}

function missing(type: MessageType, message: Message, parts: Parts): string | undefined {
  const { fields, left_out } = message
  if (panOf(fields, parts) === undefined) return 'DE2 is missing'
  const de = mandatory[type].find(
    (number) => fields[number] === undefined && !left_out?.includes(number),
  )
  if (de !== undefined) return `DE${de} is missing`
  // A network that declined for the issuer has no approval code to send.
  const wants38 = type === '0120' && isApproval(fields[39]) && fields[38] === undefined
  return wants38 ? 'DE38 is missing' : undefined
}

function malformed(type: MessageType, fields: Fields, parts: Parts): string | undefined {
  const shape = shapes.find(([de, allowed]) => {
    const value = fields[de]
    const isRead = de !== 38 || withApproval.has(type)
    return isRead && value !== undefined && !allowed.test(value)
  })
  // Digits that ISO 4217 has (D-120).
  const { 49: currency } = fields
  const cvv2 = parts.elements?.get(elementIds.cvv2)
  const faults: readonly (readonly [de: number, found: boolean])[] = [
    [shape?.[0] ?? 0, shape !== undefined],
    [49, currency !== undefined && !isCurrencyNumber(currency)],
    [35, parts.track === null],
    [35, fields[2] !== undefined && !!parts.track && parts.track.pan !== fields[2]],
    [48, parts.elements === null || (cvv2 !== undefined && !CVV2.test(cvv2))],
    [fields[123] === undefined ? 52 : 123, withPin.has(type) && parts.pin_block === null],
    [90, parts.original === null],
    [95, withReplacement.has(type) && parts.remaining === null],
  ]
  const first = faults.find(([, found]) => found)
  return first && `DE${first[0]} is malformed`
}

/** The terminal's time and date decide nothing: kept where they are one (D-1033). */
export const isLocalTime = (text: string): boolean => LOCAL_TIME.test(text)
export const isLocalDate = (text: string): boolean => LOCAL_DATE.test(text)

/** DE39 values with which a network reports that it approved for the issuer (iso8583.md 6.1). */
const approvals: ReadonlySet<string> = new Set(['00', '08', '10', '11', '85'])

export const isApproval = (de39: string | undefined): boolean =>
  de39 !== undefined && approvals.has(de39)
