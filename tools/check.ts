/** npm run check: every check of the tree that does not run the program. */

import { type SpawnSyncReturns, spawnSync } from 'node:child_process'

const node = process.execPath
const bin = (path: string) => `node_modules/${path}`

/**
 * The rules of STYLE.md and the generated files are checked by tests, so npm test runs them too.
 */
const steps: readonly [name: string, args: readonly string[]][] = [
  [
    'format and lint',
    [bin('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '--error-on-warnings', '.'],
  ],
  ['lint by types', [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']],
  ['types', [bin('ts7/bin/tsc'), '-p', '.']],
  ['types that the console is made of', ['apps/console/build.ts', '--types']],
  ['types of the console', [bin('ts7/bin/tsc'), '-p', 'apps/console', '--noEmit']],
  ['types of the client library', [bin('ts7/bin/tsc'), '-p', 'packages/client', '--noEmit']],
  ['unused code and dependencies', [bin('knip/bin/knip.js'), '--no-config-hints']],
  ['rules of STYLE.md', ['test/run.ts', 'test/tidy.test.ts']],
  ['generated files', ['test/run.ts', 'test/contract/fresh.test.ts']],
  ['OpenAPI documents', ['tools/check_openapi.ts']],
]

const failed = steps.filter(([name, args]) => !passes(name, args)).map(([name]) => name)
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`)
  process.exitCode = 1
} else console.log('\neverything passed')

function passes(name: string, args: readonly string[]): boolean {
  const begun = performance.now()
  const { status, stdout, stderr, error } = run(args)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  if (status !== 0) console.log(error?.message ?? `${stdout}${stderr}`)
  return status === 0
}

function run(args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(node, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}
