/** PINs under the LMK: JA makes one, BA takes a clear one, JE and JG carry it, DG and DE make its value. */

import { randomInt } from 'node:crypto'
import { Secret } from '#lib/secret.ts'
import type { Command } from '../command.ts'
import { need } from '../errors.ts'
import { keyTypeOf } from '../key_types.ts'
import { keyText, openKey } from '../keys.ts'
import {
  account,
  blockOf,
  digitsBefore,
  pinFormat,
  pinFromLmk,
  pinOf,
  pinTextUnderLmk,
  pinUnderLmk,
} from '../pin_blocks.ts'
import {
  blockFields,
  offsetFields,
  offsetFor,
  offsetKeyOf,
  pinLength,
  pvkOf,
  pvvFor,
} from './pins.ts'

const ZPK = [keyTypeOf('001')]
const DEFAULT_LENGTH = '04'

export const randomPin: Command = (fields) => {
  const pan = account(fields, [], 0)
  const length = Number(/^[0-9]/.test(fields.ahead(1)) ? fields.digits(2) : DEFAULT_LENGTH)
  need(length >= 4 && length <= 12, 'pinLength')
  return {
    ending: fields.ending(),
    run: (lmk) => {
      const digits = Array.from({ length }, () => randomInt(10)).join('')
      return pinUnderLmk(lmk, new Secret(digits), pan)
    },
  }
}

/** Digits, then F up to the length of a PIN under the LMK. */
export const clearPin: Command = (fields) => {
  const text = fields.text(16, /^[0-9]*[Ff]*$/)
  const pin = new Secret(digitsBefore(text))
  need(pin.reveal().length >= 4 && pin.reveal().length <= 12, 'pinLength')
  const pan = account(fields, [], 0)
  return { ending: fields.ending(), run: (lmk) => pinUnderLmk(lmk, pin, pan) }
}

export const makePvvFromLmk: Command = (fields) => {
  const pvk = keyText(fields)
  const text = pinTextUnderLmk(fields)
  const pan = account(fields, [], 0)
  const pvki = fields.digits(1)
  return {
    ending: fields.ending(),
    run: (lmk) => pvvFor(pvkOf(pvk, lmk), pvki, pan, pinFromLmk(lmk, text, pan)).reveal(),
  }
}

export const makeOffsetFromLmk: Command = (fields) => {
  const pvk = keyText(fields)
  const text = pinTextUnderLmk(fields)
  const least = pinLength(fields)
  const pan = account(fields, [], 0)
  const data = offsetFields(fields)
  return {
    ending: fields.ending(),
    run: (lmk) => {
      const pin = pinFromLmk(lmk, text, pan)
      need(pin.reveal().length >= least, 'pinLength')
      return offsetFor(offsetKeyOf(pvk, lmk), { pin, pan, data })
    },
  }
}

export const toLmk: Command = (fields) => {
  const zpk = keyText(fields)
  const block = blockFields(fields, zpk, 0)
  return {
    ending: fields.ending(),
    run: (lmk) => pinUnderLmk(lmk, pinOf(openKey(zpk, lmk, ZPK), block), block.account),
  }
}

export const fromLmk: Command = (fields) => {
  const zpk = keyText(fields)
  const format = pinFormat(fields)
  const pan = account(fields, [format], 16)
  const text = pinTextUnderLmk(fields)
  return {
    ending: fields.ending(),
    run: (lmk) => blockOf(openKey(zpk, lmk, ZPK), pinFromLmk(lmk, text, pan), format, pan),
  }
}
