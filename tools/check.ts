/** npm run check: everything that can be told of the tree without running the program. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process'

const node = process.execPath
const bin = (path: string) => `node_modules/${path}`

/** The house's rules and the freshness of what is generated are tests, so that npm test has them. */
const steps: readonly [name: string, words: readonly string[]][] = [
  [
    'format and lint',
    [bin('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '--error-on-warnings', '.'],
  ],
  ['lint by types', [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']],
  ['types', [bin('ts7/bin/tsc'), '-p', '.']],
  ['unused code and dependencies', [bin('knip/bin/knip.js'), '--no-config-hints']],
  ['rules of the house', ['test/run.ts', 'test/tidy.test.ts']],
  ['generated documents', ['test/run.ts', 'test/contract/fresh.test.ts']],
  ['OpenAPI documents', ['tools/check_openapi.ts']],
]

const failed = steps.filter(([name, words]) => !passes(name, words)).map(([name]) => name)
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`)
  process.exitCode = 1
} else console.log('\neverything is as it should be')

function passes(name: string, words: readonly string[]): boolean {
  const begun = performance.now()
  const { status, stdout, stderr, error } = run(words)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  if (status !== 0) console.log(error?.message ?? `${stdout}${stderr}`)
  return status === 0
}

function run(words: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(node, words, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}
