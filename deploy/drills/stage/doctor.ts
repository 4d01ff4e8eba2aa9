/** The findings of doctor in the database of a drill. */

import { DrillFault } from '../fault.ts'
import type { Transcript } from '../transcript.ts'
import { type Environment, runToEnd } from './platform.ts'

const SHOWN = 6
const NOTHING = /: nothing found$/

/** Prints what doctor (of `root`) has found; a fault where that is not what it was to find. */
export async function examine(
  transcript: Transcript,
  env: Environment,
  expected: 'nothing' | 'damage',
  root?: string,
): Promise<void> {
  const { code, output } = await runToEnd(['apps/cli/bezant.mjs', 'doctor'], env, root)
  const lines = output.trimEnd().split('\n')
  const found = lines.filter((line) => !NOTHING.test(line))
  const clean = lines.length - found.length
  transcript.print(`$ bezant doctor\n${clean} checks have found nothing`)
  if (found.length > 0) transcript.print(found.slice(0, SHOWN).join('\n'))
  if (found.length > SHOWN) transcript.print(`… and ${found.length - SHOWN} lines more`)
  transcript.print(`exit code ${code}`)
  if ((code === 0) !== (expected === 'nothing')) {
    throw new DrillFault(`doctor was to find ${expected}:\n${output}`)
  }
}
