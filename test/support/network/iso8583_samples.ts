/** The vectors of independent implementations, and random messages, for tests of the codec. */

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { DialectName } from '#iso8583/dialects.ts'
import { type Field, type FieldType, fieldTable } from '#iso8583/fields.ts'
import type { Message } from '#iso8583/message.ts'

type Vector = { id: string; mti: string; fields: Record<string, string>; hex: string }
type BadVector = { id: string; description: string; hex: string }

export type VectorFile = {
  field_table: { de: number; type: string; max: number; length_prefix: string }[]
  vectors: Vector[]
  decode_errors: BadVector[]
  type_errors: BadVector[]
}

export type StreamFile = {
  vectors: {
    id: string
    dialect_file: string
    message_ids: string[]
    stream_2byte_binary_hex: string
    stream_4digit_ascii_hex: string
    suggested_chunk_sizes: number[]
  }[]
}

function readVectors(name: string) {
  const url = new URL(`../../vectors/${name}`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8'))
}

export function vectorFile(name: string): VectorFile {
  return readVectors(name)
}

export function streamFile(): StreamFile {
  return readVectors('iso8583_stream.json')
}

export const vectorFiles: readonly (readonly [DialectName, VectorFile])[] = [
  ['ascii', vectorFile('iso8583_1987_ascii.json')],
  ['bcd', vectorFile('iso8583_1987_bcd.json')],
  ['ascii_binary_bitmap', vectorFile('iso8583_1987_ascii_binbitmap.json')],
  ['ebcdic', vectorFile('iso8583_1987_ebcdic.json')],
]

/** SEED=… repeats a run; every property prints its seed. */
export const seed = Number(process.env['SEED'] ?? Date.now() % 0x7fffffff)

const textOf = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength })

const DIGITS = '0123456789'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PRINTABLES = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')

type Values = (least: number, most: number) => fc.Arbitrary<string>

const valuesOf: Record<FieldType, Values> = {
  n: (least, most) => textOf(DIGITS, least, most),
  an: (least, most) => textOf(DIGITS + LETTERS, 0, most).map((text) => text.padEnd(least, ' ')),
  ans: (least, most) => textOf(PRINTABLES, least, most),
  z: (least, most) => textOf(`${DIGITS}=`, least, most),
  b: (least, most) => textOf(`${DIGITS}ABCDEF`, 2 * least, 2 * most).map(evenly),
  'x+n': (least, most) =>
    fc
      .tuple(fc.constantFrom('C', 'D'), textOf(DIGITS, least - 1, most - 1))
      .map(([side, digits]) => side + digits),
}

const evenly = (hex: string) => hex.slice(0, hex.length & ~1)

function anyValueOf({ type, max, length_prefix }: Field): fc.Arbitrary<string> {
  return valuesOf[type](length_prefix === 'fixed' ? max : 1, max)
}

/** Any message that the field table allows. */
export const messages: fc.Arbitrary<Message> = fc
  .tuple(
    textOf(DIGITS, 3, 3).map((digits) => `0${digits}`),
    fc.subarray([...fieldTable], { maxLength: 40 }),
  )
  .chain(([mti, chosen]) =>
    fc
      .record(Object.fromEntries(chosen.map((field) => [field.de, anyValueOf(field)])))
      .map((fields) => ({ mti, fields: { ...fields } })),
  )
