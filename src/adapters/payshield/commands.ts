/** The fields of commands, and what their answers say. Formats: docs/hsm.md. */

import { counterBytes, type IssuerAnswer, type ReadCryptogram } from '#emv/cryptogram.ts'
import { commandData, headerOf, type Script } from '#emv/scripts.ts'
import { versions } from '#emv/versions.ts'
import type { CardKey, CvvData, KeyUse, PinVerification, PvvKeys } from '#issuing/vault/provider.ts'
import { padded, paddedWithZeros } from '#lib/ciphers.ts'
import type { Secret } from '#lib/secret.ts'
import type { MacMethod } from '#mac/mac.ts'
import { formOfKept } from '#pin/kept.ts'
import { USUAL_TABLE, validationField } from '#pin/offset.ts'
import { codeOf, isAes, keyTypes, textOf } from './keys.ts'
import type { Command } from './pool.ts'
import type { KeyScheme } from './settings.ts'

/** The part behind the last field: the master key, where one is named. */
export type Tail = { lmk: string; scheme: KeyScheme }

const WRONG = '01'
const UNREADABLE_BLOCK = '20'
/** A key of another length than was asked for. */
export const KEY_LENGTH = '27'
const TEXT = 'latin1'

const joined = (...parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, TEXT) : part)))
const hexLength = (bytes: Buffer, digits: number): string =>
  bytes.length.toString(16).toUpperCase().padStart(digits, '0')

/** The 12 right-most digits of a card number without its check digit. */
const accountOf = (pan: Secret): string => pan.reveal().slice(-13, -1).padStart(12, '0')

type BlockFields = { hex: string; format: string; account: string }

/** A block in hex with its format, and the account number that goes with it. */
function blockFields(block: Secret, pan: Secret): BlockFields {
  const hex = block.reveal().toUpperCase()
  if (hex.length === 32) return { hex, format: ISO_4, account: `${pan.reveal()};` }
  return { hex, format: ISO_0, account: accountOf(pan) }
}

/** The fields that the natural PIN of IBM 3624 is made of, behind the account number. */
const offsetFields = (pan: Secret): string => `${USUAL_TABLE}${validationField(pan)}`

/** Whether a text has the form of a PIN block. */
export const isBlock = (block: Secret): boolean =>
  /^(?:[0-9A-F]{16}|[0-9A-F]{32})$/i.test(block.reveal())

/** Formats of PIN blocks: ISO 0, 1 and 4. */
const ISO_0 = '01'
const ISO_1 = '05'
const ISO_4 = '48'

/** Digits of a PIN. */
const SHORTEST_PIN = '04'
const LONGEST_PIN = '12'

export class Commands {
  readonly #lmk: string
  readonly #scheme: KeyScheme

  constructor({ lmk, scheme }: Tail) {
    this.#lmk = lmk
    this.#scheme = scheme
  }

