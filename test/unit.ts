/**
 * Tests that need no database, in one process and in some seconds: npm run test:unit. With --watch
 * they run again at each change.
 */

import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'

const PURE = [
  'src/{lib,iso8583,emv,pin,cvv,clearing}/**/*.test.ts',
  'src/**/{rules,decide}{.test.ts,/**/*.test.ts}',
  'apps/cli/**/*.test.ts',
]
/** Time of a test. */
const LONGEST_MS = 60_000
const files = globSync(PURE)
  .filter((path) => !path.endsWith('.properties.test.ts'))
  .sort()
const watch = process.argv.includes('--watch') ? ['--watch'] : []
const JOB = ['test/support/processes/job.ts', String(LONGEST_MS)]
const args = watch.length > 0 ? ['--test', ...watch, ...files] : [...JOB, ...files]
spawn(process.execPath, args, { stdio: 'inherit' }).on('exit', (code) => {
  process.exitCode = code ?? 1
})
