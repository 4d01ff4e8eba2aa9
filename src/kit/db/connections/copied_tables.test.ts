/** Which statements wait for their turn because every node of a cluster has a copy of the table. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CopiedTables } from './copied_tables.ts'

const copied = new CopiedTables(['tenants', 'merchants', 'portal_sessions'])

const LOCKING = [
  'insert into "merchants" ("id") values ($1) on conflict ("id") do nothing',
  'update "merchants" set "name" = $1 where "id" = $2',
  'update portal_sessions set last_used = $1 where id in (select id from portal_sessions)',
  'delete from "portal_sessions" where "id" = $1',
  'with old as (delete from portal_sessions where true) insert into cards (id) values ($1)',
  'select * from "tenants" where "id" = $1 for no key update',
  'select m.id from orders o join merchants m on m.id = o.merchant_id for share',
]
for (const text of LOCKING) {
  test(`it waits: ${text}`, () => {
    assert.equal(copied.isLockedBy(text), true)
    assert.equal(copied.isLockedBy(text), true, 'again')
  })
}

const FREE = [
  'select * from "merchants" where "id" = $1',
  'insert into cards (id) select $1 from merchants',
  'select * from cards where id = $1 for update skip locked',
  'insert into merchants_of_cards (id) values ($1) on conflict (id) do update set a = 1',
]
for (const text of FREE) {
  test(`it does not: ${text}`, () => {
    assert.equal(copied.isLockedBy(text), false)
  })
}

test('on one server, and on a cluster without the table that all line up at, none waits', () => {
  for (const names of [[], ['merchants']]) {
    assert.equal(new CopiedTables(names).isLockedBy('delete from merchants'), false)
  }
})
