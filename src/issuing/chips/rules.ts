/** The changes to a chip by messages and by requests of the operator (D-447, D-449). Pure. */

import type { Script, ScriptName, ScriptResult } from '#emv/scripts.ts'
import type { Chip, ChipScript } from './schema.ts'

/** A chip of which nothing is stored. */
export const newChip = (id: string): Chip => ({ id, atc: null, scripts: {}, version: 0n })

/** The operator asks for a script: the next answer carries it, also if an earlier one did. */
export function withRequest(chip: Chip, script: ScriptName): Chip {
  const number = 1 + Math.max(0, ...scriptsOf(chip).map(([, one]) => one.number))
  return { ...chip, scripts: { ...chip.scripts, [script]: { number, status: 'REQUESTED' } } }
}

/** A counter is used once and only rises: an equal or lower one is a replay (D-50). */
export const isReplay = ({ atc }: Chip, next: number): boolean => atc !== null && next <= atc

/**
 * After a right cryptogram of this counter: the highest counter, the results that the card reports,
 * and the scripts to send again because the card did not perform them.
 */
export function afterMessage(chip: Chip, atc: number, results: readonly ScriptResult[]): Chip {
  const scripts: Chip['scripts'] = { ...chip.scripts }
  for (const [name, script] of scriptsOf(chip)) {
    const result = results.find(({ number }) => number === script.number)
    if (result && script.status === 'SENT')
      scripts[name] = { ...script, status: next[result.outcome] }
  }
  return { ...chip, atc: Math.max(atc, chip.atc ?? 0), scripts }
}

const next = { NOT_PERFORMED: 'REQUESTED', FAILED: 'FAILED', DONE: 'DONE' } as const

/** The scripts that the next answer carries. */
export const requestedScripts = (chip: Chip): Script[] =>
  scriptsOf(chip).flatMap(([name, { number, status }]) =>
    status === 'REQUESTED' ? [{ name, number }] : [],
  )

/** After an answer that carries them. */
export function afterAnswer(chip: Chip, sent: readonly Script[]): Chip {
  const scripts: Chip['scripts'] = { ...chip.scripts }
  for (const { name, number } of sent) scripts[name] = { number, status: 'SENT' }
  return { ...chip, scripts }
}

/** The scripts in the order in which they were requested. */
export const scriptsOf = ({ scripts }: Chip): [ScriptName, ChipScript][] =>
  (Object.entries(scripts) as [ScriptName, ChipScript][]).sort(
    ([, one], [, other]) => one.number - other.number,
  )
