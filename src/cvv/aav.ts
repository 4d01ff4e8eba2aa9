/**
 * The AAV: proof that the issuer has authenticated the cardholder of one payment (D-1091,
 * docs/iso8583.md 5.6). 21 bytes, as 28 characters of base64: version, seconds since 1970 at which
 * it was made, the end of the id of its challenge, and 12 bytes. They are the first of an
 * HMAC-SHA-256 in version 1, and a code of a security module with zeros in version 2 (D-1372).
 */

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { Secret } from '#lib/secret.ts'
import type { MacMethod } from '#mac/mac.ts'

const VERSION = 1
const VERSION_OF_MODULE = 2
const HEAD_BYTES = 9
const TIME_AT = 1
const REFERENCE_AT = 5
const REFERENCE_BYTES = 4
const MAC_BYTES = 12
/** A code under a key of TDES. */
const CODE_BYTES = 8
const REST = Buffer.alloc(MAC_BYTES - CODE_BYTES)
/** The code of version 2: no module makes an HMAC (spec/hsm.md), each makes this one. */
export const AAV_METHOD: MacMethod = { algorithm: 'iso9797_3', padding: 2 }
const SHAPE = /^[A-Za-z0-9+/]{28}$/
/** How long a payment may be authorized after its challenge. */
export const AAV_MS = 24 * 60 * 60 * 1000

/** The payment that is proved; the amount in minor units. `merchant_id` is that of DE42. */
export type ProvedPayment = {
  card_id: string
  amount: bigint
  currency: string
  merchant_id: string
}

export type AavProof = 'right' | 'wrong' | 'late'

/** `challenge_id` is a UUID. */
export function makeAav(
  key: KeyObject,
  payment: ProvedPayment,
  { challenge_id, made }: { challenge_id: string; made: Date },
): Secret {
  const head = headOf(VERSION, { challenge_id, made })
  return new Secret(Buffer.concat([head, macOf(key, head, payment)]).toString('base64'))
}

/** The same where the key is in a module; `codeOf` asks it for the code of a message. */
export async function makeAavByModule(
  codeOf: (message: Buffer) => Promise<Buffer>,
  payment: ProvedPayment,
  of: { challenge_id: string; made: Date },
): Promise<Secret> {
  const head = headOf(VERSION_OF_MODULE, of)
  const code = await codeOf(Buffer.from(textOf(head, payment)))
  return new Secret(Buffer.concat([head, code, REST]).toString('base64'))
}

function headOf(version: number, { challenge_id, made }: { challenge_id: string; made: Date }) {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt8(version)
  head.writeUInt32BE(Math.floor(made.getTime() / 1000), TIME_AT)
  head.write(challenge_id.slice(-2 * REFERENCE_BYTES), REFERENCE_AT, 'hex')
  return head
}

/** The question to a module about a value of version 2; undefined for one of another form. */
export function questionOfAav(
  payment: ProvedPayment,
  candidate: Secret,
): { message: Buffer; code: Buffer; isLate: (now: Date) => boolean } | undefined {
  const text = candidate.reveal()
  const bytes = Buffer.from(SHAPE.test(text) ? text : '', 'base64')
  if (bytes.length === 0 || bytes.readUInt8() !== VERSION_OF_MODULE) return undefined
  const head = bytes.subarray(0, HEAD_BYTES)
  const code = bytes.subarray(HEAD_BYTES, HEAD_BYTES + CODE_BYTES)
  if (!bytes.subarray(HEAD_BYTES + CODE_BYTES).equals(REST)) return undefined
  const message = Buffer.from(textOf(head, payment))
  return { message, code, isLate: (now) => isLate(head, now) }
}

/** A value of another shape or version is wrong. The comparison takes constant time. */
export function judgeAav(
  key: KeyObject,
  payment: ProvedPayment,
  candidate: Secret,
  now: Date,
): AavProof {
  const text = candidate.reveal()
  if (!SHAPE.test(text)) return 'wrong'
  const bytes = Buffer.from(text, 'base64')
  const head = bytes.subarray(0, HEAD_BYTES)
  const isRight = timingSafeEqual(macOf(key, head, payment), bytes.subarray(HEAD_BYTES))
  if (!isRight || head.readUInt8() !== VERSION) return 'wrong'
  return isLate(head, now) ? 'late' : 'right'
}

const isLate = (head: Buffer, now: Date): boolean =>
  now.getTime() - head.readUInt32BE(TIME_AT) * 1000 >= AAV_MS

const macOf = (key: KeyObject, head: Buffer, payment: ProvedPayment): Buffer =>
  createHmac('sha256', key).update(textOf(head, payment)).digest().subarray(0, MAC_BYTES)

const textOf = (head: Buffer, { card_id, amount, currency, merchant_id }: ProvedPayment): string =>
  [head.toString('hex'), card_id, amount, currency, merchant_id].join('|')
