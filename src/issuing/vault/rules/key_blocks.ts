/** Keys of a product that come in key blocks, and the required use of each block (D-450). Pure. */

import { xor } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { misspelling } from '#pin/misspelling.ts'
import { type Unwrapped, unwrapKeyBlock } from '#pin/tr31.ts'
import type { KeptKey, KeyUse } from '../provider.ts'

export const blockKeys = ['imk_ac', 'imk_smi', 'imk_smc', 'cvk', 'pvk', 'zpk', 'zpk_aes'] as const
export type BlockKeyName = (typeof blockKeys)[number]

/** Whether a stored key is in software: only a module's has its check value with it. */
export const isInSoftware = (kept: KeptKey): boolean => !kept.includes(':')

/** The use of each key of a product. */
export const keyUses: Readonly<Record<BlockKeyName, KeyUse>> = {
  imk_ac: 'IMK_AC',
  imk_smi: 'IMK_SMI',
  imk_smc: 'IMK_SMC',
  cvk: 'CVK',
  pvk: 'PVK',
  zpk: 'ZPK',
  zpk_aes: 'ZPK_AES',
}

/**
 * Usages and algorithm of the header, the first for a block that is made here, and the lengths of
 * the key in bytes (ANSI X9.143).
 */
type Use = { usages: readonly string[]; algorithm: 'T' | 'A'; bytes: readonly number[] }

const tdes = (...usages: string[]): Use => ({ usages, algorithm: 'T', bytes: [16] })
/** Keys that networks make may have three parts. */
const zonal = (...usages: string[]): Use => ({ usages, algorithm: 'T', bytes: [16, 24] })

const uses: Readonly<Record<KeyUse, Use>> = {
  IMK_AC: tdes('E0'),
  IMK_SMC: tdes('E1'),
  IMK_SMI: tdes('E2'),
  CVK: tdes('C0'),
  PVK: tdes('V2'),
  ZPK: zonal('P0'),
  ZPK_AES: { usages: ['P0'], algorithm: 'A', bytes: [16, 24, 32] },
  ZAK: zonal('M3', 'M1', 'M6', 'M0'),
  ZAK_AES: { usages: ['M6', 'M3', 'M0'], algorithm: 'A', bytes: [16, 24, 32] },
  TRANSPORT: { usages: ['K0', 'K1'], algorithm: 'T', bytes: [16, 24, 32] },
}

/** The usage and the algorithm of a key in the block that is made of it. */
export function usageOf(use: KeyUse): { usage: string; algorithm: 'T' | 'A' } {
  const { usages, algorithm } = uses[use]
  return { usage: usages[0] ?? '', algorithm }
}

/** The fault of a key of so many bytes, as the end of a sentence. */
export const unfitLength = (use: KeyUse, length: number): string | undefined =>
  uses[use].bytes.includes(length) ? undefined : `has a key of ${length} bytes`

type Opened = Extract<Unwrapped, { ok: true }>

/** The key of a block, in hex; or what is wrong with the block, as the end of a sentence. */
export function keyOfBlock(
  use: KeyUse,
  block: string,
  kbpk: Secret<Buffer>,
): { ok: true; key: Secret } | { ok: false; fault: string } {
  const isBlock = (text: string) => unwrapKeyBlock(text, kbpk).ok
  const unwrapped = unwrapKeyBlock(block, kbpk)
  if (!unwrapped.ok)
    return { ok: false, fault: misspelling(block, isBlock) ?? faults[unwrapped.fault] }
  const fault = unfit(use, unwrapped)
  if (fault !== undefined) return { ok: false, fault }
  return { ok: true, key: new Secret(unwrapped.key.reveal().toString('hex')) }
}

const faults = {
  malformed: 'is not a key block that the key block protection key protects',
  tampered: 'does not match its code: it was changed, or another key protects it',
} as const

function unfit(use: KeyUse, { header, key }: Opened): string | undefined {
  const { usages, algorithm } = uses[use]
  if (!usages.includes(header.key_usage)) {
    return `has the usage ${header.key_usage}, not ${usages.join(' or ')}`
  }
  if (header.algorithm !== algorithm) {
    return `has the algorithm ${header.algorithm}, not ${algorithm}`
  }
  return unfitLength(use, key.reveal().length)
}

/** The key of which these are the components, of one length. */
export const joinedComponents = (components: readonly Buffer[]): Buffer =>
  components.reduce((joined, component) => xor(joined, component))
