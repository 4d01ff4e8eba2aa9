/**
 * The code of a message (MAC): DE64, or DE128 where a field behind DE64 is there. It is the last
 * field,
 * and covers all bytes before it, from the MTI on (D-1031).
 */

import { type DialectName, dialects } from './dialects.ts'
import type { Fields, Message } from './message.ts'

const MAC_BYTES = 8
const PRIMARY = 64
const SECONDARY = 128

/** Bytes of the field in a dialect. */
const sizeIn = (dialect: DialectName): number =>
  dialects[dialect].binary === 'hex' ? 2 * MAC_BYTES : MAC_BYTES

const macFieldOf = (fields: Fields): number =>
  Object.entries(fields).some(([de, value]) => value !== undefined && Number(de) > PRIMARY)
    ? SECONDARY
    : PRIMARY

/** The code and the bytes that it covers; undefined if the last field is none. */
export function macIn(
  bytes: Buffer,
  { fields }: Message,
  dialect: DialectName,
): { mac: Buffer; covered: Buffer } | undefined {
  const hex = fields[macFieldOf(fields)]
  if (hex === undefined) return undefined
  return {
    mac: Buffer.from(hex, 'hex'),
    covered: bytes.subarray(0, bytes.length - sizeIn(dialect)),
  }
}

/** The message with zeros in place of its code. */
export const withoutMac = ({ mti, fields }: Message): Message => {
  const { [PRIMARY]: _primary, [SECONDARY]: _secondary, ...rest } = fields
  return { mti, fields: { ...rest, [macFieldOf(rest)]: '00'.repeat(MAC_BYTES) } }
}

/** The bytes that the code of an encoded message covers. */
export const coveredIn = (encoded: Buffer, dialect: DialectName): Buffer =>
  encoded.subarray(0, encoded.length - sizeIn(dialect))

/** Writes the leftmost bytes of the code in place of the zeros. */
export function putMac(encoded: Buffer, mac: Buffer, dialect: DialectName): void {
  const code = mac.subarray(0, MAC_BYTES)
  const isHex = dialects[dialect].binary === 'hex'
  const written = isHex ? Buffer.from(code.toString('hex').toUpperCase(), 'latin1') : code
  written.copy(encoded, encoded.length - written.length)
}
