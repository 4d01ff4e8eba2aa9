/** The answers that clients of a load received, compared with the database. */

import { DrillFault } from '../fault.ts'
import type { Transcript } from '../transcript.ts'
import { effectsOf, timesOf } from './effects.ts'
import { KINDS, type Kind, type Load, type Request } from './load.ts'

const SHOWN = 5

export const doneOf = ({ requests }: Load, kind: Kind): Request[] =>
  requests.filter((one) => one.kind === kind && one.outcome === 'DONE')

export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

/** The longest time without an answer, for each kind. */
export function printGaps(transcript: Transcript, load: Load, since: number): void {
  for (const kind of KINDS) {
    const gap = longestGap(load, kind, since)
    transcript.print(`${kind.padEnd(13)} without an answer for ${secondsOf(gap)}`)
  }
}

/** The longest time between two answers of which the second came after `since`; milliseconds. */
export function longestGap(load: Load, kind: Kind, since: number): number {
  const done = doneOf(load, kind)
  const answers = done.map(({ answered = 0 }) => answered).sort((one, other) => one - other)
  const gaps = answers.map((at, place) => (at < since ? 0 : at - (answers[place - 1] ?? at)))
  return Math.max(...gaps)
}

/**
 * Every answered request is in effect once, every open one at most once, and nothing was declined.
 * With `all` each is answered at once: none is open, and none was sent again.
 */
export async function compare(
  transcript: Transcript,
  url: string,
  requests: readonly Request[],
  { all: atOnce = false } = {},
): Promise<void> {
  const effects = await effectsOf(url, requests)
  const faults: Request[] = []
  for (const kind of KINDS) {
    const all = requests.filter((one) => one.kind === kind)
    const having = (outcome: Request['outcome']) => all.filter((one) => one.outcome === outcome)
    const [done, open, declined] = [having('DONE'), having('UNKNOWN'), having('DECLINED')]
    const repeated = all.filter(({ repeats }) => repeats.length > 0)
    const wrong = [
      ...done.filter((one) => timesOf(effects, one) !== 1),
      ...open.filter((one) => timesOf(effects, one) > 1),
      ...declined,
      ...(atOnce ? [...open, ...repeated] : []),
    ]
    transcript.print(
      `${kind.padEnd(13)} answered ${done.length}, there once ` +
        `${done.filter((one) => timesOf(effects, one) === 1).length}; sent again ` +
        `${repeated.length}; open ${open.length}; declined ${declined.length}`,
    )
    faults.push(...wrong)
  }
  if (faults.length === 0) return
  const few = faults
    .slice(0, SHOWN)
    .map((one) => JSON.stringify({ ...one, n: timesOf(effects, one) }))
  throw new DrillFault(`${faults.length} are not as they should be:\n${few.join('\n')}`)
}
