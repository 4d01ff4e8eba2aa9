/** Codes of messages: M6 makes one, M8 verifies one. */

import { TdesKey } from '#lib/ciphers.ts'
import { isMac, macOf } from '#mac/mac.ts'
import type { Command } from '../command.ts'
import { need } from '../errors.ts'
import type { Fields } from '../fields.ts'
import { type KeyType, keyTypeOf, OF_BLOCK } from '../key_types.ts'
import { keyText, type ModuleKey, openKey, upperHex } from '../keys.ts'

const ALGORITHMS = { '1': 'iso9797_1', '3': 'iso9797_3', '5': 'cmac' } as const

type Given = {
  digits: 8 | 16
  algorithm: (typeof ALGORITHMS)[keyof typeof ALGORITHMS]
  padding: '0' | '1' | '2'
  types: readonly KeyType[]
  key: string
  message: Buffer
}

function given(fields: Fields): Given {
  fields.text(1, /^0$/)
  const isHex = fields.text(1, /^[01]$/) === '1'
  const digits = fields.text(1, /^[01]$/) === '0' ? 8 : 16
  const algorithm = algorithmOf(fields)
  const padding = paddingOf(fields)
  const types = macKeyTypes(fields)
  const key = keyText(fields)
  const data = fields.counted(4)
  return { digits, algorithm, padding, types, key, message: isHex ? bytesOf(data) : data }
}

function algorithmOf(fields: Fields): Given['algorithm'] {
  const code = fields.text(1, /^[135]$/)
  return code === '1' ? ALGORITHMS[1] : code === '3' ? ALGORITHMS[3] : ALGORITHMS[5]
}

function paddingOf(fields: Fields): Given['padding'] {
  const code = fields.text(1, /^[012]$/)
  return code === '0' || code === '1' ? code : '2'
}

function macKeyTypes(fields: Fields): readonly KeyType[] {
  const code = fields.text(3, /^[0-9A-F]{3}$/)
  need(['003', '008', OF_BLOCK].includes(code), 'keyType')
  return [keyTypeOf(code === OF_BLOCK ? '008' : code)]
}

function bytesOf(data: Buffer): Buffer {
  const text = data.toString('latin1')
  need(/^(?:[0-9A-Fa-f]{2})*$/.test(text), 'input')
  return Buffer.from(text, 'hex')
}

/** The method, where key and message fit it. */
function methodOf({ cipher }: ModuleKey, { algorithm, padding, message }: Given) {
  need(algorithm === 'cmac' || cipher instanceof TdesKey, 'keyAlgorithm')
  const isWhole = message.length > 0 && message.length % cipher.blockBytes === 0
  need(algorithm === 'cmac' || padding !== '0' || isWhole, 'dataLength')
  // No zeros are added to whole blocks.
  return { algorithm, padding: padding === '2' ? 2 : 1 } as const
}

export const makeMac: Command = (fields) => {
  const asked = given(fields)
  return {
    ending: fields.ending(),
    run: (lmk) => {
      const key = openKey(asked.key, lmk, asked.types)
      const mac = macOf(key.cipher, methodOf(key, asked), asked.message)
      return upperHex(mac).slice(0, asked.digits)
    },
  }
}

export const verifyMac: Command = (fields) => {
  const asked = given(fields)
  const mac = Buffer.from(fields.hex(asked.digits), 'hex')
  return {
    ending: fields.ending(),
    run: (lmk) => {
      const key = openKey(asked.key, lmk, asked.types)
      need(isMac(key.cipher, methodOf(key, asked), asked.message, mac), 'notVerified')
      return ''
    },
  }
}
