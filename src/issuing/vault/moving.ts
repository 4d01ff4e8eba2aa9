/**
 * Custody while keys are moved to a security module (D-1010): each key set is in software or in the
 * module, and is served where it is. New keys are made in the module.
 */

import { BlockKey } from '#lib/ciphers.ts'
import type { CardCryptography, CardKey, Inquiry, Proofs } from './provider.ts'
import { isInSoftware } from './rules/key_blocks.ts'
import { TransportKey } from './software/software.ts'

/** The length of a PIN block under AES, in hex. */
const AES_DIGITS = 32

export function movingCustody(
  software: CardCryptography & { proving: { proofs: Proofs } },
  module: CardCryptography & { proving: { inquire: () => Inquiry } },
): CardCryptography {
  const placeOf = (key: CardKey): CardCryptography =>
    key instanceof BlockKey || key instanceof TransportKey ? software : module
  return {
    place: 'MODULE',
    takes_clear_pins: module.takes_clear_pins,
    proving: {
      inquire() {
        const inquiry = module.proving.inquire()
        return { ...delegated(inquiry), proofs: proofsOf(software.proving.proofs, inquiry.proofs) }
      },
    },
    open: (use, kept) => (isInSoftware(kept) ? software : module).open(use, kept),
    make: module.make,
    bringBlock: (use, block, transport) => placeOf(transport).bringBlock(use, block, transport),
    bringCryptogram: (use, hex, transport) =>
      placeOf(transport).bringCryptogram(use, hex, transport),
    bringClear: module.bringClear,
    bringOwn: module.bringOwn,
    takeOut: (use, kept, transport) => placeOf(transport).takeOut(use, kept, transport),
    cvv: (data) => placeOf(data.cvk).cvv(data),
    isCvv: (proof) => placeOf(proof.cvk).isCvv(proof),
    newPin: (block) => placeOf(block.keys.pvk).newPin(block),
    valueOfPin: (pin, pan, keys, verification) =>
      placeOf(keys.pvk).valueOfPin(pin, pan, keys, verification),
    randomPin: (wanted, keys, zpk) => placeOf(keys.pvk).randomPin(wanted, keys, zpk),
    pinBlock: (pin, pan, keys) => placeOf(keys.zpk).pinBlock(pin, pan, keys),
    cardCryptogram: (card, tags) => placeOf(card.imk_ac).cardCryptogram(card, tags),
    mac: (key, method, message) => placeOf(key).mac(key, method, message),
    isMac: (key, method, message, mac) => placeOf(key).isMac(key, method, message, mac),
  }

  function proofsOf(own: Proofs, asked: Proofs): Proofs {
    const at = (key: CardKey) => (placeOf(key) === software ? own : asked)
    return {
      pin(proof) {
        // Nobody has both keys, so the PIN is neither right nor wrong until they are moved.
        const { pvk, zpk, zpk_aes } = proof.keys
        const under = proof.block.reveal().length === AES_DIGITS ? zpk_aes : zpk
        const isSplit = under !== undefined && placeOf(under) !== placeOf(pvk)
        return isSplit ? 'fault' : at(pvk).pin(proof)
      },
      cvv: (proof) => at(proof.cvk).cvv(proof),
      aav: (proof) => at(proof.key).aav(proof),
      cryptogram: (proof) => at(proof.imk_ac).cryptogram(proof),
      issuerData: (proof) => at(proof.imk_ac).issuerData(proof),
      scriptMac: (proof) => at(proof.imk_smi).scriptMac(proof),
    }
  }
}

const delegated = (inquiry: Inquiry) => ({
  begin: () => inquiry.begin(),
  hasQuestions: () => inquiry.hasQuestions(),
  ask: (patience_ms: number) => inquiry.ask(patience_ms),
})
