/**
 * Custody in software: keys are in the memory of this process while they are used, and sealed in
 * the database (D-1010). Proofs are found at once, so no decision waits for one.
 */

import { randomBytes, randomInt } from 'node:crypto'
import { AAV_METHOD } from '#cvv/aav.ts'
import { cvvOf, isCvv } from '#cvv/cvv.ts'
import {
  arpcKeyOf,
  issuerAuthentication,
  makeCryptogram,
  type ReadCryptogram,
} from '#emv/cryptogram.ts'
import { commandMac, headerOf } from '#emv/scripts.ts'
import { AesKey, BlockKey, TdesKey, withOddParity } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { isMac, macOf } from '#mac/mac.ts'
import { encodeFormat0 } from '#pin/format0.ts'
import { encodeFormat4 } from '#pin/format4.ts'
import { wrapKeyBlock } from '#pin/tr31.ts'
import { isWeakPin } from '#pin/weak.ts'
import type { BroughtKey, CardCryptography, CardKey, KeyUse, Proofs, Proved } from '../provider.ts'
import { keyOfBlock, unfitLength, usageOf } from '../rules/key_blocks.ts'
import { holdsKeptPin, newPinOf, tdesOf, verificationOf } from './pins.ts'

const TDES_BYTES = 16
const AES_BYTES = 32
/** The fill of a PIN block of format 4. */
const FILL_BYTES = 8
/** The random bytes that pad a key in its block. */
const PAD_BYTES = 40

/** A key that others travel under: its block is opened with its bytes. */
export class TransportKey implements CardKey {
  readonly bytes: Secret<Buffer>
  readonly check_value: string

  constructor(bytes: Secret<Buffer>) {
    this.bytes = bytes
    const isAes = bytes.reveal().length === AES_BYTES
    this.check_value = (isAes ? new AesKey(bytes) : new TdesKey(bytes)).check_value
  }
}

const proved = (isRight: boolean): Proved => (isRight ? 'right' : 'wrong')

/** The keys that answer the cryptograms that were right, so that none is derived twice. */
const arpcKeys = new WeakMap<ReadCryptogram, TdesKey>()

export const softwareProofs: Proofs = {
  pin: (proof) => proved(holdsKeptPin(proof)),
  cvv: ({ value, ...data }) => proved(isCvv({ ...data, cvk: tdesOf(data.cvk) }, value)),
  aav: ({ key, message, code }) => proved(isMac(blockKeyOf(key), AAV_METHOD, message, code)),
  cryptogram({ imk_ac, pan, cryptogram }) {
    const key = arpcKeyOf({ imk_ac: tdesOf(imk_ac), pan }, cryptogram)
    if (key) arpcKeys.set(cryptogram, key)
    return proved(key !== undefined)
  },
  issuerData({ imk_ac, pan, cryptogram, answer }) {
    const known = arpcKeys.get(cryptogram)
    const arpc_key = known ?? arpcKeyOf({ imk_ac: tdesOf(imk_ac), pan }, cryptogram)
    return arpc_key && issuerAuthentication({ ...cryptogram, arpc_key }, answer)
  },
  scriptMac: ({ imk_smi, pan, cryptogram, script }) =>
    commandMac({ imk_smi: tdesOf(imk_smi), pan }, cryptogram, headerOf(script)),
}

export const softwareCustody: CardCryptography & { proving: { proofs: Proofs } } = {
  place: 'SOFTWARE',
  takes_clear_pins: true,
  proving: { proofs: softwareProofs },
  open(use, kept) {
    if (!/^[0-9A-Fa-f]+$/.test(kept)) throw new Error(`the key ${use} is in another custody`)
    const bytes = new Secret(Buffer.from(kept, 'hex'))
    if (use === 'TRANSPORT') return new TransportKey(bytes)
    return use.endsWith('_AES') ? new AesKey(bytes) : new TdesKey(bytes)
  },
  make: async (use) =>
    (use === 'ZPK_AES' ? randomBytes(AES_BYTES) : withOddParity(randomBytes(TDES_BYTES))).toString(
      'hex',
    ),
  async bringBlock(use, block, transport) {
    const found = keyOfBlock(use, block, bytesOf(transport))
    return found.ok ? { ok: true, key: found.key.reveal() } : found
  },
  async bringCryptogram(use, hex, transport) {
    if (!/^(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{48})$/.test(hex))
      return { ok: false, fault: 'has not 32 or 48 digits of hex' }
    const bytes = bytesOf(transport)
    if (bytes.reveal().length === AES_BYTES) return { ok: false, fault: 'is under a key of AES' }
    const key = new TdesKey(bytes).decrypt(Buffer.from(hex, 'hex'))
    return bringClear(use, new Secret(key.toString('hex')))
  },
  bringClear: async (use, hex) => bringClear(use, hex),
  bringOwn: async () => ({ ok: false, fault: 'is a key of a security module, and there is none' }),
  async takeOut(use, kept, transport) {
    const { usage, algorithm } = usageOf(use)
    const header = { version: 'B', key_usage: usage, algorithm, mode_of_use: 'N' } as const
    const key = new Secret(Buffer.from(kept, 'hex'))
    return wrapKeyBlock(
      { ...header, key_version: '00', exportability: 'N' },
      key,
      bytesOf(transport),
      randomBytes(PAD_BYTES),
    )
  },

  cvv: async (data) => cvvOf({ ...data, cvk: tdesOf(data.cvk) }),
  isCvv: async (proof) => softwareProofs.cvv(proof) === 'right',
  newPin: async (block) => newPinOf(block),
  valueOfPin: async (pin, pan, keys, verification) => verificationOf(pin, pan, keys, verification),
  async randomPin({ length, pan, refuse_weak, verification }, keys, zpk) {
    const pin = randomPin(length, refuse_weak)
    const block = encodeFormat0(pin, pan, tdesOf(zpk)).toString('hex')
    const value = verificationOf(pin, pan, keys, verification)
    return { value, block: new Secret(block) }
  },
  async pinBlock(pin, pan, { zpk_aes }) {
    if (!(zpk_aes instanceof AesKey)) throw new Error('the product has no AES key in software')
    const block = encodeFormat4(pin, pan, zpk_aes, randomBytes(FILL_BYTES))
    return new Secret(block.toString('hex'))
  },
  cardCryptogram: async ({ imk_ac, pan }, tags) =>
    makeCryptogram({ imk_ac: tdesOf(imk_ac), pan }, tags),
  mac: async (key, method, message) => macOf(blockKeyOf(key), method, message),
  isMac: async (key, method, message, mac) => isMac(blockKeyOf(key), method, message, mac),
}

function randomPin(length: number, refuse_weak: boolean): Secret {
  for (;;) {
    const pin = new Secret(Array.from({ length }, () => randomInt(10)).join(''))
    if (!refuse_weak || !isWeakPin(pin)) return pin
  }
}

function bringClear(use: KeyUse, hex: Secret): BroughtKey {
  const text = hex.reveal()
  const fault = unfitLength(use, text.length / 2)
  return fault === undefined ? { ok: true, key: text } : { ok: false, fault }
}

function bytesOf(key: CardKey): Secret<Buffer> {
  if (key instanceof TransportKey) return key.bytes
  throw new Error('the key is no transport key in software')
}

function blockKeyOf(key: CardKey): BlockKey {
  if (key instanceof BlockKey) return key
  throw new Error('the key is none in software')
}
