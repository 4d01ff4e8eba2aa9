/**
 * The AAV: proof that the issuer has authenticated the cardholder of one payment (D-1091,
 * docs/iso8583.md 5.6). 21 bytes, as 28 characters of base64: version, seconds since 1970 at which
 * it was made, the end of the id of its challenge, and 12 bytes of an HMAC-SHA-256.
 */

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { Secret } from '#lib/secret.ts'

const VERSION = 1
const HEAD_BYTES = 9
const TIME_AT = 1
const REFERENCE_AT = 5
const REFERENCE_BYTES = 4
const MAC_BYTES = 12
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
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt8(VERSION)
  head.writeUInt32BE(Math.floor(made.getTime() / 1000), TIME_AT)
  head.write(challenge_id.slice(-2 * REFERENCE_BYTES), REFERENCE_AT, 'hex')
  return new Secret(Buffer.concat([head, macOf(key, head, payment)]).toString('base64'))
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
  const made = head.readUInt32BE(TIME_AT) * 1000
  return now.getTime() - made < AAV_MS ? 'right' : 'late'
}

function macOf(key: KeyObject, head: Buffer, payment: ProvedPayment): Buffer {
  const { card_id, amount, currency, merchant_id } = payment
  const data = [head.toString('hex'), card_id, amount, currency, merchant_id].join('|')
  return createHmac('sha256', key).update(data).digest().subarray(0, MAC_BYTES)
}
