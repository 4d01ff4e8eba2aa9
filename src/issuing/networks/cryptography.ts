/**
 * Keys of networks in the custody of this installation: they come under a zone master key, and make
 * and check the codes of messages (D-1031, D-1032). Nothing else of a key is known here.
 */

import type { CardCryptography, CardKey, KeptKey, KeyUse } from '#issuing/vault/vault.ts'
import type { MacMethod } from '#mac/mac.ts'

export type NetworkKeyUse = 'ZAK' | 'ZPK'

/** T: TDES, A: AES. */
type Algorithm = 'T' | 'A'

/** A key in the form in which it is stored, before it is sealed: T or A, then as its custody has it. */
export type StoredKey = `${Algorithm}${KeptKey}`

export class NetworkKey {
  readonly algorithm: Algorithm
  readonly key: CardKey
  readonly #custody: CardCryptography

  /** Throws if the key is in another custody. */
  constructor(custody: CardCryptography, use: NetworkKeyUse, stored: string) {
    this.algorithm = algorithmOf(stored)
    this.key = custody.open(keyUseOf(use, this.algorithm), keptIn(stored))
    this.#custody = custody
  }

  /** Six digits of upper-case hex, by which people compare keys (ANSI X9.24). */
  get check_value(): string {
    return this.key.check_value
  }

  mac(method: MacMethod, message: Buffer): Promise<Buffer> {
    return this.#custody.mac(this.key, method, message)
  }

  /** A code of AES can only be a CMAC. */
  async isMac(method: MacMethod, message: Buffer, mac: Buffer): Promise<boolean> {
    const fits = this.algorithm === 'T' || method.algorithm === 'cmac'
    return fits && this.#custody.isMac(this.key, method, message, mac)
  }
}

export const algorithmOf = (stored: string): Algorithm => (stored.startsWith('A') ? 'A' : 'T')
export const keptIn = (stored: string): KeptKey => stored.slice(1)
export const keyUseOf = (use: NetworkKeyUse, algorithm: Algorithm): KeyUse =>
  algorithm === 'A' ? `${use}_AES` : use

export type BroughtKey = { use: NetworkKeyUse; stored: StoredKey }

/** Digits of hex of a TDES key may begin as a key block does, which is never as short. */
const CRYPTOGRAM = /^(?:[0-9A-F]{32}|[0-9A-F]{48})$/i

export const isKeyBlock = (text: string): boolean =>
  /^[A-D][0-9]{4}/.test(text) && !CRYPTOGRAM.test(text)

const BLOCK_USES: Readonly<Record<string, NetworkKeyUse>> = {
  P0: 'ZPK',
  M0: 'ZAK',
  M1: 'ZAK',
  M3: 'ZAK',
  M6: 'ZAK',
}

/**
 * The key of a key block (TR-31), whose usage says what it is for, or of digits that are encrypted
 * under the zone master key, which is for `expected`. Undefined for what is no such key.
 */
export async function bringKey(
  custody: CardCryptography,
  sent: string,
  expected: NetworkKeyUse,
  zmk: CardKey,
): Promise<BroughtKey | undefined> {
  if (!isKeyBlock(sent)) {
    const brought = await custody.bringCryptogram(expected, sent, zmk)
    return brought.ok ? { use: expected, stored: `T${brought.key}` } : undefined
  }
  const [, usage = '', letter] = /^.{5}(..)(.)/.exec(sent) ?? []
  const use = BLOCK_USES[usage]
  if (use === undefined || (letter !== 'T' && letter !== 'A')) return undefined
  const brought = await custody.bringBlock(keyUseOf(use, letter), sent, zmk)
  return brought.ok ? { use, stored: `${letter}${brought.key}` } : undefined
}
