/** Keys as a module keeps them, and the types by which its commands name them. */

import type { CardKey, KeptKey, KeyUse } from '#issuing/vault/provider.ts'
import { Secret } from '#lib/secret.ts'
import type { KeyScheme } from './settings.ts'

/** A key under the master key of the module. */
export class ModuleKey implements CardKey {
  readonly text: Secret
  readonly check_value: string

  constructor(text: Secret, check_value: string) {
    this.text = text
    this.check_value = check_value
  }
}

/** `code` in the variant scheme; usage and mode of use in key blocks. */
type KeyType = {
  code: string
  usage: string
  /** Further usages of keys that come from elsewhere. */
  also?: readonly string[]
  mode: string
  /** Whether it may have three parts: scheme T in place of U. */
  isLong?: true
}

export const keyTypes: Readonly<Record<KeyUse, KeyType>> = {
  CVK: { code: '402', usage: 'C0', mode: 'C' },
  PVK: { code: '002', usage: 'V2', mode: 'N' },
  IMK_AC: { code: '109', usage: 'E0', mode: 'X' },
  IMK_SMI: { code: '209', usage: 'E2', mode: 'X' },
  IMK_SMC: { code: '309', usage: 'E1', mode: 'X' },
  ZPK: { code: '001', usage: 'P0', mode: 'B', isLong: true },
  ZPK_AES: { code: '001', usage: 'P0', mode: 'B' },
  ZAK: { code: '008', usage: 'M3', also: ['M0', 'M1', 'M6'], mode: 'C', isLong: true },
  ZAK_AES: { code: '008', usage: 'M6', also: ['M0', 'M3'], mode: 'C' },
  TRANSPORT: { code: '000', usage: 'K0', also: ['K1'], mode: 'B' },
}

/** The type in key blocks, which say themselves what they are for. */
export const OF_BLOCK = 'FFF'

export const codeOf = (use: KeyUse, scheme: KeyScheme): string =>
  scheme === 'S' ? OF_BLOCK : keyTypes[use].code

const KEPT = /^([0-9A-F]{6}):(U[0-9A-F]{32}|T[0-9A-F]{48}|S[!-~]+)$/

/** The text that the vault seals: the check value, and the key as the module answered it. */
export const keptOf = (text: string, check_value: string): KeptKey =>
  `${check_value.slice(0, 6).toUpperCase()}:${text}`

/** Throws if the key is in another custody. */
export function openKept(use: KeyUse, kept: KeptKey): ModuleKey {
  const [, check_value, text] = KEPT.exec(kept) ?? []
  if (check_value === undefined || text === undefined) {
    throw new Error(`the key ${use} is in another custody`)
  }
  return new ModuleKey(new Secret(text), check_value)
}

/** The text of a key of this custody, as commands contain it. */
export function textOf(key: CardKey): string {
  if (key instanceof ModuleKey) return key.text.reveal()
  throw new Error('the key is in another custody')
}

/** Whether it is a key of AES: only key blocks have such. */
export const isAes = (key: CardKey): boolean => /^S.{7}A/.test(textOf(key))

/** The hexadecimal digits of keys of the variant scheme, by its letter. */
const DIGITS: Readonly<Record<string, number>> = { U: 32, X: 32, T: 48, Y: 48 }

/** The key at the start of a text; undefined where there is none. */
export function keyAtStart(text: string): string | undefined {
  const digits = DIGITS[text.charAt(0)]
  if (digits !== undefined) return text.length > digits ? text.slice(0, digits + 1) : undefined
  const length = /^[SR].([0-9]{4})/.exec(text)?.[1]
  const whole = length === undefined ? undefined : text.slice(0, 1 + Number(length))
  return whole !== undefined && whole.length === 1 + Number(length) ? whole : undefined
}