  /** Without a key, so that it is the question of the start. */
  diagnosis(): Buffer {
    return Buffer.from(this.#lmk, TEXT)
  }

  #of(name: string, parts: readonly (string | Buffer)[], more: Partial<Command> = {}): Command {
    return { name, fields: joined(...parts, this.#lmk), ...more }
  }

  make(use: KeyUse): Command {
    const { usage, mode } = keyTypes[use]
    const algorithm = use === 'ZPK_AES' ? 'A3' : 'T2'
    const attributes = this.#scheme === 'S' ? `#${usage}${algorithm}${mode}00E00` : ''
    const fields = ['0', codeOf(use, this.#scheme), this.#scheme]
    return { name: 'A0', fields: joined(...fields, this.#lmk, attributes), once: true }
  }

  /**
   * A key block (`R` + TR-31) or a key of the variant scheme, under a transport key. `parts`: those
   * that the key is to have where the module keeps no key blocks.
   */
  bring(use: KeyUse, text: string, transport: CardKey, parts: 2 | 3 = 2): Command {
    const { usage, mode } = keyTypes[use]
    const isBlock = text.startsWith('R') || text.startsWith('S')
    const attributes = this.#scheme === 'S' && !isBlock ? `#${usage}${mode}00E00` : ''
    const scheme = this.#scheme === 'U' && parts === 3 ? 'T' : this.#scheme
    const fields = [codeOf(use, this.#scheme), textOf(transport), text, scheme]
    // 01 is a warning here: the parity was put right.
    const wrong = [WRONG, KEY_LENGTH]
    return { name: 'A6', fields: joined(...fields, this.#lmk, attributes), wrong }
  }

  takeOut(use: KeyUse, key: CardKey, transport: CardKey): Command {
    const code = codeOf(use, this.#scheme)
    return this.#of('A8', [code, textOf(transport), textOf(key), 'R'])
  }

  checkValue(use: KeyUse, text: string): Command {
    const isKeyBlock = text.startsWith('S')
    const { code } = keyTypes[use]
    const length = text.startsWith('T') ? '2' : '1'
    const fields = isKeyBlock
      ? ['FFF', text, ';FFF']
      : [`${code.slice(1)}${length}`, text, `;${code}`]
    return this.#of('BU', fields)
  }

  makeCvv(data: CvvData): Command {
    return this.#of('CW', [textOf(data.cvk), cardFields(data)])
  }

  verifyCvv(data: CvvData, value: Secret): Command {
    return this.#of('CY', [textOf(data.cvk), value.reveal(), cardFields(data)], { wrong: [WRONG] })
  }

  /** The block is encoded with the number of the card itself. */
  verifyPin(zpk: CardKey, keys: PvvKeys, { block, pan, kept }: PinFields): Command {
    return this.#verify(zpk, keys, blockFields(block, pan), { pan, kept })
  }

  /** The same of a block of ISO 1, which is bound to no number. */
  verifyFreePin(zpk: CardKey, keys: PvvKeys, { block, pan, kept }: PinFields): Command {
    const free = { hex: block.reveal(), format: ISO_1, account: accountOf(pan) }
    return this.#verify(zpk, keys, free, { pan, kept })
  }

  /** By the form of what is kept of the PIN: an offset or a PVV. */
  #verify(
    zpk: CardKey,
    { pvk, pvki }: PvvKeys,
    { hex, format, account }: BlockFields,
    { pan, kept }: Pick<PinFields, 'pan' | 'kept'>,
  ): Command {
    const wrong = { wrong: [WRONG, UNREADABLE_BLOCK] }
    const under = [textOf(zpk), textOf(pvk)]
    if (formOfKept(kept) === 'PVV') {
      return this.#of('EC', [...under, hex, format, account, pvki, kept.reveal()], wrong)
    }
    const own = [LONGEST_PIN, hex, format, SHORTEST_PIN, account, offsetFields(pan), kept.reveal()]
    return this.#of('EA', [...under, ...own], wrong)
  }

  /** From a block over one number to one that is bound to none. */
  freePin(from: CardKey, to: CardKey, block: Secret, over: Secret): Command {
    return this.#translate(from, to, block, ISO_1, over)
  }

  /** To a block of the same kind: its answer says how long the PIN is. */
  measurePin(zpk: CardKey, block: Secret, pan: Secret): Command {
    const isLong = block.reveal().length === 32
    return this.#translate(zpk, zpk, block, isLong ? ISO_4 : ISO_0, pan)
  }

  #translate(from: CardKey, to: CardKey, block: Secret, format: string, pan: Secret): Command {
    const hex = block.reveal().toUpperCase()
    const isLong = hex.length === 32
    const account = isLong ? `${pan.reveal()};` : accountOf(pan)
    const fields = [
      textOf(from),
      textOf(to),
      LONGEST_PIN,
      hex,
      isLong ? ISO_4 : ISO_0,
      format,
      account,
    ]
    return this.#of('CC', fields, { wrong: [UNREADABLE_BLOCK] })
  }

  valueOfBlock(
    zpk: CardKey,
    { pvk, pvki }: PvvKeys,
    { block, pan, verification }: { block: Secret; pan: Secret; verification: PinVerification },
  ): Command {
    const wrong = { wrong: [UNREADABLE_BLOCK] }
    const { hex, format, account } = blockFields(block, pan)
    const code = isAes(zpk) ? codeOf('ZPK', 'S') : keyTypes.ZPK.code
    const under = [code, textOf(zpk), textOf(pvk), hex, format]
    if (verification === 'PVV') return this.#of('FW', [...under, account, pvki], wrong)
    return this.#of('BK', [...under, SHORTEST_PIN, account, offsetFields(pan)], wrong)
  }

  randomPin(length: number, pan: Secret): Command {
    return this.#of('JA', [accountOf(pan), String(length).padStart(2, '0')])
  }

  clearPin(pin: Secret, pan: Secret): Command {
    return this.#of('BA', [pin.reveal().padEnd(16, 'F'), accountOf(pan)])
  }

  valueOfLmk(
    { pvk, pvki }: PvvKeys,
    { pin, pan, verification }: { pin: Secret; pan: Secret; verification: PinVerification },
  ): Command {
    const under = [textOf(pvk), pin.reveal()]
    if (verification === 'PVV') return this.#of('DG', [...under, accountOf(pan), pvki])
    return this.#of('DE', [...under, SHORTEST_PIN, accountOf(pan), offsetFields(pan)])
  }

  blockOfLmk(zpk: CardKey, pin: Secret, pan: Secret): Command {
    const format = isAes(zpk) ? ISO_4 : ISO_0
    const account = isAes(zpk) ? `${pan.reveal()};` : accountOf(pan)
    return this.#of('JG', [textOf(zpk), format, account, pin.reveal()])
  }

  verifyCryptogram(imk_ac: CardKey, pan: Secret, read: ReadCryptogram): Command {
    return this.#cryptogram('0', imk_ac, pan, read, '')
  }

  /** The ARPC alone: the cryptogram was verified by another command. */
  answerCryptogram(
    imk_ac: CardKey,
    pan: Secret,
    read: ReadCryptogram,
    { arc, csu, proprietary = Buffer.alloc(0) }: IssuerAnswer,
  ): Command {
    if (!isOfMethod2(read)) return this.#cryptogram('2', imk_ac, pan, read, arc)
    const counted = proprietary.length > 0 ? String(proprietary.length) : ''
    return this.#cryptogram('4', imk_ac, pan, read, joined(csu, counted, proprietary))
  }

  #cryptogram(
    mode: string,
    imk: CardKey,
    pan: Secret,
    read: ReadCryptogram,
    said: string | Buffer,
  ): Command {
    const { arqc, atc, unpredictable } = read
    const version = versions[read.version]
    const isCommon = version.session === 'common'
    const counter = counterBytes(atc)
    const input = version.padding === 'zeros' ? paddedWithZeros(read.data, 8) : padded(read.data, 8)
    const data = [hexLength(input, 2), input, ';', arqc, said]
    if (!isCommon) {
      const scheme = version.session === 'none' ? '0' : '1'
      const card = packedCard(pan, read.psn)
      const parts = [mode, scheme, textOf(imk), card, counter, unpredictable, ...data]
      return this.#of('KQ', parts, { wrong: [WRONG] })
    }
    const isLong = version.derivation === 'B' && pan.reveal().length > 16
    const card = isLong ? countedCard(pan, read.psn) : packedCard(pan, read.psn)
    const parts = [mode, isLong ? '3' : '2', textOf(imk), card, counter, ...data]
    return this.#of('KW', parts, { wrong: [WRONG] })
  }

  /** Undefined for a number that the commands of scripts have no room for. */
  scriptMac(
    imk_smi: CardKey,
    pan: Secret,
    read: ReadCryptogram,
    script: Script,
  ): Command | undefined {
    const { derivation, scripts } = versions[read.version]
    if (derivation === 'B' && pan.reveal().length > 16) return undefined
    const isByCounter = scripts === 'by counter'
    const seed = isByCounter ? Buffer.concat([Buffer.alloc(6), counterBytes(read.atc)]) : read.arqc
    const input = commandData(headerOf(script), read)
    const { name, scheme } = scriptCommands[read.version]
    const card = packedCard(pan, read.psn)
    const parts = ['0', scheme, textOf(imk_smi), card, seed, hexLength(input, 4), input, ';']
    return this.#of(name, parts)
  }

  makeMac(key: CardKey, method: MacMethod, message: Buffer): Command {
    return this.#of('M6', macFields(key, method, message))
  }

  verifyMac(key: CardKey, method: MacMethod, message: Buffer, mac: Buffer): Command {
    const given = mac.toString('hex').toUpperCase()
    return this.#of('M8', [...macFields(key, method, message), given], { wrong: [WRONG] })
  }
}

export type PinFields = { block: Secret; pan: Secret; kept: Secret }

/** Whether the answer to the card is by method 2. */
export const isOfMethod2 = ({ version }: ReadCryptogram): boolean =>
  versions[version].arpc === 'method 2, session key'

const scriptCommands: Readonly<
  Record<ReadCryptogram['version'], { name: 'KU' | 'KY'; scheme: string }>
> = {
  VISA_CVN10: { name: 'KU', scheme: '0' },
  VISA_CVN18: { name: 'KY', scheme: '0' },
  VISA_CVN22: { name: 'KY', scheme: '0' },
  MASTERCARD_CVN16: { name: 'KU', scheme: '1' },
  MASTERCARD_CVN17: { name: 'KU', scheme: '1' },
  MASTERCARD_CVN20: { name: 'KY', scheme: '2' },
  MASTERCARD_CVN21: { name: 'KY', scheme: '2' },
}

function cardFields({ pan, expiry_yymm: expiry, service_code, date_order }: CvvData): string {
  const date = date_order === 'MMYY' ? expiry.slice(2) + expiry.slice(0, 2) : expiry
  return `${pan.reveal()};${date}${service_code}`
}

/** The last 16 digits of card number and sequence number, packed. */
const packedCard = (pan: Secret, psn: string): Buffer =>
  Buffer.from(`${pan.reveal()}${psn}`.slice(-16).padStart(16, '0'), 'hex')

/** All digits of a longer number, and how many bytes they fill. */
function countedCard(pan: Secret, psn: string): Buffer {
  const digits = `${pan.reveal()}${psn}`
  const packed = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  return joined(String(packed.length).padStart(2, '0'), packed)
}

const macCodes = { iso9797_1: '1', iso9797_3: '3', cmac: '5' } as const

/** A whole code, in one block; CMAC pads by itself. */
function macFields(key: CardKey, { algorithm, padding }: MacMethod, message: Buffer): string[] {
  const type = textOf(key).startsWith('S') ? codeOf('ZAK', 'S') : keyTypes.ZAK.code
  const method = `001${macCodes[algorithm]}${algorithm === 'cmac' ? '0' : padding}`
  return [`${method}${type}${textOf(key)}${hexLength(message, 4)}`, message.toString(TEXT)]
}
