/** The library as npm packs it, in every runtime that it says it runs in, against the program. */

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { dataFolder, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { bundled, runAsWorker } from './bundle.ts'
import type { SuiteGiven } from './given.ts'
import { openLines } from './line.ts'
import { publish } from './published.ts'
import { ALL_REQUIRED, HOW_TO_INSTALL, runtimes } from './runtimes.ts'
import { asJavaScript, run, runSuite, writeSuite } from './suite.ts'

const keep = keeper()
const { folder, library } = keep(publish())
const suite = writeSuite(folder, library)
const demo = join(folder, 'demo.js')
writeFileSync(demo, asJavaScript(readFileSync('examples/client/demo.ts', 'utf8')))
const { installed, missing } = runtimes()
const DATA_DIR = dataFolder()

let given: SuiteGiven
before(async () => {
  const database = await createTestDatabase()
  keep({ close: () => database.drop() })
  const program = launch({ DATA_DIR, DATABASE_URL: database.url })
  keep({
    async close() {
      program.kill('SIGTERM')
      await program.ended
    },
  })
  await program.ready
  const { base_url, operator_key } = sandboxIn(DATA_DIR)
  const lines = keep(await openLines(base_url))
  given = { base_url, operator_key, line_url: lines.url }
})

for (const name of missing) {
  const skip = ALL_REQUIRED ? false : `it is not installed: ${HOW_TO_INSTALL}`
  test(`${name} runs the tests of the library`, { skip }, () => {
    assert.fail(`it is not installed: ${HOW_TO_INSTALL}`)
  })
}

/** Names of the tests in this Node; no other runtime may leave one out. */
let names: string[] = []

for (const runtime of installed) {
  test(`${runtime.name} runs the tests of the library`, async (t) => {
    const results = await runSuite(runtime, suite, given)
    if (names.length === 0) names = results.map(({ name }) => name)
    for (const { name, fault } of results) {
      await t.test(name, () => {
        if (fault !== null) assert.fail(fault)
      })
    }
    assert.ok(names.length > 50, `${names.length} tests`)
    assert.deepEqual(
      results.map(({ name }) => name),
      names,
    )
  })

  test(`${runtime.name} runs the demo`, async () => {
    const { stdout } = await run(runtime, demo, { DATA_DIR })
    assert.match(stdout, /captured: balance 379\.5, held 0\nrefunded: balance 399\.75, held 0/)
    assert.match(stdout, /declined: \d{4} by funds: available 39975/)
    assert.match(stdout, /received ORDER_REFUNDED/)
  })
}

test('a worker, which has nothing of Node, runs the bundled library', async () => {
  const found = await runAsWorker(await bundled(folder), sandboxIn(DATA_DIR))
  assert.deepEqual(found, ['Edge', true, 401])
})
