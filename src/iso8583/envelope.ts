/**
 * The bytes that a network puts before the MTI (D-1030): none, a TPDU (ISO 8583 over X.25: id, two
 * bytes each of destination and source), or a header as of Base I (22 bytes with a total length,
 * and
 * three bytes each of destination and source). An answer goes back with the two addresses
 * exchanged.
 */

export const envelopeNames = ['none', 'tpdu', 'base1'] as const
export type EnvelopeName = (typeof envelopeNames)[number]

type Form = {
  bytes: number
  /** The place of the two addresses, and the length of each; 0 for none. */
  at: number
  each: number
  /** The envelope of a message that answers none, without addresses. */
  own: Buffer
  /** The first byte of every such envelope; undefined if it may be any. */
  first?: number
  /** The place of the length of envelope and message, two bytes. */
  lengthAt?: number
}

const forms: Record<EnvelopeName, Form> = {
  none: { bytes: 0, at: 0, each: 0, own: Buffer.alloc(0) },
  tpdu: { bytes: 5, at: 1, each: 2, own: Buffer.from('6000000000', 'hex'), first: 0x60 },
  base1: {
    bytes: 22,
    at: 5,
    each: 3,
    own: Buffer.from(`160102${'00'.repeat(19)}`, 'hex'),
    first: 22,
    lengthAt: 3,
  },
}

/** In words, for the operator of a network that is not understood. */
export const envelopeInWords: Record<EnvelopeName, string> = {
  none: 'no envelope',
  tpdu: 'a TPDU of 5 bytes that begins with 60',
  base1: 'a header of 22 bytes that begins with 16',
}

/** The envelope and the message behind it, as views; undefined if there is no such envelope. */
export function opened(
  bytes: Buffer,
  name: EnvelopeName,
): { envelope: Buffer; message: Buffer } | undefined {
  const { bytes: size, first } = forms[name]
  if (bytes.length < size || (first !== undefined && bytes[0] !== first)) return undefined
  return { envelope: bytes.subarray(0, size), message: bytes.subarray(size) }
}

/** The message in the envelope of the one that it answers, or in an own one. */
export function enveloped(message: Buffer, name: EnvelopeName, answered?: Buffer): Buffer {
  const form = forms[name]
  if (form.bytes === 0) return message
  const envelope = Buffer.from(answered ?? form.own)
  const { at, each, lengthAt } = form
  if (answered) {
    answered.copy(envelope, at, at + each, at + 2 * each)
    answered.copy(envelope, at + each, at, at + each)
  }
  if (lengthAt !== undefined) envelope.writeUInt16BE(form.bytes + message.length, lengthAt)
  return Buffer.concat([envelope, message])
}
