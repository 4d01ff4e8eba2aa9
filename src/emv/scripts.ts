/** Issuer scripts: commands to the card that an answer carries (EMV Book 3, 6.5 and annex E). */

import { padded, retailMac, type TdesKey } from '#lib/ciphers.ts'
import type { Secret } from '#lib/secret.ts'
import { counterBytes, type ReadCryptogram } from './cryptogram.ts'
import { commonScriptKey, visaScriptKey } from './keys.ts'
import type { Tlv } from './tlv.ts'
import { versions } from './versions.ts'

/** BLOCK blocks the application; UNBLOCK_PIN resets the counter of offline PIN tries. */
export const scriptNames = ['BLOCK', 'UNBLOCK_PIN'] as const
export type ScriptName = (typeof scriptNames)[number]

/** `number` identifies the script in its result (9F18): 1 to 4294967295. */
export type Script = { name: ScriptName; number: number }

/** Class, instruction, two parameters, and the length of the code that follows. */
const headers: Readonly<Record<ScriptName, Buffer>> = {
  BLOCK: Buffer.from('841e000008', 'hex'),
  UNBLOCK_PIN: Buffer.from('8424000008', 'hex'),
}

/** `imk_smi` is the issuer's master key for the integrity of scripts. */
export type ScriptedCard = { imk_smi: TdesKey; pan: Secret }

/** The request that a script answers. */
export type ScriptedRequest = Pick<ReadCryptogram, 'version' | 'arqc' | 'psn' | 'atc'>

/** Template 72 with its code, after the final cryptogram. */
export const scriptTemplate = (card: ScriptedCard, request: ScriptedRequest, script: Script): Tlv =>
  templateOf(script, commandMac(card, request, headers[script.name]))

/** The same of a code that was made elsewhere: identifier and one command. */
export function templateOf(script: Script, mac: Buffer): Tlv {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(script.number)
  const command = Buffer.concat([headers[script.name], mac])
  return {
    tag: '72',
    items: [
      { tag: '9F18', value: number },
      { tag: '86', value: command },
    ],
  }
}

/** The command of a script without its code. */
export const headerOf = ({ name }: Pick<Script, 'name'>): Buffer => headers[name]

/** The input of the code: the command, the request's counter and its cryptogram. */
export const commandData = (header: Buffer, { atc, arqc }: ScriptedRequest): Buffer =>
  Buffer.concat([header, counterBytes(atc), arqc])

/** Eight bytes, over `commandData`. */
export function commandMac(card: ScriptedCard, request: ScriptedRequest, header: Buffer): Buffer {
  const { version, arqc, psn, atc } = request
  const { derivation, scripts } = versions[version]
  const owner = { imk: card.imk_smi, derivation, pan: card.pan, psn }
  const isByCounter = scripts === 'by counter'
  const key = isByCounter ? visaScriptKey(owner, counterBytes(atc)) : commonScriptKey(owner, arqc)
  return retailMac(key, padded(commandData(header, request), 8))
}

export type ScriptResult = { number: number; outcome: 'NOT_PERFORMED' | 'FAILED' | 'DONE' }

const outcomes = ['NOT_PERFORMED', 'FAILED', 'DONE'] as const
const RESULT_BYTES = 5

/** The results of scripts (9F5B), five bytes each; a piece of another shape is left out. */
export function scriptResults(value: Buffer): ScriptResult[] {
  const results: ScriptResult[] = []
  for (let at = 0; at + RESULT_BYTES <= value.length; at += RESULT_BYTES) {
    const outcome = outcomes[(value[at] ?? 0) >> 4]
    if (outcome) results.push({ number: value.readUInt32BE(at + 1), outcome })
  }
  return results
}
