/**
 * Commands about keys: A0 makes one, A6 brings one in, A8 takes one out, BU shows its check value.
 */

import { randomBytes } from 'node:crypto'
import { AesKey, checkValueOf, cmac, withOddParity } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import type { Command } from '../command.ts'
import { need } from '../errors.ts'
import type { Ending, Fields } from '../fields.ts'
import { KEY_TYPES, type KeyType, keyTypeOf, keyTypeOfUsage, OF_BLOCK } from '../key_types.ts'
import {
  closeKey,
  type KeyUse,
  keyOf,
  keyText,
  type ModuleKey,
  openKey,
  purposeOf,
  upperHex,
} from '../keys.ts'
import { closeUnder, openUnder } from '../transport.ts'

const ZMK = [keyTypeOf('000')]

/** The attributes of a key block, which `#` or `&` begins behind the other fields. */
type Attributes = { use: KeyUse; algorithm: string } | undefined

/** The algorithm is said by A0 alone: elsewhere the key is there. */
function attributes(fields: Fields, hasAlgorithm: boolean): Attributes {
  if (!fields.maybe('#') && !fields.maybe('&')) return undefined
  const key_usage = fields.text(2, /^[0-9A-Z]{2}$/)
  const algorithm = hasAlgorithm ? fields.text(2, /^[TA][0-9]$/) : ''
  const mode_of_use = fields.text(1, /^[A-Z]$/)
  const key_version = fields.text(2, /^[0-9A-Za-z]{2}$/)
  const exportability = fields.text(1, /^[ENS]$/)
  // No optional block is read.
  need(fields.digits(2) === '00', 'input')
  return { use: { key_usage, mode_of_use, key_version, exportability }, algorithm }
}

type Tail = { ending: Ending; given: Attributes }

/** The LMK stands before the attributes or behind them. */
function tail(fields: Fields, hasAlgorithm = false): Tail {
  const isLmkFirst = fields.ahead(1) === '%'
  const first = isLmkFirst ? fields.lmk() : undefined
  const given = attributes(fields, hasAlgorithm)
  const lmk = first ?? fields.lmk()
  return { ending: { lmk, trailer: fields.trailer() }, given }
}

const typeCode = (fields: Fields): string => fields.text(3, /^[0-9A-F]{3}$/)
const schemeOf = (fields: Fields): string => fields.text(1, /^[A-Z]$/)

/** The type of a code, or for FFF that of a usage. */
function typeFor(code: string, usage: string | undefined): KeyType {
  if (code !== OF_BLOCK) return keyTypeOf(code)
  need(usage !== undefined, 'keyType')
  return keyTypeOfUsage(usage)
}

/** Bytes of a key that A0 makes, by the algorithm of its attributes or by its scheme. */
const BYTES: Readonly<Record<string, number>> = {
  ...{ U: 16, T: 24, S: 16 },
  ...{ T2: 16, T3: 24, A1: 16, A2: 24, A3: 32 },
}

export const makeKey: Command = (fields) => {
  const mode = fields.text(1, /^[01]$/)
  const code = typeCode(fields)
  const scheme = schemeOf(fields)
  const under = mode === '1' ? transport(fields) : undefined
  const { ending, given } = tail(fields, true)
  return {
    ending,
    run: (lmk) => {
      const type = typeFor(code, given?.use.key_usage)
      need(given === undefined || type.usages.includes(given.use.key_usage), 'keyUsage')
      const key = newKey(given?.algorithm || scheme, given?.use)
      const own = closeKey(key, scheme, type, lmk)
      if (under === undefined) return own + checkValueOf(key.cipher)
      const zmk = openKey(under.zmk, lmk, ZMK)
      return own + closeUnder(zmk, key, under.scheme, type) + checkValueOf(key.cipher)
    },
  }
}

/** `;`, a flag (0: it is a ZMK), the transport key, and the scheme under it. */
function transport(fields: Fields): { zmk: string; scheme: string } {
  fields.maybe(';')
  fields.text(1, /^0$/)
  return { zmk: keyText(fields), scheme: schemeOf(fields) }
}

