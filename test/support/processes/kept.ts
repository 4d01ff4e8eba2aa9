/**
 * The records of the last whole run of each command of tests, for the checks that need both
 * (D-987).
 */

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, type Recorded } from '../statements/folder.ts'
import { SUITES, type Suite } from './suites.ts'

export type Kept = {
  /** Operations with the statuses that they have answered. */
  noted: string[]
  /** The names of the exceptions that its statements need. */
  needed: string[]
  statements: Recorded[]
}

const fileOf = (suite: Suite): string => join(CACHE, `seen-${suite}.json`)
const COMMANDS: Record<Suite, string> = { core: 'npm test', system: 'npm run test:system' }

export function keepSeen(suite: Suite, kept: Kept): void {
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(fileOf(suite), JSON.stringify(kept))
}

/** A run that does not end leaves nothing, so that none is taken for another one. */
export const forgetSeen = (suite: Suite): void => rmSync(fileOf(suite), { force: true })

/** The records of both commands. Throws where one of them has not ended. */
export function allKept(): Kept[] {
  return SUITES.map((suite) => {
    const file = fileOf(suite)
    if (!existsSync(file)) throw new Error(`run ${COMMANDS[suite]} first, with no files named`)
    // Written by keepSeen.
    const kept: Kept = JSON.parse(readFileSync(file, 'utf8'))
    return kept
  })
}

export const allStatements = (): Recorded[] => allKept().flatMap(({ statements }) => statements)
