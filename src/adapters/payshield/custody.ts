/** Cryptography in a security module (D-1012): the keys are in this program only as it keeps them. */

import { AAV_METHOD } from '#cvv/aav.ts'
import { makeCryptogram } from '#emv/cryptogram.ts'
import type {
  BroughtKey,
  CardCryptography,
  CardKey,
  KeptKey,
  KeyUse,
  NewPinBlock,
  NewPinResult,
  OpenedModule,
  PinProof,
  PinVerification,
  PvvKeys,
} from '#issuing/vault/provider.ts'
import { isSameBytes } from '#lib/digest.ts'
import { ApiError, TransientError } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import { formOfKept, OFFSET_LENGTH } from '#pin/kept.ts'
import { arpcBytes, bytesIn } from './answers.ts'
import { type Commands, isBlock, isOfMethod2, KEY_LENGTH } from './commands.ts'
import { ModuleFault } from './faults.ts'
import { type Asking, ModuleInquiry } from './inquiry.ts'
import { unfitBlock } from './key_blocks.ts'
import { keptOf, keyAtStart, keyTypes, ModuleKey, openKept } from './keys.ts'
import type { Command, Pool } from './pool.ts'
import type { PayshieldSettings } from './settings.ts'
import { keyBlockOf, keyOfBlock } from './transport.ts'

const FINE = '00'
/** The digits of a PIN that a PVV covers. */
const PVV_DIGITS = 4
/** The length of a block of format 0, in hex. */
const BLOCK_DIGITS = 16
/** Fewer bytes of a code prove nothing. */
const MAC_LEAST = 4
/** A key of two or three parts, encrypted. */
const CRYPTOGRAM = /^(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{48})$/

/** Keys in the clear reach a module under a transport key that both have. */
const NO_TRANSPORT = { detail: 'This needs HSM_TRANSPORT_KEY and HSM_TRANSPORT_KEY_LMK.' }

type Parts = {
  pool: Pool
  commands: Commands
  settings: Pick<PayshieldSettings, 'key_scheme' | 'clear_pin' | 'transport'>
}

type Use = (command: Command) => Promise<{ isFine: boolean; text: string }>

export function moduleCustody(parts: Parts): OpenedModule['custody'] {
  const { pool, commands, settings } = parts
  const asking = askingOf(pool, commands)
  /** Outside decisions a module that does not answer is an outage. */
  const use: Use = async (command) => {
    const { code, fields } = await pool.run(command).catch(asOutage)
    return { isFine: code === FINE, text: fields.toString('latin1') }
  }
  return {
    place: 'MODULE',
    takes_clear_pins: settings.clear_pin,
    proving: { inquire: () => new ModuleInquiry(asking) },
    open: openKept,
    ...keysOf(parts, use),
    ...pinsOf(parts, use),

    cvv: async (data) => new Secret((await use(commands.makeCvv(data))).text.slice(0, 3)),
    isCvv: async ({ value, ...data }) =>
      isThree(value) && (await use(commands.verifyCvv(data, value))).isFine,
    async cardCryptogram({ imk_ac, pan }, tags) {
      // Only simulated cards make one, so that the key is one of a sandbox.
      const { transport } = settings
      if (!transport) throw new ApiError('not_configured', NO_TRANSPORT)
      const under = new ModuleKey(transport.kept, '')
      const { text } = await use(commands.takeOut('IMK_AC', imk_ac, under))
      return makeCryptogram({ imk_ac: keyOfBlock(text, transport.clear), pan }, tags)
    },
    mac: async (key, method, message) =>
      bytesIn((await use(commands.makeMac(key, method, message))).text),
    async isMac(key, method, message, mac) {
      const { text } = await use(commands.makeMac(key, method, message))
      const whole = bytesIn(text)
      if (mac.length < MAC_LEAST || mac.length > whole.length) return false
      return isSameBytes(whole.subarray(0, mac.length), mac)
    },
  }
}

type KeyFunctions = Pick<
  CardCryptography,
  'make' | 'bringBlock' | 'bringCryptogram' | 'bringClear' | 'bringOwn' | 'takeOut'
>

