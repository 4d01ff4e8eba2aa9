/** The partitioned tables of the schema, and how statements find rows in them. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { MONTHS_AHEAD, monthOf, startOf } from '#kit/db/partitions/partition_months.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { TENANT_SETTING } from '#kit/db/security/tenants_seen.ts'
import { firstIdAt } from '#lib/id.ts'
import { partitioned } from '#src/program/partitioned.ts'
import { isSpread } from '#test/support/cluster/forms.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'

const TENANT = '0197dddd-0000-7000-8000-00000000000a'
const CARD = '0197dddd-0000-7000-8000-00000000000b'
const ROWS_OF_LEAF = 2_000
/** A prepared statement settles on one plan for all values after this many runs. */
const RUNS = 7

const database = await createTestDatabase()
const client = new pg.Client(database.url)
const transactions = partitioned.find(({ table }) => table === 'transactions')
assert.ok(transactions)
const month = monthOf(transactions, new Date())
/** The prefix of the ids of each leaf. */
const prefixes = Array.from({ length: MONTHS_AHEAD + 1 }, (_leaf, at) =>
  firstIdAt(startOf(transactions, month + at).getTime()).slice(0, 13),
)
const idOf = (leaf: number, row: number) =>
  `${prefixes[leaf]}-7000-8000-${String(row).padStart(12, '0')}`

before(async () => {
  await client.connect()
  for (const prefix of prefixes) {
    const id = `('${prefix}-7000-8000-' || lpad(n::text, 12, '0'))::uuid`
    await client.query(`
      insert into transactions (tenant_id, id, card_id, transaction_type, status, status_code,
        amount, currency, rrn, message_key, sequence, details, created)
      select '${TENANT}', ${id}, '${CARD}', 'PURCHASE', 'SETTLED', '0000', 100, 'AED',
        'R' || n, 'K' || n, 1, '{}', now() from generate_series(1, ${ROWS_OF_LEAF}) n`)
  }
  await client.query(`
    insert into network_messages (tenant_id, key, mti, answer, created)
    select '${TENANT}', 'K' || n, '0100', 'null', now() + n * interval '1 hour'
    from generate_series(-700, 2000) n`)
  await client.query('vacuum analyze transactions, network_messages')
  // The role is that of the program, whose statements have the condition of row security too.
  await client.query(`set role ${USUAL_ROLE}; set ${TENANT_SETTING} = '${TENANT}'`)
})
after(async () => {
  await client.end()
  await database.drop()
})

type Node = {
  'Relation Name'?: string
  'Actual Loops': number
  'Actual Rows': number
  Plans?: Node[]
}

/** The partitions that a statement reads, with the rows read of each. */
function scansOf(node: Node): [leaf: string, rows: number][] {
  const own = node['Relation Name']
  const rows = node['Actual Loops'] * node['Actual Rows']
  const below = (node.Plans ?? []).flatMap(scansOf)
  return own !== undefined && node['Actual Loops'] > 0 ? [[own, rows], ...below] : below
}

/** Runs it as a prepared statement with these values, and on one plan for all values. */
async function scans(statement: string, values: readonly string[]) {
  const found: [leaf: string, rows: number][][] = []
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    await client.query(`set plan_cache_mode = ${mode}`)
    await client.query(`prepare asked as ${statement}`)
    const literals = values.map((value) => client.escapeLiteral(value)).join(', ')
    for (let run = 1; run <= RUNS; run++) {
      const { rows } = await client.query(
        `explain (analyze, format json) execute asked (${literals})`,
      )
      found.push(scansOf(rows[0]['QUERY PLAN'][0].Plan))
    }
    await client.query('deallocate asked')
  }
  return found
}

test('every partitioned table is listed with the column of its partitioning', async () => {
  const { rows } = await client.query<{ table: string; range: string }>(
    `select relname as table, pg_get_partkeydef(oid) as range from pg_class
     where relkind = 'p' order by 1`,
  )
  const listed = partitioned.filter(({ table }) => rows.some((row) => row.table === table))
  assert.deepEqual(
    rows,
    listed
      .map(({ table, by }) => ({ table, range: `RANGE (${by})` }))
      .toSorted((one, other) => (one.table < other.table ? -1 : 1)),
  )
})

test('no instant is the end of a month of both transactions and messages', () => {
  const begins = new Set(
    ['transactions', 'network_messages'].map(
      (name) => partitioned.find(({ table }) => table === name)?.begins,
    ),
  )
  assert.equal(begins.size, 2)
})

/** A cluster shows the plan of one shard, and makes none for all values. */
const plans = { skip: (await isSpread(database.url)) && 'plans are those of one server' }
describe('a statement on a partitioned table', plans, () => {
  test('that names a transaction reads one partition', async () => {
    const byId = 'select * from transactions where tenant_id = $1 and id = $2'
    for (const found of await scans(byId, [TENANT, idOf(1, 500)])) {
      assert.deepEqual(
        found.map(([, rows]) => rows),
        [1],
      )
    }
  })

  test('that names transactions one by one reads the partition of each', async () => {
    const byIds = `select t.id from unnest($2::uuid[]) as given (id) cross join lateral (
      select * from transactions where tenant_id = $1 and id = given.id limit 1) t`
    const ids = `{${idOf(1, 500)},${idOf(1, 600)}}`
    for (const found of await scans(byIds, [TENANT, ids])) {
      assert.deepEqual(
        found.map(([, rows]) => rows),
        [2],
      )
    }
  })

  test('that lists the newest stops after a page', async () => {
    const statements = [
      'select * from transactions where tenant_id = $1 order by id desc limit 50',
      `select * from transactions t where tenant_id = $1 and card_id = '${CARD}'
       order by id desc limit 50`,
    ]
    for (const statement of statements) {
      for (const found of await scans(statement, [TENANT])) {
        assert.deepEqual(
          found.map(([, rows]) => rows),
          [50],
        )
      }
    }
  })

  test('that lists what follows a cursor reads no partition after it', async () => {
    const page = `select * from transactions
      where tenant_id = $1 and id < $2 order by id desc limit 50`
    for (const found of await scans(page, [TENANT, idOf(1, 25)])) {
      assert.deepEqual(
        found.map(([, rows]) => rows),
        [24, 26],
      )
    }
  })

  test('that finds messages by key reads those of the last 31 days alone', async () => {
    const byKey = `select * from network_messages where tenant_id = $1 and key = any ($2::text[])
      and created >= date_trunc('milliseconds', statement_timestamp()) - interval '31 days'
      and created < date_trunc('milliseconds', statement_timestamp()) + interval '1 day'`
    for (const found of await scans(byKey, [TENANT, '{K-1,K2000}'])) {
      assert.ok(found.length <= 3, JSON.stringify(found))
      assert.equal(
        found.reduce((sum, [, rows]) => sum + rows, 0),
        1,
      )
    }
  })
})
