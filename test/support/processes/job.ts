/**
 * The process of some test files: node job.ts <milliseconds that a file may take> files…
 * Reports to its parent, where there is one, what begins and what ends.
 */

import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { LEFT_OUT } from './module_suite.ts'
import type { Progress, Reported } from './progress.ts'

const FILES = fileURLToPath(new URL('./job_files.ts', import.meta.url))

const report = (progress: Progress) => process.send?.(progress)

type TestEvent = { name: string; file?: string | undefined }
const reporter =
  (kind: Reported['kind']) =>
  ({ name, file }: TestEvent) =>
    report({ kind, name, file })

const leftOut = process.env['TEST_CUSTODY'] === 'module' ? LEFT_OUT.map(({ name }) => name) : []
const events = run({
  files: [FILES],
  isolation: 'none',
  timeout: Number(process.argv[2]),
  testSkipPatterns: leftOut,
})
const [known, begun, ended] = [reporter('known'), reporter('begun'), reporter('ended')]
events.on('test:enqueue', known)
events.on('test:dequeue', begun)
events.on('test:complete', ended)
events.on('test:summary', ({ success }) => {
  if (!success) process.exitCode = 1
})
events.compose(spec).pipe(process.stdout)