function keysOf({ pool, commands, settings }: Parts, use: Use): KeyFunctions {
  const bring = (what: KeyUse, text: string, transport: CardKey) =>
    bringIn({ pool, commands }, what, text, transport)
  return {
    async make(what) {
      if (what === 'ZPK_AES' && settings.key_scheme === 'U') return undefined
      return keyIn((await use(commands.make(what))).text)
    },
    async bringBlock(what, block, transport) {
      const fault = unfitBlock(what, block)
      return fault === undefined ? bring(what, `R${block}`, transport) : { ok: false, fault }
    },
    async bringCryptogram(what, hex, transport) {
      if (!CRYPTOGRAM.test(hex)) return { ok: false, fault: 'has not 32 or 48 digits of hex' }
      return bring(what, `${hex.length === 32 ? 'X' : 'Y'}${hex.toUpperCase()}`, transport)
    },
    async bringClear(what, hex) {
      const { transport } = settings
      if (what === 'TRANSPORT') throw new ApiError('key_by_module_only')
      if (!transport) throw new ApiError('not_configured', NO_TRANSPORT)
      const block = keyBlockOf(what, hex, transport.clear)
      return bring(what, `R${block}`, new ModuleKey(transport.kept, ''))
    },
    async bringOwn(what, text) {
      const { text: check_value } = await use(commands.checkValue(what, text.reveal()))
      return { ok: true, key: keptOf(text.reveal(), check_value) }
    },
    async takeOut(what, kept, transport) {
      const { text } = await use(commands.takeOut(what, openKept(what, kept), transport))
      return (keyAtStart(text) ?? '').slice(1)
    },
  }
}

type PinFunctions = Pick<CardCryptography, 'newPin' | 'valueOfPin' | 'randomPin' | 'pinBlock'>

function pinsOf({ commands, settings }: Parts, use: Use): PinFunctions {
  async function pinUnderLmk(pin: Secret, pan: Secret): Promise<Secret> {
    if (!settings.clear_pin) throw new ApiError('pin_by_block_only')
    return new Secret((await use(commands.clearPin(pin, pan))).text)
  }

  async function valueOfLmk(
    keys: PvvKeys,
    { pin, pan, verification }: { pin: Secret; pan: Secret; verification: PinVerification },
  ): Promise<Secret> {
    const { text } = await use(commands.valueOfLmk(keys, { pin, pan, verification }))
    return valueIn(text, verification)
  }

  return {
    newPin: (block) => newPin(block, commands, use),
    async valueOfPin(pin, pan, keys, verification) {
      assertCovered(pin.reveal().length, verification)
      return valueOfLmk(keys, { pin: await pinUnderLmk(pin, pan), pan, verification })
    },
    async randomPin({ length, pan, verification }, keys, zpk) {
      assertCovered(length, verification)
      const pin = new Secret((await use(commands.randomPin(length, pan))).text)
      const [value, block] = await Promise.all([
        valueOfLmk(keys, { pin, pan, verification }),
        use(commands.blockOfLmk(zpk, pin, pan)),
      ])
      return { value, block: new Secret(block.text.slice(0, BLOCK_DIGITS)) }
    },
    async pinBlock(pin, pan, { zpk }) {
      const under = await pinUnderLmk(pin, pan)
      const { text } = await use(commands.blockOfLmk(zpk, under, pan))
      return new Secret(text.slice(0, BLOCK_DIGITS))
    },
  }
}

/**
 * Brings in a key by A6. A key block hides how many parts its key has, so a module that keeps keys
 * by their parts and finds another length is asked again for three.
 */
export async function bringIn(
  { pool, commands }: Pick<Parts, 'pool' | 'commands'>,
  use: KeyUse,
  text: string,
  transport: CardKey,
): Promise<BroughtKey> {
  const isLong = keyTypes[use].isLong === true
  const take = async (parts: 2 | 3): Promise<BroughtKey> => {
    const { code, fields } = await pool.run(commands.bring(use, text, transport, parts))
    if (code === KEY_LENGTH) return parts === 2 && isLong ? take(3) : notTaken(code)
    const taken = fields.toString('latin1')
    if (taken.startsWith('T') && !isLong) return { ok: false, fault: 'has a key of 24 bytes' }
    return { ok: true, key: keyIn(taken) }
  }
  try {
    return await take(isLong && text.startsWith('Y') ? 3 : 2)
  } catch (error) {
    if (!(error instanceof ModuleFault) || error.reason !== 'refused') return asOutage(error)
    return notTaken(error.code)
  }
}

const notTaken = (code: string | undefined): BroughtKey => ({
  ok: false,
  fault: `is not taken by the security module: error ${code}`,
})

/** The key and the check value behind it, as A0 and A6 answer. */
function keyIn(text: string): KeptKey {
  const key = keyAtStart(text)
  const check_value = text.slice(key?.length ?? 0).slice(0, 6)
  if (key === undefined || !/^[0-9A-F]{6}$/.test(check_value))
    throw new ModuleFault('garbled', 'key')
  return keptOf(key, check_value)
}

