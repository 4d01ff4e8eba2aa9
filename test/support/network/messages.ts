/** Messages of the card network with every mandatory field of docs/iso8583.md 5.2. */

import { writeAmount } from '#iso8583/amounts.ts'
import type { Fields, Message } from '#iso8583/message.ts'
import { writeOriginal, writeReplacement } from '#iso8583/original.ts'

let stan = 0
const nextStan = () => {
  stan = (stan % 999_999) + 1
  return String(stan).padStart(6, '0')
}

export type Sale = {
  pan: string
  /** Minor units. */
  amount: bigint
  /** Numeric; AED by default. */
  currency?: string
  mti?: string
  /** Fields that replace the usual ones; undefined removes one. */
  fields?: Fields
}

/** An e-commerce purchase (0100) by default, each with a trace number of its own. */
export function sale({ pan, amount, currency = '784', mti = '0100', fields = {} }: Sale): Message {
  const trace = nextStan()
  return {
    mti,
    fields: {
      2: pan,
      3: '000000',
      4: writeAmount(amount),
      7: '0612101530',
      11: trace,
      12: '141530',
      13: '0612',
      18: '5411',
      22: '812',
      25: '59',
      32: '400123',
      37: `616310${trace}`,
      41: 'TERM0001',
      42: 'MERCHANT0000001',
      43: 'Lulu Hypermarket         Abu Dhabi    AE',
      49: currency,
      ...fields,
    },
  }
}

const originalOf = ({ mti, fields }: Message): string =>
  writeOriginal({
    mti,
    stan: fields[11] ?? '',
    transmitted: fields[7] ?? '',
    acquirer: fields[32] ?? '',
    forwarder: fields[33] ?? '',
  })

/** A message that acts on an earlier one, with a trace number of its own. */
function following(mti: string, original: Message, fields: Fields): Message {
  const { 22: entry, ...same } = original.fields
  return {
    mti,
    fields: { ...same, 22: entry, 11: nextStan(), 90: originalOf(original), ...fields },
  }
}

/** 0220 for the whole amount, or another one. */
export function completion(original: Message, answer: Message, fields: Fields = {}): Message {
  return following('0220', original, { 38: answer.fields[38] ?? '000000', 39: '00', ...fields })
}

/** 0400; with `remaining` (minor units) a partial one. */
export function reversal(original: Message, remaining?: bigint, fields: Fields = {}): Message {
  const none = { side: 'C', amount: 0n } as const
  const partly = remaining !== undefined && {
    95: writeReplacement({
      actual: remaining,
      settlement: 0n,
      transaction_fee: none,
      settlement_fee: none,
    }),
  }
  return following('0400', original, { ...partly, ...fields })
}