function newKey(kind: string, use: KeyUse | undefined): ModuleKey {
  const bytes = BYTES[kind]
  need(bytes !== undefined, 'scheme')
  const random = randomBytes(bytes)
  const isAes = kind.startsWith('A')
  return keyOf(new Secret(isAes ? random : withOddParity(random)), isAes ? 'A' : 'T', use)
}

export const bringIn: Command = (fields) => {
  const code = typeCode(fields)
  const zmkText = keyText(fields)
  const text = keyText(fields)
  const scheme = schemeOf(fields)
  const { ending, given } = tail(fields)
  return {
    ending,
    run: (lmk) => {
      const { key, hadParity } = openUnder(openKey(zmkText, lmk, ZMK), text)
      const usage = key.use?.key_usage
      const type = typeFor(code, usage ?? given?.use.key_usage)
      need(usage === undefined || type.usages.includes(usage), 'keyUsage')
      const kept = key.use ? key : { ...key, use: given?.use }
      need(kept.use === undefined || type.usages.includes(kept.use.key_usage), 'keyUsage')
      const answer = closeKey(kept, scheme, type, lmk) + checkValueOf(key.cipher)
      return hadParity ? answer : { code: 'notVerified', fields: answer }
    },
  }
}

export const takeOut: Command = (fields) => {
  const code = typeCode(fields)
  const zmkText = keyText(fields)
  const text = keyText(fields)
  const scheme = schemeOf(fields)
  const { ending, given } = tail(fields)
  return {
    ending,
    run: (lmk) => {
      const types = code === OF_BLOCK ? KEY_TYPES : [keyTypeOf(code)]
      need(code !== OF_BLOCK || text.startsWith('S'), 'keyType')
      const key = openKey(text, lmk, types, 'secondParity')
      need(key.use?.exportability !== 'N', 'notPermitted')
      const type = typeFor(code, key.use?.key_usage)
      const sent = given ? { ...key, use: given.use } : key
      need(type.usages.includes(purposeOf(sent, type).key_usage), 'keyUsage')
      return closeUnder(openKey(zmkText, lmk, ZMK), sent, scheme, type) + checkValueOf(key.cipher)
    },
  }
}

const LENGTH_FLAGS: Readonly<Record<string, string>> = { X: '0', U: '1', T: '2' }

export const showCheckValue: Command = (fields) => {
  const short = fields.text(2, /^[0-9A-F]{2}$/)
  const flag = fields.text(1, /^[0-9A-F]$/)
  const text = keyText(fields)
  const [long, kind] = moreOfCheckValue(fields)
  return {
    ending: fields.ending(),
    run: (lmk) => {
      const [variant, pair] = short
      const code = long ?? (short === 'FF' ? OF_BLOCK : `${variant}0${pair}`)
      const type = KEY_TYPES.filter((one) => code === OF_BLOCK || one.code === code)
      need(type.length > 0, 'keyTypeCode')
      need(code !== OF_BLOCK || text.startsWith('S'), 'keyTypeCode')
      need(text.startsWith('S') || LENGTH_FLAGS[text.charAt(0)] === flag, 'keyLengthFlag')
      const { cipher } = openKey(text, lmk, type)
      if (kind !== '0') return checkValueOf(cipher)
      const zeros = Buffer.alloc(cipher.blockBytes)
      const block = cipher instanceof AesKey ? cmac(cipher, zeros) : cipher.encrypt(zeros)
      return upperHex(block.subarray(0, 8))
    },
  }
}

/** `;` and a key type, then `;`, a reserved digit and the kind of check value: 0 has 16 digits. */
function moreOfCheckValue(fields: Fields): [string | undefined, string | undefined] {
  const long = fields.maybe(';') && fields.ahead(1) !== ';' ? typeCode(fields) : undefined
  if (!fields.maybe(';')) return [long, undefined]
  fields.digits(1)
  return [long, fields.digits(1)]
}
