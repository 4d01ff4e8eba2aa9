/** npm run check: every check of the tree that does not run the program. */

import { execFile } from 'node:child_process'

const bin = (path: string) => `node_modules/${path}`

type Step = readonly [name: string, args: readonly string[]]

/**
 * Two run at one time. The rules of STYLE.md and the generated files are checked by tests, so npm
 * test runs them too.
 */
const steps: readonly Step[] = [
  ['types', [bin('ts7/bin/tsc'), '-p', '.']],
  ['types of the console', [bin('ts7/bin/tsc'), '-p', 'apps/console', '--noEmit']],
  ['lint by types', [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']],
  ['OpenAPI documents', ['tools/check_openapi.ts']],
  ['generated files', ['test/run.ts', 'test/contract/fresh.test.ts']],
  ['expressions on text from outside', ['test/run.ts', 'test/contract/expressions.test.ts']],
  ['rules of STYLE.md', ['test/run.ts', 'test/tidy.test.ts']],
  [
    'format and lint',
    [bin('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '--error-on-warnings', '.'],
  ],
  ['unused code and dependencies', [bin('knip/bin/knip.js'), '--no-config-hints']],
  ['types of the client library', [bin('ts7/bin/tsc'), '-p', 'packages/client', '--noEmit']],
]
const CONCURRENCY = 2

const left = [...steps]
const failed: string[] = []
await Promise.all(Array.from({ length: CONCURRENCY }, work))
if (failed.length > 0) {
  console.error(`\nfailed: ${failed.join(', ')}`)
  process.exitCode = 1
} else console.log('\neverything passed')

async function work(): Promise<void> {
  for (let step = left.shift(); step; step = left.shift()) {
    const [name, args] = step
    if (!(await passes(name, args))) failed.push(name)
  }
}

async function passes(name: string, args: readonly string[]): Promise<boolean> {
  const begun = performance.now()
  const { isGood, output } = await run(args)
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`${isGood ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`)
  if (!isGood) console.log(output)
  return isGood
}

function run(args: readonly string[]): Promise<{ isGood: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}` || (error?.message ?? '')
      resolve({ isGood: error === null, output })
    })
  })
}
