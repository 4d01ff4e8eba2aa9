/** Generated files equal those that the present sources generate. */

import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { createTestDatabase, onServer, type TestDatabase } from '#test/support/processes/server.ts'
import { GENERATED_CLIENT } from '../../tools/client/client_files.ts'
import { type Generated, generatedFiles } from '../../tools/generated.ts'

let database: TestDatabase
let generated: Generated[]

before(async () => {
  database = await createTestDatabase()
  generated = await onServer(database.url, generatedFiles)
})
after(() => database.drop())

test('every generated file is as `npm run generate` would write it now', () => {
  const stale = generated
    .filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
    .map(({ path }) => path)
  assert.deepEqual(stale, [], `stale: ${stale.join(', ')}. Run: npm run generate`)
})

test('no folder of generated files has one that is no longer made', () => {
  const made = new Set(generated.map(({ path }) => path))
  const found = globSync(`${GENERATED_CLIENT}/**/*.ts`)
  assert.ok(found.length > 0)
  const left = found.filter((path) => !made.has(path))
  assert.deepEqual(left, [], `delete: ${left.join(', ')}`)
})
