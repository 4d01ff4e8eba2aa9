/**
 * Loads the test files of job.ts, each as a test of its own: when its tests have ended, what it
 * opened is closed and the next file is loaded. So a hook of a file is of this file alone, and no
 * world is open while the tests of other files run.
 */

import { resolve } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { forAllFiles, killRunning } from './kept_things.ts'
import type { Progress } from './progress.ts'

// Chance is the same in every run but a deep one: also in properties that name no seed.
const { SEED } = process.env
if (SEED !== undefined) fc.configureGlobal({ seed: Number(SEED) })

after(() => forAllFiles.disposeAsync())

const report = (progress: Progress) => process.send?.(progress)

for (const file of process.argv.slice(3)) {
  test(file, async (t) => {
    report({ kind: 'loading', file })
    t.after(killRunning)
    const loading = import(pathToFileURL(resolve(file)).href)
    // A test may use what its file makes below it, and begins when the whole file is there.
    const loaded = loading.then(
      () => {},
      () => {},
    )
    t.beforeEach(() => loaded)
    await loading.finally(() => report({ kind: 'loaded', file }))
  })
}
