/**
 * The message that the card network would send for a simulated request: the way back from
 * message/request.ts. Secrets are zeros of their length; the log masks them. Pure.
 */

import { hash } from 'node:crypto'
import { writeAmount } from '#iso8583/amounts.ts'
import type { Fields, Message } from '#iso8583/message.ts'
import { writeOriginal, writeReplacement } from '#iso8583/original.ts'
import { elementIds, writeElements } from '#iso8583/tlv48.ts'
import type { AuthorizationRequest } from '#issuing/authorization/schema.ts'
import type { EntryMode, Merchant, Transaction } from '#issuing/transactions/schema.ts'
import { toAlpha2 } from '#lib/country.ts'
import { isCurrency, numericOf } from '#lib/currency.ts'

/** The members of the transaction that the message is about. */
type About = Pick<Transaction, 'id' | 'message_type' | 'created' | 'modified'> & {
  rrn?: string
  stan?: string
  approval_code?: string
}

/** The sender of simulated messages, and the terminal at which they are typed in. */
const ACQUIRER = '999999'
const TERMINAL = 'SIMULATE'

/** `pan` may have zeros for digits that are not known: they are masked. */
export function messageOf(request: AuthorizationRequest, pan: string, about: About): Message {
  const { message_type: mti, processing_code, amount, merchant, pos, currency } = request
  const isFirst = request.original?.transaction_id !== about.id
  const time = momentOf(isFirst ? about.created : about.modified)
  const stan = isFirst ? firstStan(about) : stanOf(about.id, mti, about.modified)
  const fields: Fields = {
    2: pan,
    3: processing_code,
    4: writeAmount(amount),
    7: time.day + time.hour,
    11: stan,
    12: time.hour,
    13: time.day,
    18: merchant.mcc,
    25: conditionOf(request),
    32: ACQUIRER,
    37: about.rrn ?? rrnOf(about),
    41: plain(pos.terminal_id ?? TERMINAL, 8),
    42: plain(merchant.id, 15),
    43: placeOf(merchant),
    49: isCurrency(currency) ? numericOf(currency) : undefined,
  }
  if (isFirst) addProofs(fields, request)
  else addReferences(fields, request, about)
  return { mti, fields }
}

const CAN_READ_PIN = '1'
const NO_PIN = '2'

/** How the card was read, and the proofs of it and its holder. */
function addProofs(fields: Fields, request: AuthorizationRequest): void {
  const { entry_mode, expiry, pin_block, emv, cvv2, three_ds, aav, partial_capable } = request
  fields[22] = entryModes[entry_mode] + (pin_block ? CAN_READ_PIN : NO_PIN)
  if (expiry !== undefined) fields[14] = expiry
  if (emv !== undefined) fields[55] = emv.toUpperCase()
  const elements: [id: string, value: string][] = []
  if (three_ds !== 'NONE') elements.push([elementIds.three_ds_level, THREE_DS[three_ds]])
  if (aav) elements.push([elementIds.authentication_value, '0'.repeat(aav.reveal().length)])
  if (partial_capable) elements.push([elementIds.partial_approval, '1'])
  if (cvv2) elements.push([elementIds.cvv2, '0'.repeat(cvv2.reveal().length)])
  if (elements.length > 0) fields[48] = writeElements(elements)
  if (pin_block) {
    fields[53] = FORMAT_4
    fields[123] = '0'.repeat(pin_block.reveal().length)
  }
}

/** DE53 that marks a PIN block of format 4. */
const FORMAT_4 = '04'.padEnd(16, '0')
const THREE_DS = { AUTHENTICATED: '0103212', ATTEMPTED: '0103211' } as const

/** The first two digits of DE22. */
const entryModes: Readonly<Record<EntryMode, string>> = {
  MANUAL: '01',
  CHIP: '05',
  CONTACTLESS: '07',
  ECOMMERCE: '81',
  CREDENTIAL_ON_FILE: '10',
  FALLBACK: '80',
  MAGSTRIPE: '90',
  UNKNOWN: '00',
}

function conditionOf({ is_verification, entry_mode }: AuthorizationRequest): string {
  if (is_verification) return '51'
  return entry_mode === 'ECOMMERCE' ? '59' : '00'
}

/** The message that it acts on, and the amount that stays of it. */
function addReferences(fields: Fields, request: AuthorizationRequest, about: About): void {
  const { message_type, entry_mode, reverse_amount, amount } = request
  if (message_type === '0100' || message_type === '0220') fields[22] = `${entryModes[entry_mode]}2`
  if (message_type === '0100') return
  fields[38] = about.approval_code
  if (message_type === '0220') {
    fields[39] = '00'
    return
  }
  const { day, hour } = momentOf(about.created)
  fields[90] = writeOriginal({
    mti: about.message_type,
    stan: firstStan(about),
    transmitted: day + hour,
    acquirer: ACQUIRER,
    forwarder: '',
  })
  if (reverse_amount !== undefined && reverse_amount < amount) {
    const none = { side: 'D', amount: 0n } as const
    const actual = amount - reverse_amount
    fields[95] = writeReplacement({
      actual,
      settlement: 0n,
      transaction_fee: none,
      settlement_fee: none,
    })
  }
}

function placeOf({ name, city, country }: Merchant): string {
  const alpha2 = country === undefined ? '' : (toAlpha2(country) ?? '')
  return plain(name, 25) + plain(city, 13) + plain(alpha2, 2)
}

/** Text of a fixed length in the characters that every dialect has. */
const plain = (text = '', length = 0): string =>
  text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^ -~]/g, '?')
    .slice(0, length)
    .padEnd(length)

/** MMDD and hhmmss, UTC. */
function momentOf(instant: Date): { day: string; hour: string } {
  const digits = instant.toISOString().replaceAll(/\D/g, '')
  return { day: digits.slice(4, 8), hour: digits.slice(8, 14) }
}

const STANS = 999_999

/** A trace number for a message that got none: the same whenever it is asked for. */
function stanOf(id: string, mti: string, at: Date): string {
  const digits = hash('sha256', `${id}|${mti}|${at.toISOString()}`).slice(0, 12)
  return String((Number.parseInt(digits, 16) % STANS) + 1).padStart(6, '0')
}

const firstStan = ({ id, message_type, created, stan }: About): string =>
  stan ?? stanOf(id, message_type, created)

/** Year, day of the year, hour and trace number, as acquirers make it. */
function rrnOf(about: About): string {
  const { created } = about
  const year = created.getUTCFullYear()
  const day = Math.floor((created.getTime() - Date.UTC(year, 0, 0)) / 86_400_000)
  const hour = String(created.getUTCHours()).padStart(2, '0')
  return `${year % 10}${String(day).padStart(3, '0')}${hour}${firstStan(about)}`
}
