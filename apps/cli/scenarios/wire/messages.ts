/** Messages of a card network with every mandatory field of docs/iso8583.md 5.2. */

import { writeAmount } from '#iso8583/amounts.ts'
import type { Fields, Message } from '#iso8583/message.ts'
import { mtiClass } from '#iso8583/mti.ts'
import { writeOriginal, writeReplacement } from '#iso8583/original.ts'
import { elementIds, writeElements } from '#iso8583/tlv48.ts'
import { isCurrency, numericOf } from '#lib/currency.ts'
import { parseAmount } from '#lib/money.ts'
import type { EntryMode, MessageKind, StepOf } from '../file/schema.ts'
import { StepFault } from '../run/step_fault.ts'

/** A message and, once it has come, its answer. */
export type Exchange = {
  message: Message
  answer?: Message
  /** Code of the currency, and minor units; for a sale, the total that is authorized. */
  currency: string
  amount: bigint
}

export type MessageData = Omit<StepOf<'send'>, 'kind' | 'expect' | 'as' | 'of' | 'line'> & {
  currency: string
  card_number: string
  original?: Exchange | undefined
}

/** The number of the last message, and the time on the clock of the tenant. */
export type Counter = { stan: number; now: Date }

const ACQUIRER = '400123'

const types: Readonly<Record<MessageKind, readonly [mti: string, processing_code: string]>> = {
  authorization: ['0100', '000000'],
  purchase: ['0200', '000000'],
  withdrawal: ['0200', '010000'],
  verification: ['0100', '000000'],
  increment: ['0100', '000000'],
  completion: ['0220', '000000'],
  reversal: ['0400', '000000'],
  refund: ['0200', '200000'],
  advice: ['0120', '000000'],
}
/** The first two digits of DE22. */
export const entryModes: Readonly<Record<EntryMode, string>> = {
  ECOMMERCE: '81',
  MANUAL: '01',
  CREDENTIAL_ON_FILE: '10',
  CHIP: '05',
  CONTACTLESS: '07',
  MAGSTRIPE: '90',
}
const APPROVED = '00'
const PARTLY = '10'
/** DE38 of a decision that is not known. */
const NO_CODE = '000000'

/** Throws StepFault if a value cannot be written. */
export function makeMessage(data: MessageData, counter: Counter): Exchange {
  const { send, original, currency } = data
  const [mti, processing_code] = types[send]
  const amount = amountOf(data)
  counter.stan += 1
  const fields: Fields = {
    ...saleFields(data, counter),
    3: processing_code,
    4: writeAmount(send === 'reversal' && original ? original.amount : amount),
    ...(original && referenceFields(send, original, amount)),
    ...proofs(data),
  }
  if (send === 'advice') addDecision(fields, data.response_code)
  if (send === 'completion') {
    fields[38] ??= NO_CODE
    fields[39] = APPROVED
  }
  if (send === 'reversal') fields[90] ??= unknownOriginal(fields)
  for (const [de, value] of Object.entries(data.fields ?? {})) {
    fields[Number(de)] = value ?? undefined
  }
  return { message: { mti, fields }, currency, amount }
}

function amountOf({ send, amount, currency, original }: MessageData): bigint {
  if (!isCurrency(currency)) throw new StepFault(['currency'], `${currency} is no currency`)
  if (amount === undefined) {
    if (send === 'verification') return 0n
    if (original) return original.amount
    throw new StepFault(['send'], `amount of the ${send} is missing`)
  }
  const parsed = parseAmount(amount, currency)
  if (!parsed.ok) throw new StepFault(['amount'], `amount ${parsed.message}`)
  return parsed.minor
}

