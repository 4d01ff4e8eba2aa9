/** A database that a release has made keeps its migrations: a later one only adds files. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { presentMigrations, readFrozen } from './frozen.ts'

const REMEDY =
  'a release has this migration, and databases have applied it: restore its text, and make the ' +
  'change in a new file with a later number (docs/operating.md, "Writing one")'

const frozen = readFrozen()
const present = new Map(presentMigrations().map(({ name, sha256 }) => [name, sha256]))

test('no migration of a release is edited, renamed or removed', () => {
  for (const [name, sha256] of Object.entries(frozen)) {
    assert.equal(present.get(name), sha256, `migrations/${name}: ${REMEDY}`)
  }
})

test('a migration after a release has a later number than all of it', () => {
  const last = Object.keys(frozen).at(-1) ?? ''
  assert.notEqual(last, '')
  const added = [...present.keys()].filter((name) => frozen[name] === undefined)
  for (const name of added) {
    assert.ok(name > last, `migrations/${name}: give it a number after that of ${last}`)
  }
})
