/** PIN blocks under the zone keys of the network that they come from (D-1032). */

import type { CardKey, Proofs, Proved } from '#issuing/vault/vault.ts'

type PinProof = Parameters<Proofs['pin']>[0]

const AES_BLOCK_DIGITS = 32

/** A block that is right under one key is right; it is wrong if it is so under all of them. */
const STRENGTH: readonly Proved[] = ['right', 'unasked', 'unproved', 'fault', 'wrong']

/**
 * A network with a key of its own encrypts under that, or until lately under the one before;
 * without one under the key of the card product.
 */
export function provePin(
  proofs: Pick<Proofs, 'pin'>,
  proof: PinProof,
  network: readonly CardKey[],
): Proved {
  if (network.length === 0) return proofs.pin(proof)
  const name = proof.block.reveal().length === AES_BLOCK_DIGITS ? 'zpk_aes' : 'zpk'
  const found = network.map((key) => proofs.pin({ ...proof, keys: { ...proof.keys, [name]: key } }))
  return STRENGTH.find((one) => found.includes(one)) ?? 'wrong'
}
