/**
 * A message of the card network becomes a request to the engine: docs/iso8583.md sections 5 to 7,
 * D-43 to D-49, D-106 to D-112. Pure. answer.ts is the way back, management.ts answers the messages
 * about the connection itself.
 */

import { parseAmount } from '#iso8583/amounts.ts'
import type { Fault, Fields, Message } from '#iso8583/message.ts'
import { answerMti, isAdvice, mtiClass } from '#iso8583/mti.ts'
import { type Elements, elementIds } from '#iso8583/tlv48.ts'
import type { Merchant, Pos } from '#issuing/transactions/schema.ts'
import { toAlpha3 } from '#lib/country.ts'
import { currencyOfNumeric } from '#lib/currency.ts'
import { isRate } from '#lib/money.ts'
import { Secret } from '#lib/secret.ts'
import { isChip, isStripe } from '../decide/checks/entry_modes.ts'
import type { AuthorizationRequest, MessageType } from '../schema.ts'
import { formatFaultOf, isApproval, isLocalDate, isLocalTime } from './format.ts'
import { type Parts, panOf, partsOf } from './parts.ts'
import { type Place, threeDsOf } from './place.ts'
import { duplicateKeyOf, originalOf } from './references.ts'

/** Milliseconds after its arrival in which a request needs its answer (D-44, 1889). */
export const DECISION_TIME = 1500

/** The side whose billed amount counts for a payment in another currency (D-1034). */
export type Billing = 'scheme' | 'own'

type ReadOptions = { billing?: Billing; deadline_ms?: number }

/** ISO 4217 for no currency: for a message that names none in which money can be held (D-120). */
const NO_CURRENCY = 'XXX'
const messageTypes: ReadonlySet<string> = new Set(['0100', '0120', '0200', '0220', '0400', '0420'])

/**
 * `pan` determines the tenant that decides. Without a card number nothing can be decided or
 * recorded.
 */
export type ReadRequest =
  | { ok: true; request: AuthorizationRequest; pan: Secret }
  | { ok: false; de39: '30' }

/**
 * `fault` is the codec's, with `message` then what could be read. `received` is the monotonic
 * instant of arrival in milliseconds. A request with a format fault is recorded and declined. Not
 * ok: a message without a card number, or one that asks for no decision.
 */
export function toRequest(
  message: Message,
  received: number,
  fault?: Fault,
  { billing = 'own', deadline_ms = DECISION_TIME }: ReadOptions = {},
): ReadRequest {
  const message_type = mtiClass(message.mti)
  const asks = answerMti(message.mti) !== null
  if (!asks || !isMessageType(message_type)) return { ok: false, de39: '30' }
  const { fields } = message
  const parts = partsOf(fields)
  const number = panOf(fields, parts)
  if (number === undefined) return { ok: false, de39: '30' }

  const pan = new Secret(number)
  const format_fault = formatFaultOf(message_type, message, parts, fault)
  const request = plainRequest(message_type, pan, fields, parts.place)
  addReferences(request, message, parts)
  if (billing === 'scheme') addBilled(request, fields)
  addDeadline(request, received + deadline_ms)
  if (format_fault) {
    // Format comes before duplicates (D-43): the corrected message is not a repeat of this one.
    delete request.duplicate_key
    return { ok: true, pan, request: { ...request, format_fault } }
  }
  addProofs(request, fields, parts)
  return { ok: true, pan, request }
}

const isMessageType = (mti: string): mti is MessageType => messageTypes.has(mti)

/** The members that need no part of the message to be well formed. */
function plainRequest(message_type: MessageType, pan: Secret, fields: Fields, place: Place) {
  const amount = parseAmount(fields[4] ?? '') ?? 0n
  const request: AuthorizationRequest = {
    message_type,
    processing_code: fields[3] ?? '',
    card: { pan },
    amount,
    currency: currencyOfNumeric(fields[49] ?? '') ?? NO_CURRENCY,
    merchant: merchantOf(fields),
    pos: posOf(fields, place),
    entry_mode: place.entry_mode,
    three_ds: 'NONE',
    recurring: place.recurring,
    partial_capable: false,
    is_verification: place.marked_verification && amount === 0n,
  }
  return request
}

const NAME = [0, 25] as const
const CITY = [25, 38] as const
const COUNTRY = [38, 40] as const
/** If the country has three characters, a space separates it from the city. */
const LONG_COUNTRY = /^ ([A-Z]{3}|[0-9]{3})$/
const LONG_COUNTRY_AT = 36

function merchantOf({ 18: mcc, 19: acquirer, 42: id = '', 43: text = '' }: Fields): Merchant {
  const merchant: Merchant = {}
  const place = withoutControls(text)
  const members = {
    id: withoutControls(id).trim(),
    name: place.slice(...NAME).trim(),
    mcc,
    city: place.slice(...CITY).trim(),
    country: countryOf(place, acquirer),
  }
  if (members.id) merchant.id = members.id
  if (members.name) merchant.name = members.name
  if (members.mcc) merchant.mcc = members.mcc
  if (members.city) merchant.city = members.city
  if (members.country) merchant.country = members.country
  return merchant
}

/**
 * Latin 1; NUL, with which networks fill a field, and other control characters are blanks (D-1033).
 */
const withoutControls = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ')

