/**
 * Records the operations and statuses that the tests have seen: each file notes them, test/run.ts
 * keeps them, and test/seen.ts sums up.
 */

import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '#src/config/config.ts'
import { documentsOf } from './operations.ts'

const FOLDER = 'TEST_COVERAGE'
const seen = new Set<string>()

export function setCoverageFolder(folder: string, env: NodeJS.ProcessEnv): void {
  env[FOLDER] = folder
}

/** Notes that an operation was seen to answer with a status. */
export function note(operation: string, status: number): void {
  const line = `${operation} ${status}`
  const folder = process.env[FOLDER]
  if (folder === undefined || seen.has(line)) return
  seen.add(line)
  appendFileSync(join(folder, `${process.pid}.txt`), `${line}\n`)
}

/**
 * Statuses that no test produces on purpose for every operation: 500 is a bug by definition; 408 is
 * a body that comes too slowly and 503 the database away, which have tests of their own.
 */
const NOT_WANTED = new Set(['408', '500', '503'])
/** At least this share of the documented statuses must have been seen, and every operation. */
const STATUSES_WANTED = 0.95

export type Coverage = { text: string; enough: boolean }

/** Every operation and status that the processes have noted in the folder, once. */
export function notedIn(folder: string): string[] {
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').split('\n'),
  )
  return [...new Set(lines)].filter((line) => line !== '').sort()
}

/** The coverage by what was noted, against all documents. An operation is seen when it succeeded. */
export function coverageOf(noted: readonly string[]): Coverage {
  const found = new Set(noted)
  const operations = documentsOf(readConfig({})).flatMap((document) => document.operations)
  const documented = operations.flatMap(({ name, responses }) =>
    Object.keys(responses)
      .filter((status) => !NOT_WANTED.has(status))
      .map((status) => `${name} ${status}`),
  )
  const unseen = operations.filter(({ name, success }) => !found.has(`${name} ${success}`))
  const missing = documented.filter((pair) => !found.has(pair))
  const share = 1 - missing.length / Math.max(1, documented.length)
  return {
    enough: unseen.length === 0 && share >= STATUSES_WANTED,
    text: [
      `operations seen to succeed: ${operations.length - unseen.length} of ${operations.length}`,
      ...unseen.map(({ name }) => `  never: ${name}`),
      `documented statuses seen: ${(share * 100).toFixed(1)} % of ${documented.length}`,
      ...missing.map((pair) => `  never: ${pair}`),
    ].join('\n'),
  }
}
