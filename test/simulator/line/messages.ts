/** Messages of the simulator as a card network writes them (docs/iso8583.md 5). */

import { writeAmount } from '#iso8583/amounts.ts'
import type { Fields, Message } from '#iso8583/message.ts'
import { isAdvice, mtiClass } from '#iso8583/mti.ts'
import { writeOriginal, writeReplacement } from '#iso8583/original.ts'
import { isApproval } from '#issuing/authorization/message/format.ts'
import type { AuthorizationAnswer } from '#issuing/authorization/schema.ts'
import { numericOf } from '#lib/currency.ts'
import type { TestMessage } from '#test/support/desk.ts'

const NO_FEE = { side: 'C', amount: 0n } as const
/** DE38 of a presentment whose approval the network does not know. */
const NO_CODE = '000000'

export function messageOf(request: TestMessage, pan: string): Message {
  const { message_type: mti, processing_code, amount, merchant, rrn = '' } = request
  const [, stan = '', transmitted = '', acquirer = ''] = (request.duplicate_key ?? '').split('|')
  const fields: Fields = {
    2: pan,
    3: processing_code,
    4: writeAmount(amount),
    7: transmitted,
    11: stan,
    12: '141530',
    13: '0612',
    18: merchant.mcc,
    22: '812',
    25: '59',
    32: acquirer,
    37: rrn,
    41: 'TERM0001',
    42: (merchant.id ?? '').padEnd(15),
    43: `${(merchant.name ?? '').padEnd(25)}${'Abu Dhabi'.padEnd(13)}AE`,
    49: numericOf(request.currency),
    ...referencesOf(request),
  }
  const { billed } = request
  if (billed) {
    fields[6] = writeAmount(billed.amount)
    fields[10] = (billed.rate ?? '').padStart(8, '0')
    fields[51] = numericOf(billed.currency)
  }
  return { mti, fields }
}

/** The fields that name other messages, and what the network says of them. */
function referencesOf(request: TestMessage): Fields {
  const { message_type: mti, original = {}, advised_approval, remaining_amount: actual } = request
  const fields: Fields = {}
  const { message_key, approval_code } = original
  if (message_key !== undefined) {
    const [type = '', number = '', at = '', acquirer = ''] = message_key.split('|')
    const named = { mti: type, stan: number, transmitted: at, acquirer, forwarder: '' }
    fields[90] = writeOriginal(named)
  }
  if (mti === '0220' || mti === '0120') {
    fields[38] = advised_approval?.approval_code ?? approval_code ?? NO_CODE
    fields[39] = '00'
  }
  if (actual !== undefined) {
    const none = { settlement: 0n, transaction_fee: NO_FEE, settlement_fee: NO_FEE }
    fields[95] = writeReplacement({ actual, ...none })
  }
  return fields
}

/** The answers to an advice that was not recorded, so that it is sent again. */
const NOT_RECORDED = new Set(['91', '96'])

/** An answer as the network reads it, with DE39 as its status code; undefined if it says nothing. */
export function answerIn({ mti, fields }: Message): AuthorizationAnswer | undefined {
  const { 4: amount = '0', 38: approval_code, 39: status_code = '' } = fields
  if (isAnswerToAdvice(mti) && NOT_RECORDED.has(status_code)) return undefined
  return {
    ...{ transaction_id: '', status_code, approved: isApproval(status_code) },
    ...{ amount: BigInt(amount), hints: {}, repeated: false },
    ...(approval_code !== undefined && { approval_code }),
  }
}

const isAnswerToAdvice = (mti: string): boolean => isAdvice(mtiClass(mti))

/** The message under which an answer comes back. */
export const nameOfAnswer = ({ mti, fields }: Message): string =>
  [mtiClass(mti), fields[11], fields[7], fields[37] ?? fields[70]].join('|')

let numbers = 0

/** A message about the connection. */
function management(own: Fields): Message {
  numbers = (numbers % 999_999) + 1
  const number = String(numbers).padStart(6, '0')
  return { mti: '0800', fields: { 7: '0612101530', 11: number, 33: '9', ...own } }
}

export const signOn = (): Message => management({ 70: '001' })
export const keyMessage = (fields: Fields): Message => management(fields)

/** The message for another amount, under a number of its own. */
export function forged({ mti, fields }: Message): Message {
  numbers = (numbers % 999_999) + 1
  const number = String(999_999 - numbers).padStart(6, '0')
  const amount = writeAmount(BigInt(fields[4] ?? '0') + 1n)
  return { mti, fields: { ...fields, 4: amount, 11: number } }
}