/**
 * The country of the place (DE43) as alpha-2, alpha-3 or number; else that of the acquirer (DE19),
 * a number.
 */
function countryOf(place: string, acquirer = ''): string | undefined {
  const [, long = ''] = LONG_COUNTRY.exec(place.slice(LONG_COUNTRY_AT)) ?? []
  return toAlpha3(long) ?? toAlpha3(place.slice(...COUNTRY)) ?? toAlpha3(acquirer)
}

function posOf({ 41: terminal }: Fields, { entry_mode, environment }: Place): Pos {
  const terminal_id = terminal && withoutControls(terminal).trim()
  return { entry_mode, environment, ...(terminal_id && { terminal_id }) }
}

/** Fifteen characters of DE63 of its presentment in a clearing file. */
const TRACE_ID = /^[!-~]{1,15}$/
const AUTHORIZES: ReadonlySet<MessageType> = new Set(['0100', '0120', '0200'])

function addReferences(request: AuthorizationRequest, message: Message, parts: Parts): void {
  const { fields } = message
  const { message_type } = request
  const original = originalOf(message_type, fields, parts.original)
  const rrn = fields[37]?.trim()
  const duplicate_key = duplicateKeyOf(message)
  if (rrn) request.rrn = rrn
  const trace_id = fields[63]?.trim()
  if (trace_id && AUTHORIZES.has(message_type) && TRACE_ID.test(trace_id)) {
    request.trace_id = trace_id
  }
  if (fields[11] !== undefined) request.stan = fields[11]
  const { 12: local_time, 13: local_date } = fields
  if (local_time !== undefined && isLocalTime(local_time)) request.local_time = local_time
  if (local_date !== undefined && isLocalDate(local_date)) request.local_date = local_date
  if (fields[32] !== undefined) request.acquirer_id = fields[32]
  if (Object.keys(original).length > 0) request.original = original
  if (duplicate_key !== undefined) request.duplicate_key = duplicate_key
  const isReversal = message_type === '0400' || message_type === '0420'
  if (isReversal && typeof parts.remaining === 'bigint') request.remaining_amount = parts.remaining
  if (message_type === '0120') {
    const approval_code = fields[38]?.trim()
    const approved = isApproval(fields[39])
    request.advised_approval = { approved, ...(approval_code && { approval_code }) }
  }
}

/** DE6, DE51 and DE10, whose first digit is the number of decimals of the other seven. */
function addBilled(request: AuthorizationRequest, fields: Fields): void {
  const amount = parseAmount(fields[6] ?? '')
  const currency = currencyOfNumeric(fields[51] ?? '')
  if (amount === null || currency === undefined) return
  const [, decimals = '', digits = ''] = /^([0-7])(\d{7})$/.exec(fields[10] ?? '') ?? []
  const at = digits.length - Number(decimals)
  const rate = `${Number(digits.slice(0, at))}.${digits.slice(at)}`.replace(/\.0*$/, '')
  request.billed = { amount, currency, ...(digits !== '' && isRate(rate) && { rate }) }
}

/** An advice is recorded however late: only a request has a deadline. */
function addDeadline(request: AuthorizationRequest, deadline: number): void {
  const { message_type } = request
  if (isAdvice(message_type) || message_type === '0400') return
  request.deadline = deadline
}

/** Everything that proves card and cardholder, and the capabilities of the terminal. */
function addProofs(request: AuthorizationRequest, fields: Fields, parts: Parts): void {
  const elements = parts.elements ?? undefined
  const expiry = fields[14] ?? parts.track?.expiry
  const cvv2 = elements?.get(elementIds.cvv2)
  const aav = elements?.get(elementIds.authentication_value)
  const track_cvv = trackCvvOf(parts)
  request.three_ds = threeDsOf(fields, elements)
  request.partial_capable = isPartialCapable(elements)
  if (aav !== undefined && request.three_ds === 'AUTHENTICATED') request.aav = new Secret(aav)
  if (expiry !== undefined) request.expiry = expiry
  if (parts.track) request.track_expiry = parts.track.expiry
  if (cvv2 !== undefined) request.cvv2 = new Secret(cvv2)
  if (track_cvv !== undefined) request.track_cvv = track_cvv
  if (parts.pin_block) request.pin_block = parts.pin_block
  if (fields[55] !== undefined) request.emv = fields[55]
  if (fields[23] !== undefined) request.card_sequence = fields[23].slice(-2)
}

const isPartialCapable = (elements: Elements | undefined): boolean =>
  elements?.get(elementIds.partial_approval) === '1'

/** The service code under which a chip's track 2 carries its value (iCVV, iso8583.md 5.8). */
const CHIP_SERVICE_CODE = '999'

/**
 * A stripe entry without a track gets an empty value, which no card has: declined with 1022 (D-106,
 * D-119). If the terminal calls the value unreliable, only the service code is checked.
 */
function trackCvvOf({ place, track }: Parts): AuthorizationRequest['track_cvv'] {
  const { reliable_track } = place
  const service_code = track?.service_code ?? ''
  if (isStripe(place)) {
    if (track && !reliable_track) return { service_code }
    return { value: new Secret(track?.cvv ?? ''), service_code }
  }
  if (!isChip(place) || !track || !reliable_track) return undefined
  return { value: new Secret(track.cvv), service_code: CHIP_SERVICE_CODE }
}
