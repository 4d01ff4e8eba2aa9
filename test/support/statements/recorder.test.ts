/** Records of a run about the program's statements: their texts and places, and no values. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import { lockNames } from '#kit/db/locks.ts'
import { openWorld } from '#test/support/world.ts'
import { folderOf, readRecorded, statementsIn } from './folder.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const folder = folderOf(process.env) ?? ''
const ctx = await world.ctx()
const SECRET = 'the name of a lock that no other test takes'

test('a statement is recorded once, with the line that sends it, and without its values', async () => {
  await transact(ctx, (tx) => lockNames(tx, [SECRET]))
  await transact(ctx, (tx) => lockNames(tx, [SECRET]))
  const file = join(folder, `${process.pid}.jsonl`)
  const found = readRecorded(file).filter(({ text }) => text.includes('insert into locks'))
  assert.equal(found.length, 1)
  const [one] = found
  assert.match(one?.site ?? '', /^src\/kit\/db\/locks\.ts:\d+$/)
  assert.equal(one?.by, 'lockNames')
  assert.deepEqual(one?.kinds, ['braced', 'string'])
  assert.ok(!readFileSync(file, 'utf8').includes(SECRET))
})

test('a statement of a test is not, and one of both is of the program', async () => {
  await sql`select 'of a test' as text, ${SECRET}::text as value`.execute(ctx.db)
  assert.ok(!statementsIn(folder).some(({ text }) => text.includes('of a test')))
})
