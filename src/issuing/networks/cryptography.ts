/**
 * The keys of networks in the custody of this program: they come under a zone master key, and make
 * and check the codes of messages (D-1031, D-1032). Nothing else of a key is known outside.
 */

import { AesKey, checkValueOf, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { isMac, type MacMethod, macOf } from '#mac/mac.ts'
import { unwrapKeyBlock } from '#pin/tr31.ts'

export type NetworkKeyUse = 'ZAK' | 'ZPK'

/** A key in the form in which it is stored, before it is sealed: `T` or `A`, and its hex. */
export type KeptKey = string

export class NetworkKey {
  /** Six digits of upper-case hex, by which people compare keys (ANSI X9.24). */
  readonly check_value: string
  readonly #key: TdesKey | AesKey

  constructor(kept: KeptKey) {
    const bytes = new Secret(Buffer.from(kept.slice(1), 'hex'))
    this.#key = kept.startsWith('A') ? new AesKey(bytes) : new TdesKey(bytes)
    this.check_value = checkValueOf(this.#key)
  }

  async mac(method: MacMethod, message: Buffer): Promise<Buffer> {
    return macOf(this.#key, method, message)
  }

  async isMac(method: MacMethod, message: Buffer, mac: Buffer): Promise<boolean> {
    return isMac(this.#key, method, message, mac)
  }
}

export type BroughtKey = { ok: true; use: NetworkKeyUse | undefined; key: KeptKey } | { ok: false }

const BLOCK_USES: Readonly<Record<string, NetworkKeyUse>> = {
  P0: 'ZPK',
  M0: 'ZAK',
  M1: 'ZAK',
  M3: 'ZAK',
  M6: 'ZAK',
}

/** The key of a key block (TR-31); its usage says what it is for. */
export function bringBlock(block: string, zmk: Secret<Buffer>): BroughtKey {
  const unwrapped = unwrapKeyBlock(block, zmk)
  if (!unwrapped.ok) return { ok: false }
  const { key_usage, algorithm } = unwrapped.header
  const use = BLOCK_USES[key_usage]
  if (use === undefined || (algorithm !== 'T' && algorithm !== 'A')) return { ok: false }
  return keptOf(algorithm, unwrapped.key.reveal(), use)
}

/** A TDES key of 32 or 48 hex digits that is encrypted under a TDES zone master key (ECB). */
export function bringCryptogram(hex: string, zmk: Secret<Buffer>): BroughtKey {
  if (!/^(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{48})$/.test(hex) || zmk.reveal().length > TDES_MAX) {
    return { ok: false }
  }
  return keptOf('T', new TdesKey(zmk).decrypt(Buffer.from(hex, 'hex')), undefined)
}

const TDES_MAX = 24
const AES_BYTES = [16, 24, 32]
const TDES_BYTES = [16, 24]

function keptOf(algorithm: 'T' | 'A', key: Buffer, use: NetworkKeyUse | undefined): BroughtKey {
  const allowed = algorithm === 'A' ? AES_BYTES : TDES_BYTES
  return allowed.includes(key.length)
    ? { ok: true, use, key: `${algorithm}${key.toString('hex')}` }
    : { ok: false }
}
