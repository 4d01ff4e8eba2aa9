/** The list of `npm run test:citus -- … --all`, which no other run makes. */

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { filesOnClusters, LEFT_OUT } from './files.ts'

test('files that use the tests’ database run on a cluster, others and those left out do not', () => {
  const files = filesOnClusters()
  assert.ok(files.includes('src/issuing/ledger/ledger.test.ts'))
  assert.ok(files.includes('test/e2e/orders.test.ts'))
  assert.equal(files.includes('src/issuing/limits/rules.test.ts'), false)
  for (const file of Object.keys(LEFT_OUT)) {
    assert.ok(existsSync(file), file)
    assert.equal(files.includes(file), false)
  }
})
