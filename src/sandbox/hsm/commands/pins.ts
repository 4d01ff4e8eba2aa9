/** PINs in blocks under a zone key: EC and EA verify, FW and BK make the value of one, CU, CC. */

import type { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { type NaturalPin, offsetOf, pinOfOffset } from '#pin/offset.ts'
import { pvvOf } from '#pin/pvv.ts'
import type { Command } from '../command.ts'
import { need } from '../errors.ts'
import type { Fields } from '../fields.ts'
import { type KeyType, keyTypeOf, OF_BLOCK } from '../key_types.ts'
import { keyText, openKey, tdesOf } from '../keys.ts'
import type { Lmk } from '../lmk.ts'
import {
  type Account,
  account,
  type BlockFields,
  blockOf,
  blockText,
  digitsBefore,
  pinFormat,
  pinOf,
  twelveOf,
} from '../pin_blocks.ts'

const ZPK = [keyTypeOf('001')]
export const PVK = [keyTypeOf('002')]

/** A PIN block under its key, as most of these commands begin. */
type Given = { zpk: string; pvk: string; block: BlockFields }

function given(fields: Fields, behind: number): Given {
  const zpk = keyText(fields)
  const pvk = keyText(fields)
  return { zpk, pvk, block: blockFields(fields, zpk, behind) }
}

export function blockFields(fields: Fields, key: string, behind: number): BlockFields {
  const block = blockText(fields, key)
  const format = pinFormat(fields)
  return { block, format, account: account(fields, [format], behind) }
}

/** The second key of a command, which it opens before it looks at the PIN block. */
export const pvkOf = (pvk: string, lmk: Lmk): TdesKey =>
  tdesOf(openKey(pvk, lmk, PVK, 'secondParity'), 16)

export const offsetKeyOf = (pvk: string, lmk: Lmk): TdesKey =>
  tdesOf(openKey(pvk, lmk, PVK, 'secondParity'))

/** The PVV of a PIN, by an account of whatever form. */
export const pvvFor = (pvk: TdesKey, pvki: string, account: Account, pin: Secret): Secret =>
  pvvOf({ pvk, pvki, pan: twelveOf(account), pin })

export const verifyByPvv: Command = (fields) => {
  const { zpk, pvk, block } = given(fields, 5)
  const pvki = fields.digits(1)
  const pvv = new Secret(fields.digits(4))
  return {
    ending: fields.ending(),
    run: (lmk) => {
      const key = openKey(zpk, lmk, ZPK)
      const second = pvkOf(pvk, lmk)
      const pin = pinOf(key, block)
      need(pvvFor(second, pvki, block.account, pin).equals(pvv), 'notVerified')
      return ''
    },
  }
}

/** 001 is a zone key, 002 that of a terminal. */
function pinKeyTypes(fields: Fields): readonly KeyType[] {
  const code = fields.text(3, /^[0-9A-F]{3}$/)
  need(['001', '002', OF_BLOCK].includes(code), 'keyType')
  return code === OF_BLOCK ? ZPK : [keyTypeOf(code)]
}

export const makePvv: Command = (fields) => {
  const types = pinKeyTypes(fields)
  const { zpk, pvk, block } = given(fields, 1)
  const pvki = fields.digits(1)
  return {
    ending: fields.ending(),
    run: (lmk) => {
      const key = openKey(zpk, lmk, types)
      const second = pvkOf(pvk, lmk)
      return pvvFor(second, pvki, block.account, pinOf(key, block)).reveal()
    },
  }
}

export const changePin: Command = (fields) => {
  const types = pinKeyTypes(fields)
  const zpk = keyText(fields)
  const pvk = keyText(fields)
  const block = blockText(fields, zpk)
  const format = pinFormat(fields)
  const pan = account(fields, [format], 5 + block.length * 2)
  const pvki = fields.digits(1)
  const pvv = new Secret(fields.digits(4))
  const next = blockText(fields, zpk)
  return {
    ending: fields.ending(),
    run: (lmk) => {
      const key = openKey(zpk, lmk, types)
      const second = pvkOf(pvk, lmk)
      const old = pinOf(key, { block, format, account: pan })
      need(pvvFor(second, pvki, pan, old).equals(pvv), 'notVerified')
      const pin = pinOf(key, { block: next, format, account: pan })
      return pvvFor(second, pvki, pan, pin).reveal()
    },
  }
}

type OffsetFields = { table: string; validation: string }

/** Digits of an offset are padded to these with F. */
const OFFSET_DIGITS = 12
const OFFSET_FIELDS = 16 + 12

export function offsetFields(fields: Fields): OffsetFields {
  const table = fields.digits(16)
  return { table, validation: fields.text(12, /^[0-9A-Fa-fN]{12}$/) }
}

/** N stands for the last five digits of the account; without it zeros follow the data. */
function naturalPin(pvk: TdesKey, { table, validation }: OffsetFields, of: Account): NaturalPin {
  need(validation.split('N').length <= 2, 'input')
  const data = twelveOf(of).map((pan) =>
    validation.includes('N')
      ? validation.replace('N', pan.slice(-6, -1))
      : validation.padEnd(16, '0'),
  )
  return { pvk, validation_data: data, decimalisation_table: table }
}

export function pinLength(fields: Fields): number {
  const length = Number(fields.digits(2))
  need(length >= 4 && length <= 12, 'pinLength')
  return length
}

/** The offset of a PIN, filled with F. */
export function offsetFor(
  pvk: TdesKey,
  { pin, pan, data }: { pin: Secret; pan: Account; data: OffsetFields },
): string {
  const offset = offsetOf(pin, naturalPin(pvk, data, pan))
  return offset.reveal().padEnd(OFFSET_DIGITS, 'F')
}

export const verifyByOffset: Command = (fields) => {
  const zpk = keyText(fields)
  const pvk = keyText(fields)
  const most = pinLength(fields)
  const block = blockText(fields, zpk)
  const format = pinFormat(fields)
  const least = pinLength(fields)
  const pan = account(fields, [format], OFFSET_FIELDS + OFFSET_DIGITS)
  const data = offsetFields(fields)
  const offset = digitsBefore(fields.text(OFFSET_DIGITS, /^[0-9]{4,12}[Ff]*$/))
  need(offset.length >= least && offset.length <= most, 'input')
  return {
    ending: fields.ending(),
    run: (lmk) => {
      const key = openKey(zpk, lmk, ZPK)
      const second = offsetKeyOf(pvk, lmk)
      const pin = pinOf(key, { block, format, account: pan })
      const right = pinOfOffset(new Secret(offset), naturalPin(second, data, pan))
      need(right.equals(pin), 'notVerified')
      return ''
    },
  }
}

export const makeOffset: Command = (fields) => {
  const types = pinKeyTypes(fields)
  const zpk = keyText(fields)
  const pvk = keyText(fields)
  const block = blockText(fields, zpk)
  const format = pinFormat(fields)
  const least = pinLength(fields)
  const pan = account(fields, [format], OFFSET_FIELDS)
  const data = offsetFields(fields)
  return {
    ending: fields.ending(),
    run: (lmk) => {
      const key = openKey(zpk, lmk, types)
      const second = offsetKeyOf(pvk, lmk)
      const pin = pinOf(key, { block, format, account: pan })
      need(pin.reveal().length >= least, 'pinLength')
      return offsetFor(second, { pin, pan, data })
    },
  }
}

export const translate: Command = (fields) => {
  const source = keyText(fields)
  const destination = keyText(fields)
  const most = pinLength(fields)
  const block = blockText(fields, source)
  const [from, to] = [pinFormat(fields), pinFormat(fields)]
  const pan = account(fields, [from, to], 0)
  return {
    ending: fields.ending(),
    run: (lmk) => {
      const pin = pinOf(openKey(source, lmk, ZPK), { block, format: from, account: pan })
      const { length } = pin.reveal()
      need(length <= most, 'pinLength')
      const made = blockOf(openKey(destination, lmk, ZPK, 'secondParity'), pin, to, pan)
      return `${String(length).padStart(2, '0')}${made}${to}`
    },
  }
}