function asOutage(error: unknown): never {
  if (error instanceof ModuleFault) {
    const detail = 'No security module answers at the moment; try again.'
    throw new TransientError('unavailable', { detail, retry_after_seconds: 1 })
  }
  throw error
}

function assertCovered(length: number, verification: PinVerification): void {
  if (verification === 'PVV' && length !== PVV_DIGITS) throw new ApiError('pin_length_in_module')
}

/** The PVV or the offset at the start of an answer. */
function valueIn(text: string, verification: PinVerification): Secret {
  const value = new Secret(text.slice(0, verification === 'PVV' ? PVV_DIGITS : OFFSET_LENGTH))
  if (formOfKept(value) !== verification) throw new ModuleFault('garbled', verification)
  return value
}

const isThree = (value: Secret): boolean => /^[0-9]{3}$/.test(value.reveal())

/** A module does not say whether a PIN is easy to guess. */
async function newPin(input: NewPinBlock, commands: Commands, use: Use): Promise<NewPinResult> {
  const { block, pan, keys, length, kept, verification } = input
  assertCovered(length, verification)
  const refused = { ok: false, fault: 'BLOCK' } as const
  const zpk = isBlock(block) ? zoneKeyOf(keys, block) : undefined
  if (!zpk) return refused
  const measured = await use(commands.measurePin(zpk, block, pan))
  if (!measured.isFine || Number(measured.text.slice(0, 2)) !== length) return refused
  // It would set the present PIN again, which another value may verify.
  if (kept && formOfKept(kept) !== verification) {
    if ((await use(commands.verifyPin(zpk, keys, { block, pan, kept }))).isFine) return refused
  }
  const made = await use(commands.valueOfBlock(zpk, keys, { block, pan, verification }))
  if (!made.isFine) return refused
  const value = valueIn(made.text, verification)
  return kept?.equals(value) ? refused : { ok: true, value }
}

/** The key that a block arrives under: for 32 digits that of AES, where the product has one. */
const zoneKeyOf = ({ zpk, zpk_aes }: PinProof['keys'], block: Secret): CardKey | undefined =>
  block.reveal().length === 32 ? zpk_aes : zpk

function askingOf(pool: Pool, commands: Commands): Asking {
  const isRight = async (command: Command, patience_ms: number) =>
    (await pool.run({ ...command, patience_ms })).code === FINE
  return {
    async pin({ keys, block, over, pan, kept }, patience_ms) {
      const zpk = isBlock(block) ? zoneKeyOf(keys, block) : undefined
      if (!zpk || formOfKept(kept) === 'LONG') return false
      const tried = { block, pan, kept }
      if (over.equals(pan)) return isRight(commands.verifyPin(zpk, keys, tried), patience_ms)
      const freed = { ...commands.freePin(zpk, keys.zpk, block, over), patience_ms }
      const { code, fields } = await pool.run(freed)
      if (code !== FINE) return false
      const free = new Secret(fields.toString('latin1', 2, 18))
      return isRight(commands.verifyFreePin(keys.zpk, keys, { ...tried, block: free }), patience_ms)
    },
    cvv: async ({ value, ...data }, patience_ms) =>
      isThree(value) && isRight(commands.verifyCvv(data, value), patience_ms),
    aav: ({ key, message, code }, patience_ms) =>
      isRight(commands.verifyMac(key, AAV_METHOD, message, code), patience_ms),
    cryptogram: ({ imk_ac, pan, cryptogram }, patience_ms) =>
      isRight(commands.verifyCryptogram(imk_ac, pan, cryptogram), patience_ms),
    async issuerData({ imk_ac, pan, cryptogram, answer }, patience_ms) {
      const command = commands.answerCryptogram(imk_ac, pan, cryptogram, answer)
      const { fields } = await pool.run({ ...command, patience_ms })
      const arpc = arpcBytes(fields, isOfMethod2(cryptogram))
      const { arc, csu, proprietary = Buffer.alloc(0) } = answer
      return Buffer.concat(isOfMethod2(cryptogram) ? [arpc, csu, proprietary] : [arpc, arc])
    },
    async scriptMac({ imk_smi, pan, cryptogram, script }, patience_ms) {
      const command = commands.scriptMac(imk_smi, pan, cryptogram, script)
      if (!command) return undefined
      return (await pool.run({ ...command, patience_ms })).fields.subarray(0, 8)
    },
  }
}
