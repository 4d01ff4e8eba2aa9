/**
 * Cryptograms of chip cards: KQ with the session keys of the schemes (Visa 10, Mastercard 16 and
 * 17), KW with those of EMV (Visa 18 and 22, Mastercard 20 and 21).
 */

import { arpcMethod1, arpcMethod2 } from '#emv/cryptogram.ts'
import { cardKey, commonSessionKey, mastercardSessionKey } from '#emv/keys.ts'
import { paddedWithZeros, retailMac, type TdesKey } from '#lib/ciphers.ts'
import { isSameBytes } from '#lib/digest.ts'
import { Secret } from '#lib/secret.ts'
import type { Command } from '../command.ts'
import { need } from '../errors.ts'
import type { Ending, Fields } from '../fields.ts'
import { keyTypeOf } from '../key_types.ts'
import { keyText, openKey, tdesOf, upperHex } from '../keys.ts'
import type { Lmk } from '../lmk.ts'

const MK_AC = [keyTypeOf('109')]
/** Bytes of card number and sequence number, packed. */
const CARD_BYTES = 8
/** 19 digits and 2, packed. */
const CARD_BYTES_MAX = 11
const PROPRIETARY_BYTES = 8

/** 0 verifies, 1 and 3 answer too, 2 and 4 only answer; 1 and 2 by method 1, 3 and 4 by 2. */
type Mode = { verifies: boolean; method: 0 | 1 | 2 }
const MODES: Readonly<Record<string, Mode>> = {
  '0': { verifies: true, method: 0 },
  '1': { verifies: true, method: 1 },
  '2': { verifies: false, method: 1 },
  '3': { verifies: true, method: 2 },
  '4': { verifies: false, method: 2 },
}

function modeOf(fields: Fields): Mode {
  const mode = MODES[fields.bytes(1).toString('latin1')]
  need(mode !== undefined, 'keyTypeCode')
  return mode
}

function schemeOf<Scheme extends string>(fields: Fields, schemes: readonly Scheme[]): Scheme {
  const given = fields.bytes(1).toString('latin1')
  const scheme = schemes.find((one) => one === given)
  need(scheme !== undefined, 'keyLengthFlag')
  return scheme
}

/** Packed digits: the card number, then two of the sequence number. */
export type CardDigits = { pan: Secret; psn: string }

function cardDigits(packed: Buffer): CardDigits {
  const digits = upperHex(packed)
  need(/^[0-9]+$/.test(digits), 'input')
  return { pan: new Secret(digits.slice(0, -2)), psn: digits.slice(-2) }
}

export const packedCard = (fields: Fields): CardDigits => cardDigits(fields.bytes(CARD_BYTES))

/** Two digits count the bytes of a longer number; a leading zero fills it to whole bytes. */
function countedCard(fields: Fields): CardDigits {
  const count = Number(fields.digits(2))
  need(count >= CARD_BYTES && count <= CARD_BYTES_MAX, 'input')
  const { pan, psn } = cardDigits(fields.bytes(count))
  // A card number has 19 digits at most, so the twentieth fills.
  return { pan: pan.map((digits) => digits.slice(-19)), psn }
}

/** The rest of a message: the data under the cryptogram, it, and the content of the answer. */
type Rest = { data: Buffer; arqc: Buffer; says: Buffer; proprietary: Buffer; ending: Ending }

function rest(fields: Fields, mode: Mode): Rest {
  // A module that only answers needs no data; some programs send them nevertheless.
  return fields.either(
    mode.verifies
      ? [(from) => answered(from, mode, transactionData(from))]
      : [
          (from) => answered(from, mode, transactionData(from)),
          (from) => answered(from, mode, Buffer.alloc(0)),
        ],
  )
}

function transactionData(fields: Fields): Buffer {
  const data = fields.counted(2)
  fields.semicolon()
  return data
}

function answered(fields: Fields, { method }: Mode, data: Buffer): Rest {
  const arqc = fields.bytes(8)
  const says = fields.bytes([0, 2, 4][method] ?? 0)
  const ended = (proprietary: Buffer) => ({ proprietary, ending: fields.ending() })
  // Proprietary data follow a card status update: behind a digit that counts them, or as they are.
  const behind =
    method === 2
      ? fields.either([
          (from) => ended(from.bytes(Number(from.text(1, /^[0-8]$/)))),
          (from) => ended(from.bytes(Math.min(from.left(), PROPRIETARY_BYTES))),
        ])
      : ended(Buffer.alloc(0))
  return { data, arqc, says, ...behind }
}

type Keys = { session: TdesKey; answering: TdesKey }

/** Empty, or the answer to the card: 8 bytes by method 1, 4 by method 2. */
function answerOf(mode: Mode, { data, arqc, says, proprietary }: Rest, keys: Keys): Buffer {
  if (mode.verifies) {
    need(data.length > 0, 'dataLength')
    // The sender pads as the scheme says; zeros are added to what it leaves open.
    const right = retailMac(keys.session, paddedWithZeros(data, 8))
    need(isSameBytes(right, arqc), 'notVerified')
  }
  if (mode.method === 0) return Buffer.alloc(0)
  return mode.method === 1
    ? arpcMethod1(keys.answering, arqc, says)
    : arpcMethod2(keys.answering, arqc, says, proprietary)
}

/** The key of a card under the issuer's; the number is not digested unless it is longer than 16. */
export const keyOfCard = (
  text: string,
  lmk: Lmk,
  types: Parameters<typeof openKey>[2],
  { pan, psn }: CardDigits,
  derivation: 'A' | 'B',
): TdesKey => cardKey(tdesOf(openKey(text, lmk, types), 16), derivation, pan, psn)

export const cryptogramOfScheme: Command = (fields) => {
  const mode = modeOf(fields)
  const scheme = schemeOf(fields, ['0', '1'])
  const imk = keyText(fields)
  const card = packedCard(fields)
  const atc = fields.bytes(2)
  const unpredictable = fields.bytes(4)
  const said = rest(fields, mode)
  return {
    ending: said.ending,
    run: (lmk) => {
      const own = keyOfCard(imk, lmk, MK_AC, card, 'A')
      const session = scheme === '0' ? own : mastercardSessionKey(own, atc, unpredictable)
      return answerOf(mode, said, { session, answering: own })
    },
  }
}

export const cryptogramOfEmv: Command = (fields) => {
  const mode = modeOf(fields)
  const scheme = schemeOf(fields, ['2', '3'])
  const imk = keyText(fields)
  const isCounted = scheme === '3' && /^(0[89]|1[01])$/.test(fields.ahead(2))
  const { card, atc, said } = fields.either([
    (from) => commonRest(from, mode, isCounted, false),
    (from) => commonRest(from, mode, isCounted, true),
  ])
  return {
    ending: said.ending,
    run: (lmk) => {
      const own = keyOfCard(imk, lmk, MK_AC, card, scheme === '2' ? 'A' : 'B')
      const session = commonSessionKey(own, atc)
      return answerOf(mode, said, { session, answering: session })
    },
  }
}

/** Some programs end a counted card number by `;`. */
function commonRest(fields: Fields, mode: Mode, isCounted: boolean, isEnded: boolean) {
  const card = isCounted ? countedCard(fields) : packedCard(fields)
  if (isCounted && isEnded) fields.semicolon()
  return { card, atc: fields.bytes(2), said: rest(fields, mode) }
}
