/** From the issuer's master key to the keys of a card and of one transaction (EMV Book 2, A1). */

import { createHash } from 'node:crypto'
import { TdesKey, withOddParity, xor } from '#lib/ciphers.ts'
import { decimalize } from '#lib/decimalize.ts'
import { Secret } from '#lib/secret.ts'

/** How a card's key is derived from its number: A uses 16 digits, B digests longer numbers. */
export type Derivation = 'A' | 'B'

/**
 * The master key of a card: `imk` has 16 bytes, `pan` 12 to 19 digits, `psn` two digits. For
 * numbers of up to 16 digits B is A. Throws a TypeError when number or psn has another shape.
 */
export function cardKey(imk: TdesKey, derivation: Derivation, pan: Secret, psn: string): TdesKey {
  return new TdesKey(cardKeyBytes(imk, derivation, pan, psn))
}

function cardKeyBytes(
  imk: TdesKey,
  derivation: Derivation,
  pan: Secret,
  psn: string,
): Secret<Buffer> {
  if (!/^[0-9]{12,19}$/.test(pan.reveal()) || !/^[0-9]{2}$/.test(psn)) {
    throw new TypeError('card number or sequence number has another shape')
  }
  const number = pan.reveal() + psn
  const isLong = derivation === 'B' && pan.reveal().length > 16
  const digits = isLong ? digested(number) : number.slice(-16).padStart(16, '0')
  const left = Buffer.from(digits, 'hex')
  const right = Buffer.from(left.map((byte) => byte ^ 0xff))
  return derivedBytes(imk, Buffer.concat([left, right]))
}

/** EMV common session key: derived from the application transaction counter (2 bytes). */
export function commonSessionKey(card: TdesKey, atc: Buffer): TdesKey {
  return sessionKey(card, Buffer.concat([atc], 8))
}

/** Mastercard's session key: derived from the counter and the unpredictable number (4 bytes). */
export function mastercardSessionKey(card: TdesKey, atc: Buffer, unpredictable: Buffer): TdesKey {
  return sessionKey(card, Buffer.concat([atc, Buffer.alloc(2), unpredictable], 8))
}

/** The third byte distinguishes the halves of the key. */
function sessionKey(card: TdesKey, seed: Buffer): TdesKey {
  const halves = Buffer.concat([seed, seed])
  halves[2] = 0xf0
  halves[10] = 0x0f
  return new TdesKey(derivedBytes(card, halves))
}

const derivedBytes = (from: TdesKey, halves: Buffer): Secret<Buffer> =>
  new Secret(withOddParity(from.encrypt(halves)))

/** The card whose script is authenticated; `imk` is the issuer's key for integrity (MK-SMI). */
export type ScriptCard = { imk: TdesKey; derivation: Derivation; pan: Secret; psn: string }

/** Visa's session key of scripts: the counter (2 bytes) changes the end of both halves. */
export function visaScriptKey({ imk, derivation, pan, psn }: ScriptCard, atc: Buffer): TdesKey {
  const own = cardKeyBytes(imk, derivation, pan, psn)
  const other = xor(atc, Buffer.from([0xff, 0xff]))
  const change = Buffer.concat([Buffer.alloc(6), atc, Buffer.alloc(6), other])
  return new TdesKey(own.map((bytes) => withOddParity(xor(bytes, change))))
}

/** EMV common session key of scripts: derived from the request's cryptogram (8 bytes). */
export function commonScriptKey({ imk, derivation, pan, psn }: ScriptCard, arqc: Buffer): TdesKey {
  return sessionKey(cardKey(imk, derivation, pan, psn), arqc)
}

/** The first 16 decimal digits of the SHA-1; when they are fewer, its letters less ten follow. */
function digested(number: string): string {
  const whole = number.length % 2 === 0 ? number : `0${number}`
  return decimalize(createHash('sha1').update(Buffer.from(whole, 'hex')).digest(), 16)
}
