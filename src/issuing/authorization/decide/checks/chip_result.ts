import type { ReadCryptogram } from '#emv/cryptogram.ts'
import type { Chip } from '#issuing/chips/schema.ts'
import type { KeySet } from '#issuing/vault/schema.ts'
import type { CardKey, Proofs } from '#issuing/vault/vault.ts'
import type { Secret } from '#lib/secret.ts'
import type { Finding } from './findings.ts'

/**
 * The result of the chip's check; `right` is present if its cryptogram is right and its counter
 * new.
 */
export type ChipResult = { finding: Finding; right?: RightChip }

/** The input of the answer to a right cryptogram. */
export type RightChip = {
  /** The id of the card, or of the wallet token. */
  id: string
  /** The chip with its counter used. */
  used: Chip
  cryptogram: ReadCryptogram
  keys: KeySet & { imk_ac: CardKey }
  proofs: Proofs
  pan: Secret
}
