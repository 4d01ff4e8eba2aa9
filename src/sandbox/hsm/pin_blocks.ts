/**
 * PIN blocks in the fields of commands, in the formats that modules number, and PINs under the LMK.
 */

import { randomBytes } from 'node:crypto'
import { AesKey, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { decodeFormat0, encodeFormat0 } from '#pin/format0.ts'
import { decodeFormat1, decodeFormat3, encodeFormat1, encodeFormat3 } from '#pin/format3.ts'
import { decodeFormat4, encodeFormat4 } from '#pin/format4.ts'
import { need } from './errors.ts'
import type { Fields } from './fields.ts'
import { isAesText, type ModuleKey, upperHex } from './keys.ts'
import { type Lmk, pairOf } from './lmk.ts'

/** ISO 9564-1: format 0, 1, 3 and 4. */
const FORMATS = ['01', '05', '47', '48'] as const
export type PinFormat = (typeof FORMATS)[number]
const OF_AES = '48'

/**
 * An account as PIN functions take it: a card number whose check digit may be any. Format 4 binds
 * its whole number.
 */
export type Account = Secret

/** The digits of a field that is filled with F behind them. */
export const digitsBefore = (text: string): string => /^[0-9]*/.exec(text)?.[0] ?? ''

/** A block is as long as the cipher of its key, which the key's text shows. */
export const blockText = (fields: Fields, key: string): Buffer =>
  Buffer.from(fields.hex(isAesText(key) ? 32 : 16), 'hex')

export function pinFormat(fields: Fields): PinFormat {
  const code = fields.digits(2)
  const format = FORMATS.find((one) => one === code)
  need(format !== undefined, 'pinBlockFormat')
  return format
}

/**
 * 12 digits without the check digit; for format 4 the card number, 12 to 19 digits, which `;` may
 * end. `behind` are the characters of the fields that follow.
 */
export function account(fields: Fields, formats: readonly PinFormat[], behind: number): Account {
  // Any digit does for the check digit, which nothing reads.
  if (!formats.includes(OF_AES)) return new Secret(`${fields.digits(12)}0`)
  const ended = /^([0-9]{12,19});/.exec(fields.ahead(20))?.[1]
  const count = ended?.length ?? fields.left() - behind
  need(count >= 12 && count <= 19, 'accountNumber')
  const pan = new Secret(fields.digits(count))
  if (ended !== undefined) fields.semicolon()
  return pan
}

/** The 12 digits of the account that other functions than format 4 take, as a card number. */
export const twelveOf = (account: Account): Account =>
  account.map((pan) => `${pan.slice(-13, -1).padStart(12, '0')}0`)

export type BlockFields = { block: Buffer; format: PinFormat; account: Account }

/** The PIN of a block that came; a block without one ends the command. */
export function pinOf(key: ModuleKey, { block, format, account }: BlockFields): Secret {
  const pin = decoded(key, block, format, account)
  need(pin !== undefined, 'pinBlock')
  return pin
}

function decoded(
  { cipher }: ModuleKey,
  block: Buffer,
  format: PinFormat,
  account: Account,
): Secret | undefined {
  if (format === OF_AES) {
    need(cipher instanceof AesKey, 'pinBlockFormat')
    return decodeFormat4(block, account, cipher)
  }
  need(cipher instanceof TdesKey, 'pinBlockFormat')
  const pan = twelveOf(account)
  if (format === '05') return decodeFormat1(block, cipher)
  return format === '01' ? decodeFormat0(block, pan, cipher) : decodeFormat3(block, pan, cipher)
}

export function blockOf(
  { cipher }: ModuleKey,
  pin: Secret,
  format: PinFormat,
  account: Account,
): string {
  const fill = randomBytes(8)
  if (format === OF_AES) {
    need(cipher instanceof AesKey, 'pinBlockFormat')
    return upperHex(encodeFormat4(pin, account, cipher, fill))
  }
  need(cipher instanceof TdesKey, 'pinBlockFormat')
  const pan = twelveOf(account)
  if (format === '05') return upperHex(encodeFormat1(pin, cipher, fill))
  return upperHex(
    format === '01' ? encodeFormat0(pin, pan, cipher) : encodeFormat3(pin, pan, cipher, fill),
  )
}

/** Pair 02-03 encrypts PINs. */
const PIN_PAIR = 1
/** Hexadecimal digits of a PIN under the LMK: a block of format 0. */
const PIN_DIGITS = 16

export const pinTextUnderLmk = (fields: Fields): string => fields.hex(PIN_DIGITS)

export const pinUnderLmk = (lmk: Lmk, pin: Secret, account: Account): string =>
  upperHex(encodeFormat0(pin, twelveOf(account), new TdesKey(pairOf(lmk, PIN_PAIR))))

export function pinFromLmk(lmk: Lmk, text: string, account: Account): Secret {
  const key = new TdesKey(pairOf(lmk, PIN_PAIR))
  const pin = decodeFormat0(Buffer.from(text, 'hex'), twelveOf(account), key)
  need(pin !== undefined, 'pinUnderLmk')
  return pin
}
