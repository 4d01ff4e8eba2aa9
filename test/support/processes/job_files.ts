/**
 * Loads the test files of job.ts. The runner of Node drops the error of a file that has defined a
 * test before it failed, and runs what it has: here such a file is a test that fails.
 */

import { resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import type { Progress } from './progress.ts'

// Chance is the same in every run but a deep one: also in properties that name no seed.
const { SEED } = process.env
if (SEED !== undefined) fc.configureGlobal({ seed: Number(SEED) })

for (const file of process.argv.slice(3)) {
  process.send?.({ kind: 'loading', file } satisfies Progress)
  try {
    await import(pathToFileURL(resolve(file)).href)
  } catch (error) {
    test(`${file} loads`, () => {
      throw error
    })
  }
  process.send?.({ kind: 'loaded', file } satisfies Progress)
}
