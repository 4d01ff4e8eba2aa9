/**
 * The codes of errors by which the program goes on are those of PostgreSQL, at the node of the
 * tenant and by way of another server (D-690).
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { hasCode } from '#kit/start_error.ts'
import { newId } from '#lib/id.ts'
import { openWorld } from '#test/support/world.ts'
import { expectRows } from './conflict.ts'
import { type Db, openDatabase } from './database.ts'
import { USUAL_ROLE } from './security/program_role.ts'

const world = await openWorld()
const { db, batches, close } = openDatabase(world.url, 4, { role: USUAL_ROLE })
after(async () => {
  await close()
  await world[Symbol.asyncDispose]()
})
const tenant_id = world.tenant.id

const insert = (on: Db, name: string) =>
  sql`insert into locks (tenant_id, name) values (${tenant_id}, ${name})`.execute(on)
const lock = (on: Db, name: string) =>
  sql`select from locks where tenant_id = ${tenant_id} and name = ${name} for update`.execute(on)

async function codeOfError(work: () => Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(work(), (error) => {
    assert.ok(hasCode(error, code), `${code} is expected: ${error}`)
    return true
  })
}

const ways = [
  ['at the node of the tenant', (of: Db) => of.forTenant(tenant_id)],
  ['by way of the server of DATABASE_URL', (of: Db) => of.overAllTenants()],
] as const
for (const [way, by] of ways) {
  const program = by(db)
  describe(`an error ${way} has its code:`, () => {
    test('a key that is taken, alone and within a transaction', async () => {
      const name = newId()
      await insert(program, name)
      await codeOfError(() => insert(program, name), '23505')
      const within = (on: Db) => Promise.all([insert(on, newId()), insert(on, name)])
      await codeOfError(() => program.runTransaction(within), '23505')
    })

    test('a row that was changed', async () => {
      const changes = sql`update locks set name = name
        where tenant_id = ${tenant_id} and name = 'none' returning 1`
      await codeOfError(() => expectRows(changes, 1).execute(program), '22012')
    })

    test('a check', async () => {
      const counted = sql`insert into counters (tenant_id, name, value)
        values (${tenant_id}, ${newId()}, 0)`
      await codeOfError(() => counted.execute(program), '23514')
    })

    test('a cycle of locks', async () => {
      const names = [newId(), newId()] as const
      for (const name of names) await insert(program, name)
      const both = Promise.withResolvers<void>()
      let holding = 0
      const run = (first: string, second: string) =>
        program.runTransaction(async (on) => {
          await lock(on, first)
          holding += 1
          if (holding === 2) both.resolve()
          await both.promise
          await lock(on, second)
        })
      // A transaction is repeated after it; here a second time.
      await Promise.all([run(names[0], names[1]), run(names[1], names[0])])
      assert.ok(holding > 2)
    })

    test('a lock over the time of batches', async () => {
      const name = newId()
      await insert(program, name)
      await program.runTransaction(async (on) => {
        await lock(on, name)
        await codeOfError(() => lock(by(batches), name), '55P03')
      })
    })
  })
}
