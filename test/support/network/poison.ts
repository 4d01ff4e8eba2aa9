/**
 * Messages with bytes in one field that no codec would write: a hostile network could send them.
 */

import { pages } from '#iso8583/code_pages.ts'
import { type DialectName, dialects } from '#iso8583/dialects.ts'
import type { Field } from '#iso8583/fields.ts'
import { encode, type Message } from '#iso8583/message.ts'

const text = (characters: string, dialect: DialectName): Buffer => {
  const { toWire } = pages[dialects[dialect].page]
  return Buffer.from(Buffer.from(characters, 'latin1').map((code) => toWire[code] ?? 0))
}

type Poison = (dialect: DialectName) => Buffer

/** Bytes that are no character in any dialect. */
export const neverText: Readonly<Record<string, Poison>> = {
  'lone surrogates': () => Buffer.from('eda080', 'hex'),
  'control characters': () => Buffer.from('0102031b0a0d', 'hex'),
  'bytes of ones': () => Buffer.from('ff', 'hex'),
}

/** Values that a type may permit; then they must be harmless. */
export const perhapsText: Readonly<Record<string, Poison>> = {
  'zero bytes': () => Buffer.from('00', 'hex'),
  blanks: (dialect) => text(' ', dialect),
  'ten to the eighteenth': (dialect) => text('1000000000000000000', dialect),
  nines: (dialect) => text('9', dialect),
  SQL: (dialect) => text("'); drop table transactions; --", dialect),
  JSON: (dialect) => text('{"a":"\\u0000"},null]', dialect),
  'an array': (dialect) => text('{NULL,"}', dialect),
  'the other code page': (dialect) => text('AED', dialect === 'ebcdic' ? 'ascii' : 'ebcdic'),
}

/** Bytes of poison in a field with a length prefix; short enough for each of them. */
const LENGTH = 12

/**
 * The message with the bytes over the whole of the field's value, again and again until it is full.
 * The field is found by writing it with two values that differ in each of their digits.
 */
export function poisoned(message: Message, field: Field, poison: Buffer, dialect: DialectName) {
  const [one, two] = ['3', '4'].map((digit) =>
    encode(
      { ...message, fields: { ...message.fields, [field.de]: filled(field, digit) } },
      dialect,
    ),
  )
  if (!one || !two) throw new Error('nothing was written')
  const differs = [...one.keys()].filter((at) => one[at] !== two[at])
  for (const [index, at] of differs.entries()) one[at] = poison[index % poison.length] ?? 0
  return one
}

function filled({ type, max, length_prefix }: Field, digit: string): string {
  const count = length_prefix === 'fixed' ? max : Math.min(max, LENGTH)
  if (type === 'b') return digit.repeat(2 * count)
  return type === 'x+n'
    ? (digit === '3' ? 'C' : 'D') + digit.repeat(count - 1)
    : digit.repeat(count)
}
