/** The chain of audit records: complete, in order, and found out if it was tampered with. */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Context, transact } from '#kit/context.ts'
import { FIRST_ID } from '#kit/jobs/due_tenants.ts'
import { chances, SEED } from '#test/support/chances.ts'
import { chainAll, makeRecords, tamperings } from '#test/support/inspection/audit_log.ts'
import { launch } from '#test/support/processes/process.ts'
import { openWorld } from '#test/support/world.ts'
import { makeAnchor, readAnchor } from './anchor.ts'
import { chainSweep } from './chaining.ts'
import { verifyChains } from './verifying.ts'

const deep = process.env['TEST_DEEP'] === '1'
const RECORDS = deep ? 10_000 : 1_000
const RUNS = deep ? 50 : 2

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

/** The owner of the tables may switch their triggers off. */
const asOwner = (ctx: Context): Context => ({ ...ctx, db: world.db })

const count = async (table: 'audit_records' | 'audit_chain' | 'audit_pending') => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ${sql.table(table)}`.execute(world.db)
  return rows[0]?.count ?? 0
}

describe('tampering', async () => {
  const ctx = await world.ctx()
  const other = await world.ctx((await world.otherTenant()).id)
  for (const one of [ctx, other]) {
    await makeRecords(one, RECORDS)
    await chainAll(one)
  }
  const anchor = readAnchor(JSON.stringify(await makeAnchor(world.db)))
  const chance = chances(SEED)

  test('a log that nobody has changed verifies, also against its anchor', async () => {
    const verified = await verifyChains(world.db, { anchor })
    assert.deepEqual(verified, { chained: 2 * RECORDS, waiting: 0, faults: [] })
  })

  for (const [kind, tamper] of Object.entries(tamperings)) {
    const byAnchor = kind === 're-hash the rest' || kind === 'cut the tail'
    test(`${kind} is found${byAnchor ? ' by the anchor' : ''} (seed ${SEED})`, async () => {
      for (let run = 0; run < RUNS; run++) {
        const at = 1 + Math.floor(chance() * RECORDS)
        const undone = transact(asOwner(ctx), async (tx) => {
          await sql`set local session_replication_role = replica`.execute(tx.db)
          await tamper({
            tx,
            tenant_id: ctx.tenant_id,
            other_id: other.tenant_id,
            at,
          })
          const { faults } = await verifyChains(tx.db, byAnchor ? { anchor } : {})
          throw new Found(faults)
        })
        const { faults } = await undone.catch((error: unknown) => {
          if (error instanceof Found) return error
          throw error
        })
        assert.ok(faults.length > 0, `${kind} of record ${at} was not found`)
        const [first] = faults
        const place = kind === 're-hash the rest' ? RECORDS : kind === 'delete' ? at + 1 : at
        const near = [place, place - 1].map((one) => `record ${one} `)
        if (kind === 'insert' || (kind === 'delete' && at === RECORDS)) continue
        const subject = `${first?.subject} `
        assert.ok(
          near.some((one) => subject.startsWith(one)),
          `${kind} of ${at}: ${subject}`,
        )
      }
    })
  }
})

class Found extends Error {
  readonly faults: Awaited<ReturnType<typeof verifyChains>>['faults']
  constructor(faults: Found['faults']) {
    super('found')
    this.faults = faults
  }
}

describe('chaining', () => {
  test('processes that chain at one time make one chain without a gap', async () => {
    const ctx = await world.ctx((await world.otherTenant()).id)
    const before = await count('audit_chain')
    await Promise.all(Array.from({ length: 8 }, () => makeRecords(ctx, 300)))
    await Promise.all(Array.from({ length: 6 }, () => chainAll(ctx)))
    await chainAll(ctx)
    assert.equal((await count('audit_chain')) - before, 2_400)
    assert.equal(await count('audit_pending'), 0)
    assert.deepEqual((await verifyChains(world.db)).faults, [])
  })

  test('records between their commit and the chain are counted, and chained by the next', async () => {
    const ctx = await world.ctx((await world.otherTenant()).id)
    await makeRecords(ctx, 10)
    const killed = transact(ctx, async (tx) => {
      await chainSweep.run(tx)
      throw new Found([])
    })
    await assert.rejects(killed, Found)
    const between = await verifyChains(world.db)
    assert.deepEqual([between.waiting, between.faults], [10, []])
    assert.deepEqual(await chainSweep.dueTenants(world.db, FIRST_ID, 100), [ctx.tenant_id])
    await chainAll(ctx)
    assert.equal((await verifyChains(world.db)).waiting, 0)
  })
})

describe('tables of the audit log', () => {
  for (const table of ['audit_chain', 'audit_records']) {
    for (const [verb, statement] of [
      ['update', sql`update ${sql.table(table)} set tenant_id = tenant_id`],
      ['delete', sql`delete from ${sql.table(table)}`],
      ['truncate', sql`truncate ${sql.table(table)}`],
    ] as const) {
      test(`${verb} of ${table} is not permitted`, async () => {
        await assert.rejects(statement.execute(world.db), { code: '42501' })
      })
    }
  }
})

describe('bezant audit', () => {
  async function audit(...args: string[]) {
    const run = launch({ DATABASE_URL: world.url }, ['apps/cli/bezant.mjs', 'audit', ...args])
    run.ready.catch(() => {})
    const code = await run.ended
    return { code, lines: run.output().trimEnd().split('\n') }
  }

  test('verifies by the anchor that it has exported, and names what is wrong in one line', async () => {
    const file = join(world.config.data_dir, 'anchor.json')
    assert.equal((await audit('export', file)).code, 0)
    const whole = await audit('verify', '--anchor', file)
    assert.deepEqual([whole.code, whole.lines.at(-1)], [0, 'nothing found'])

    await transact(asOwner(await world.ctx()), async ({ db }) => {
      await sql`set local session_replication_role = replica`.execute(db)
      await sql`alter table audit_records drop constraint audit_records_operation_check`.execute(db)
      await sql`update audit_records set operation = ${'a\nnothing found\n\u001b[2K'}
        where id = (select record_id from audit_chain where tenant_id = ${world.tenant.id}
          and sequence = 3)`.execute(db)
    })
    const { code, lines } = await audit('verify', '--anchor', file)
    assert.equal(code, 1)
    assert.match(lines[0] ?? '', /^I7 {2}tenant \S+ {2}record 3 \(\S+ a\\u\{a\}nothing found/)
    assert.ok(!lines.includes('nothing found') && !lines.join().includes('\u001b'))
  })
})
