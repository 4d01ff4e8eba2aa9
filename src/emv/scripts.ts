/** Issuer scripts: commands to the card that an answer carries (EMV Book 3, 6.5 and annex E). */

import { padded, retailMac, type TdesKey } from '#lib/ciphers.ts'
import type { Secret } from '#lib/secret.ts'
import type { Cryptogram } from './cryptogram.ts'
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

/** Template 72, after the final cryptogram: identifier and one command with its code. */
export function scriptTemplate(card: ScriptedCard, request: Cryptogram, script: Script): Tlv {
  const number = Buffer.alloc(4)
  number.writeUInt32BE(script.number)
  const header = headers[script.name]
  const command = Buffer.concat([header, commandMac(card, request, header)])
  return {
    tag: '72',
    items: [
      { tag: '9F18', value: number },
      { tag: '86', value: command },
    ],
  }
}

/** Eight bytes, over the command, the request's counter and its cryptogram. */
export function commandMac(card: ScriptedCard, request: Cryptogram, header: Buffer): Buffer {
  const { version: name, arqc, psn } = request
  const { derivation, scripts } = versions[name]
  const atc = Buffer.alloc(2)
  atc.writeUInt16BE(request.atc)
  const owner = { imk: card.imk_smi, derivation, pan: card.pan, psn }
  const key = scripts === 'by counter' ? visaScriptKey(owner, atc) : commonScriptKey(owner, arqc)
  return retailMac(key, padded(Buffer.concat([header, atc, arqc]), 8))
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
