/** Keys of a product that come in key blocks, and the required use of each block (D-450). Pure. */

import { xor } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { type Unwrapped, unwrapKeyBlock } from '#pin/tr31.ts'

export const blockKeys = ['imk_ac', 'imk_smi', 'imk_smc', 'cvk', 'pvk', 'zpk', 'zpk_aes'] as const
export type BlockKeyName = (typeof blockKeys)[number]

/** Usage and algorithm of the header, and the lengths of the key in bytes (ANSI X9.143). */
type Use = { usage: string; algorithm: 'T' | 'A'; bytes: readonly number[] }

const tdes = (usage: string): Use => ({ usage, algorithm: 'T', bytes: [16] })

const uses: Readonly<Record<BlockKeyName, Use>> = {
  imk_ac: tdes('E0'),
  imk_smc: tdes('E1'),
  imk_smi: tdes('E2'),
  cvk: tdes('C0'),
  pvk: tdes('V2'),
  zpk: tdes('P0'),
  zpk_aes: { usage: 'P0', algorithm: 'A', bytes: [16, 24, 32] },
}

type Opened = Extract<Unwrapped, { ok: true }>

/** The key of a block, in hex; or what is wrong with the block, as the end of a sentence. */
export function keyOfBlock(
  name: BlockKeyName,
  block: string,
  kbpk: Secret<Buffer>,
): { ok: true; key: Secret } | { ok: false; fault: string } {
  const unwrapped = unwrapKeyBlock(block, kbpk)
  if (!unwrapped.ok) return { ok: false, fault: misspelt(block, kbpk) ?? faults[unwrapped.fault] }
  const fault = unfit(uses[name], unwrapped)
  if (fault !== undefined) return { ok: false, fault }
  return { ok: true, key: new Secret(unwrapped.key.reveal().toString('hex')) }
}

const faults = {
  malformed: 'is not a key block that the key block protection key protects',
  tampered: 'does not match its code: it was changed, or another key protects it',
} as const

/** How a block is written that is one otherwise. */
function misspelt(block: string, kbpk: Secret<Buffer>): string | undefined {
  if (/^R[A-D][0-9]{4}/i.test(block)) {
    return 'begins with the R of Thales, which is no part of a key block: leave it out'
  }
  const capitals = block.toUpperCase()
  const isLower = block !== capitals && unwrapKeyBlock(capitals, kbpk).ok
  return isLower ? 'is in lower case: a key block has capital letters' : undefined
}

function unfit({ usage, algorithm, bytes }: Use, { header, key }: Opened): string | undefined {
  if (header.key_usage !== usage) return `has the usage ${header.key_usage}, not ${usage}`
  if (header.algorithm !== algorithm) {
    return `has the algorithm ${header.algorithm}, not ${algorithm}`
  }
  const { length } = key.reveal()
  return bytes.includes(length) ? undefined : `has a key of ${length} bytes`
}

/** The key of which these are the components, of one length. */
export const joinedComponents = (components: readonly Buffer[]): Buffer =>
  components.reduce((joined, component) => xor(joined, component))
