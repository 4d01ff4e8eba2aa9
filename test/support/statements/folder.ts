/** The folder in which processes of a run of tests write the statements that they send (D-687). */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files that a run keeps for the next one. */
export const CACHE = 'node_modules/.cache/bezant-tests'
const FOLDER = 'TEST_STATEMENTS'
const RECORDER = new URL('./recorder.ts', import.meta.url).href

/**
 * A statement as the program has sent it first: the kinds of its values, never the values. `site`
 * is the file under src/ and its line, `by` the function there.
 */
export type Recorded = { text: string; kinds: string[]; site: string; by: string }

/** The environment of a process whose statements are recorded in `folder`. */
export const recordingIn = (folder: string): Record<string, string> => ({
  [FOLDER]: folder,
  NODE_OPTIONS: `--import ${RECORDER}`,
})

/** The same for a process that a test starts. */
export function recordingOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const folder = folderOf(env)
  return folder === undefined ? {} : recordingIn(folder)
}

/** Undefined if nothing is recorded. */
export const folderOf = (env: NodeJS.ProcessEnv): string | undefined => env[FOLDER]

/**
 * The statements that all processes have recorded: one of each text, in the order of their sites.
 */
export function statementsIn(folder: string): Recorded[] {
  const found = new Map<string, Recorded>()
  for (const one of readdirSync(folder).flatMap((file) => readRecorded(join(folder, file)))) {
    const known = found.get(one.text)
    if (!known || one.site < known.site) found.set(one.text, one)
  }
  return [...found.values()].sort((a, b) => (a.site < b.site ? -1 : 1))
}

export const readRecorded = (file: string): Recorded[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    // The last line of a process that was killed may be cut.
    .filter((line) => line.endsWith('}'))
    .map((line): Recorded => JSON.parse(line))