function saleFields(data: MessageData, { stan, now }: Counter): Fields {
  const { send, merchant = {}, currency, card_number } = data
  const { id = 'MERCHANT0000001', name = 'Lulu Hypermarket', mcc = '5411' } = merchant
  const { city = 'Abu Dhabi', country = 'AE' } = merchant
  const entry_mode = data.entry_mode ?? (send === 'withdrawal' ? 'MANUAL' : 'ECOMMERCE')
  const digits = now.toISOString().replaceAll(/\D/g, '')
  const trace = String(stan).padStart(6, '0')
  return {
    2: card_number,
    7: digits.slice(4, 14),
    11: trace,
    12: digits.slice(8, 14),
    13: digits.slice(4, 8),
    18: send === 'withdrawal' ? (merchant.mcc ?? '6011') : mcc,
    22: `${entryModes[entry_mode]}2`,
    25: conditionOf(send, entry_mode),
    32: ACQUIRER,
    37: `616310${trace}`,
    41: 'TERM0001',
    42: id.padEnd(15),
    43: name.padEnd(25) + city.padEnd(13) + country,
    49: numericOf(currency),
  }
}

function conditionOf(send: MessageKind, entry_mode: EntryMode): string {
  if (send === 'verification') return '51'
  return entry_mode === 'ECOMMERCE' ? '59' : '00'
}

/** The fields that name the original: DE90, its retrieval reference and its approval code. */
function referenceFields(send: MessageKind, original: Exchange, amount: bigint): Fields {
  const { mti, fields } = original.message
  const { 11: stan = '', 7: transmitted = '', 32: acquirer = '', 33: forwarder = '' } = fields
  const same = { 18: fields[18], 42: fields[42], 43: fields[43] }
  const taken = writeOriginal({ mti, stan, transmitted, acquirer, forwarder })
  const approval_code = original.answer?.fields[38] ?? fields[38]
  switch (send) {
    case 'refund':
      return { ...same, 90: taken }
    case 'reversal':
      return {
        ...same,
        3: fields[3],
        37: fields[37],
        38: approval_code,
        90: taken,
        ...(amount < original.amount && { 95: remaining(original.amount - amount) }),
      }
    default:
      return { ...same, 3: fields[3], 37: fields[37], 38: approval_code, 90: taken }
  }
}

function remaining(actual: bigint): string {
  const none = { side: 'C', amount: 0n } as const
  return writeReplacement({
    actual,
    settlement: 0n,
    transaction_fee: none,
    settlement_fee: none,
  })
}

/** A message that the issuer has never had. */
const unknownOriginal = ({ 7: transmitted = '' }: Fields): string =>
  writeOriginal({ mti: '0100', stan: '999999', transmitted, acquirer: ACQUIRER, forwarder: '' })

function proofs({ cvv2, expiry, partial_approval }: MessageData): Fields {
  const elements: [id: string, value: string][] = []
  if (partial_approval) elements.push([elementIds.partial_approval, '1'])
  if (cvv2 !== undefined) elements.push([elementIds.cvv2, cvv2])
  return {
    ...(expiry !== undefined && { 14: expiry.replace('-', '').slice(-4) }),
    ...(elements.length > 0 && { 48: writeElements(elements) }),
  }
}

function addDecision(fields: Fields, code = APPROVED): void {
  fields[39] = code
  // The network's own code.
  if (code === APPROVED) fields[38] = fields[11]
}

/** Adds an approved amount to the total that is authorized of the sale that it is about. */
export function addToSale(send: MessageKind, exchange: Exchange, original?: Exchange): void {
  const { 4: amount, 39: code } = exchange.answer?.fields ?? {}
  if (code === PARTLY && amount !== undefined) exchange.amount = BigInt(amount)
  if (!original || (code !== APPROVED && code !== PARTLY)) return
  if (send === 'increment') original.amount += exchange.amount
  if (send === 'reversal') original.amount -= exchange.amount
}

/** The same message, marked as a repeat. */
export function repeatOf({ message }: Exchange): Message {
  return { ...message, mti: `${mtiClass(message.mti).slice(0, 3)}1` }
}
