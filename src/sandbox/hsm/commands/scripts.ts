/**
 * Commands to a card: KU and KY make the code of one (integrity), and encrypt a part of it
 * (confidentiality). Modules differ here; docs/hsm_simulator.md has the fields of this one.
 */

import { commonScriptKey, visaScriptKey } from '#emv/keys.ts'
import { cbcEncrypt, padded, retailMac, type TdesKey } from '#lib/ciphers.ts'
import type { Command } from '../command.ts'
import { need } from '../errors.ts'
import type { Fields } from '../fields.ts'
import { type KeyType, keyTypeOf } from '../key_types.ts'
import { keyText, openKey, tdesOf } from '../keys.ts'
import type { Lmk } from '../lmk.ts'
import { type CardDigits, packedCard } from './cryptograms.ts'

const MK_SMI = [keyTypeOf('209')]
const MK_SMC = [keyTypeOf('309')]

/** How the key of a script is made: by the counter, or by the cryptogram of the request. */
type Session = { by: 'counter' | 'cryptogram'; derivation: 'A' | 'B' }
const OF_KU: Readonly<Record<string, Session>> = {
  '0': { by: 'counter', derivation: 'A' },
  '1': { by: 'cryptogram', derivation: 'A' },
}
const OF_KY: Readonly<Record<string, Session>> = {
  '0': { by: 'counter', derivation: 'B' },
  '2': { by: 'cryptogram', derivation: 'A' },
  '3': { by: 'cryptogram', derivation: 'B' },
}

/** A part of the command that leaves encrypted, at `offset`. */
type Hidden = { smc: string; seed: Buffer; offset: number; data: Buffer }

const script =
  (sessions: Readonly<Record<string, Session>>): Command =>
  (fields) => {
    const mode = fields.text(1, /^[01]$/)
    const session = sessions[fields.bytes(1).toString('latin1')]
    need(session !== undefined, 'keyLengthFlag')
    const smi = keyText(fields)
    const card = packedCard(fields)
    const seed = fields.bytes(8)
    const command = fields.counted(4)
    fields.semicolon()
    const hidden = mode === '1' ? hiddenPart(fields, command.length) : undefined
    return {
      ending: fields.ending(),
      run: (lmk) => {
        const made = hidden && encrypted(lmk, session, card, hidden)
        const whole = made ? inserted(command, hidden.offset, made) : command
        const key = sessionKey(smi, MK_SMI, lmk, session, card, seed)
        const mac = retailMac(key, padded(whole, 8))
        return made ? Buffer.concat([mac, counted(made)]) : mac
      },
    }
  }

export const scriptOfScheme: Command = script(OF_KU)
export const scriptOfEmv: Command = script(OF_KY)

function hiddenPart(fields: Fields, most: number): Hidden {
  const smc = keyText(fields)
  const seed = fields.bytes(8)
  const offset = Number.parseInt(fields.hex(4), 16)
  need(offset <= most, 'input')
  const data = fields.counted(4)
  fields.semicolon()
  return { smc, seed, offset, data }
}

function sessionKey(
  text: string,
  types: readonly KeyType[],
  lmk: Lmk,
  { by, derivation }: Session,
  { pan, psn }: CardDigits,
  seed: Buffer,
): TdesKey {
  const imk = tdesOf(openKey(text, lmk, types), 16)
  const owner = { imk, derivation, pan, psn }
  return by === 'counter' ? visaScriptKey(owner, seed.subarray(-2)) : commonScriptKey(owner, seed)
}

/**
 * In blocks that are chained from zeros; a byte 80 and zeros fill the last one if it is not whole.
 */
function encrypted(lmk: Lmk, session: Session, card: CardDigits, hidden: Hidden): Buffer {
  const { smc, seed, data } = hidden
  const key = sessionKey(smc, MK_SMC, lmk, session, card, seed)
  const whole = data.length > 0 && data.length % 8 === 0
  return cbcEncrypt(key, Buffer.alloc(8), whole ? data : padded(data, 8))
}

const inserted = (command: Buffer, at: number, part: Buffer): Buffer =>
  Buffer.concat([command.subarray(0, at), part, command.subarray(at)])

const counted = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(data.length.toString(16).toUpperCase().padStart(4, '0')), data])
