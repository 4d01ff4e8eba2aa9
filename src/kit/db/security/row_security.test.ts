/** Row security of the whole schema, on a database in which every table has rows of two tenants. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { codeOf } from '#kit/start_error.ts'
import { newId } from '#lib/id.ts'
import { chances, SEED } from '#test/support/chances.ts'
import { isSpread } from '#test/support/cluster/forms.ts'
import { createTestDatabase, onServer } from '#test/support/processes/server.ts'
import { openDatabase } from '../database.ts'
import { APPEND_ONLY_TABLES } from './append_only.ts'
import { asRole, prepareRole, USUAL_ROLE } from './program_role.ts'
import { listOpenRows, secureRows } from './row_security.ts'
import { beginning, stating } from './tenants_seen.ts'

const QUERIES = process.env['TEST_DEEP'] === '1' ? 10_000 : 1_000
/** Some tables have one row a tenant. */
const ROWS = 1
const TENANTS = [newId(), newId()] as const

const database = await createTestDatabase()
const owner = new pg.Client(database.url)
const options = `${asRole(USUAL_ROLE)} -c citus.propagate_set_commands=local`
const program = new pg.Client({ connectionString: database.url, options })
const isCluster = await isSpread(database.url)
let tables: string[] = []
before(async () => {
  await Promise.all([owner.connect(), program.connect()])
  tables = await tablesOfTenants()
  await dropConstraints()
  for (const table of tables) await fill(table)
})
after(async () => {
  await Promise.all([owner.end(), program.end()])
  await database.drop()
})

async function tablesOfTenants(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(`
    select n.nspname || '.' || c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  return rows.map(({ name }) => name)
}

/** Rows of any values are enough here. */
async function dropConstraints(): Promise<void> {
  const { rows } = await owner.query<{ text: string }>(`
    select format('alter table %s drop constraint if exists %I', conrelid::regclass, conname) as text
    from pg_constraint where conrelid <> 0 and contype in ('c', 'f') and coninhcount = 0
      and connamespace::regnamespace::text in ('public', 'vault', 'merchant_vault')`)
  for (const { text } of rows) await owner.query(text)
}

/** Ids begin with zeros, so that they are in the first partition. */
const VALUES: Readonly<Record<string, string>> = {
  uuid: `('00000000' || substr(gen_random_uuid()::text, 9))::uuid`,
  bytea: `decode(md5(random()::text), 'hex')`,
  timestamptz: 'now()',
  date: 'now()',
  xid8: `'1'`,
  json: `'{}'`,
  jsonb: `'{}'`,
  bool: 'true',
}

async function fill(table: string): Promise<void> {
  const { rows } = await owner.query<{ name: string; type: string }>(
    `select quote_ident(a.attname) as name, t.typname as type
     from pg_attribute a join pg_type t on t.oid = a.atttypid
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
       and a.attgenerated = '' and a.attname <> 'tenant_id'
       and (a.attnotnull or a.attname = 'id') and not a.atthasdef`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  const values = rows.map(({ type }) => valueFor(type))
  for (const tenant_id of TENANTS) {
    await owner.query(`insert into ${table} (${['tenant_id', ...names].join(', ')})
      values (${[`'${tenant_id}'`, ...values].join(', ')})`)
  }
}

function valueFor(type: string): string {
  if (type.startsWith('_')) return `'{}'`
  if (/^(int|float|numeric)/.test(type)) return '(random() * 30000)::int'
  return VALUES[type] ?? 'substr(md5(random()::text), 1, 8)'
}

/** The rows that one statement returns to the program, which then rolls back. */
async function seenBy(setting: string, statement: string): Promise<{ tenant_id: string | null }[]> {
  await program.query('begin')
  try {
    await program.query(setting)
    return (await program.query(statement)).rows
  } finally {
    await program.query('rollback')
  }
}

/** On a cluster the owner is not under it, since a shard could not be moved then (D-648). */
test('every table of tenants and every view is closed, for the owner too', async () => {
  assert.deepEqual(await listOpenRows(owner, USUAL_ROLE), [])
  const { rows } = await owner.query(`
    select c.relname from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
    where c.relkind in ('r', 'p') and not (c.relrowsecurity and c.relforcerowsecurity = ${!isCluster}
      and exists (
      select from pg_policy p where p.polrelid = c.oid and p.polcmd = '*'
        and p.polqual is not null and p.polwithcheck is not null))`)
  assert.deepEqual(rows, [])
  assert.ok(tables.length > 40)
})

describe('the guard finds', () => {
  const plants: Record<string, [plant: string, found: RegExp]> = {
    'a table without a policy': [
      'create table planted (tenant_id uuid)',
      /public.planted has no row security/,
    ],
    'a table whose owner sees all, or that cannot be moved': [
      `alter table cards ${isCluster ? '' : 'no'} force row level security`,
      isCluster ? /public.cards forces row security/ : /public.cards has no row security/,
    ],
    'a partition without a policy': [
      `do $$ begin execute 'alter table ' || (select inhrelid::regclass from pg_inherits
        where inhparent = 'events'::regclass limit 1) || ' disable row level security'; end $$`,
      /public.events_\d+_\d+ has no row security/,
    ],
    'a table with another policy': [
      'create policy planted on cards using (true)',
      /public.cards has another policy, planted/,
    ],
    'a policy for shared rows that shares more': [
      'create policy rows_of_all on cards for select using (true)',
      /public.cards has another policy/,
    ],
    'a policy of other text': [
      'alter policy rows_of_tenant on cards with check (true)',
      /public.cards has no policy/,
    ],
    'the policy of an earlier version': [
      isCluster
        ? `alter policy rows_of_tenant on cards
            using (tenant_id::text = current_setting('bezant.tenant', true))`
        : `alter policy rows_of_tenant on cards using (tenant_id = (select case
            when current_setting('bezant.tenant', true)
              ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
            then current_setting('bezant.tenant', true)::uuid end as stated)
            or (select current_setting('bezant.tenant', true) = '*' as stated))`,
      /public.cards has no policy/,
    ],
    'a view with the rights of its owner': [
      'create view planted as select 1 as one',
      /the view public.planted/,
    ],
    'a stored view of rows of tenants': [
      'create materialized view planted as select tenant_id from cards',
      /public.planted has rows/,
    ],
    'a role that passes by row security': [
      `alter role ${USUAL_ROLE} bypassrls`,
      /bezant_program has BYPASSRLS/,
    ],
    'a role with the rights of the owner': [
      `do $$ begin execute 'grant ' || quote_ident(current_user) || ' to ${USUAL_ROLE}'; end $$`,
      /rights of an owner/,
    ],
  }
  for (const [what, [plant, found]] of Object.entries(plants)) {
    test(what, async () => {
      await owner.query('begin')
      await owner.query(plant)
      const open = await listOpenRows(owner, USUAL_ROLE)
      await owner.query('rollback')
      assert.equal(open.length, 1, open.join('\n'))
      assert.match(open[0] ?? '', found)
    })
  }

  test('what is missing, and the next start closes it', async () => {
    await owner.query('create table planted (tenant_id uuid, note text)')
    await owner.query('create view planted_view as select note from planted')
    assert.equal((await listOpenRows(owner, USUAL_ROLE)).length, 2)
    await secureRows(owner)
    await prepareRole(owner, USUAL_ROLE)
    assert.deepEqual(await listOpenRows(owner, USUAL_ROLE), [])
    await owner.query('insert into planted values ($1, $2)', [TENANTS[0], 'one'])
    for (const [at, tenant_id] of TENANTS.entries()) {
      const seen = await seenBy(stating(tenant_id), 'select * from planted_view')
      assert.equal(seen.length, at === 0 ? 1 : 0)
    }
    await owner.query('drop view planted_view; drop table planted')
  })
})

test(`${QUERIES} random statements see only rows of the stated tenant (SEED=${SEED})`, async () => {
  const chance = chances(SEED)
  const one = <Item>(of: readonly Item[]): Item => of[Math.floor(chance() * of.length)] as Item
  // The others are refused: the program's role only adds to them.
  const changeable = tables.filter(
    (table) => !APPEND_ONLY_TABLES.some((name) => table.endsWith(name)),
  )
  const shapes: ((table: string, other: string) => string)[] = [
    (table) => `select tenant_id from ${table}`,
    (table) => `select tenant_id from ${table} where tenant_id = '${one(TENANTS)}'`,
    (table) => `select tenant_id from ${table} where random() >= 0 or tenant_id is null`,
    (table, other) => `select a.tenant_id from ${table} a cross join ${other} b`,
    (table, other) => `select b.tenant_id from ${table} a join ${other} b using (tenant_id)`,
    (table, other) => `select tenant_id from ${table} union all select tenant_id from ${other}`,
    (table, other) => `select tenant_id from ${table} where exists (select from ${other})`,
    (table, other) =>
      `select l.tenant_id from ${table} a, lateral (select * from ${other} limit 1) l`,
    (table) => `with x as materialized (select * from ${table}) select tenant_id from x`,
    () => `update ${one(changeable)} set tenant_id = tenant_id returning tenant_id`,
    () => `delete from ${one(changeable)} returning tenant_id`,
  ]
  const nobody = [
    'select',
    `set local bezant.tenant = ''`,
    `set local bezant.tenant = 'x'`,
    // As PostgreSQL does not write it; the program states it in small letters.
    `set local bezant.tenant = '${TENANTS[0].toUpperCase()}'`,
    // Its cast would fail.
    `set local bezant.tenant = '--------${TENANTS[0].slice(8)}'`,
    `set local bezant.tenant = '${TENANTS[0].replaceAll('-', 'a')}'`,
    `set local bezant.tenant = 'g${TENANTS[0].slice(1)}'`,
    `set local bezant.tenant = '${TENANTS[0]}-'`,
    stating(newId()),
  ]
  let refused = 0
  for (let at = 0; at < QUERIES; at += 1) {
    const stated = one([...TENANTS, undefined])
    const setting = stated === undefined ? one(nobody) : stating(stated)
    const statement = one(shapes)(one(tables), one(tables))
    const rows = await seenBy(setting, statement).catch((error: unknown) => {
      // A cluster takes no join of tables over all tenants, and not every subquery (42601).
      if (!isCluster || !['0A000', '42601'].includes(codeOf(error) ?? '')) throw error
      refused += 1
      return []
    })
    const foreign = rows.filter(({ tenant_id }) => tenant_id !== stated)
    assert.deepEqual(foreign, [], `${setting}; ${statement}`)
  }
  assert.ok(refused < QUERIES / 2, `${refused} statements were refused`)
})

test('every table has rows of the stated tenant, and those of all where all are stated', async () => {
  for (const table of tables) {
    for (const [setting, count] of [
      [stating(TENANTS[0]), ROWS],
      [stating('*'), 2 * ROWS],
    ] as const) {
      const rows = await seenBy(setting, `select tenant_id from ${table}`)
      const ofTenants = rows.filter(({ tenant_id }) => tenant_id !== NO_TENANT)
      assert.equal(ofTenants.length, count, table)
    }
  }
})

test('no row is written or moved into another tenant', async () => {
  const [mine, other] = TENANTS
  const insert = `insert into loose_blobs values ('${other}', 'planted', now())`
  const move = `update loose_blobs set tenant_id = '${other}'`
  await assert.rejects(seenBy(stating(mine), insert), { code: '42501' })
  await assert.rejects(seenBy(stating(mine), move), { code: isCluster ? '0A000' : '42501' })
  await assert.rejects(seenBy('select', insert), { code: '42501' })
})

test('rates of all tenants are read by each and changed by none', async () => {
  await owner.query(`insert into rates values (gen_random_uuid(), null, 'AED', 'USD', '1', now())`)
  const [mine] = TENANTS
  assert.equal((await seenBy(stating(mine), 'select * from rates')).length, ROWS + 1)
  const deleted = await seenBy(stating(mine), 'delete from rates returning tenant_id')
  assert.deepEqual(deleted, Array(ROWS).fill({ tenant_id: mine }))
})

test('the role has no right that the program does not need', async () => {
  const { rows } = await owner.query(
    'select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname = $1',
    [USUAL_ROLE],
  )
  assert.deepEqual(Object.values(rows[0]), [false, false, false, false])
  const partition = await owner.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits
     where inhparent = 'events'::regclass limit 1`,
  )
  for (const statement of [
    'truncate loose_blobs',
    'drop table loose_blobs',
    'alter table loose_blobs disable row level security',
    'create table planted (id int)',
    "update installation set mode = 'live'",
    'delete from schema_migrations',
    `select * from ${partition.rows[0]?.name}`,
  ]) {
    await assert.rejects(seenBy(stating(TENANTS[0]), statement), { code: '42501' }, statement)
  }
})

test('tenants alternate on one connection, whatever ended the work before', async () => {
  const { db, close } = openDatabase(database.url, 1, { role: USUAL_ROLE })
  const [first, second] = TENANTS.map((id) => db.forTenant(id))
  assert.ok(first && second)
  const seen = async (by: typeof db) => {
    const rows = await by.selectFrom('loose_blobs').select('tenant_id').execute()
    return [...new Set(rows.map(({ tenant_id }) => tenant_id))]
  }
  const fail = async (by: typeof db) =>
    void (await by
      .selectFrom('cards')
      .select('x' as 'id')
      .execute())
  const cancel = async (by: typeof db) =>
    void (await sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)`.execute(by))
  const ends = [
    async () => {},
    () => assert.rejects(fail(first)),
    () => assert.rejects(first.runTransaction(fail)),
    () => assert.rejects(first.runSession(fail)),
    () => assert.rejects(cancel(first)),
    () => assert.rejects(first.runTransaction(cancel)),
    () => first.runTransaction(async (tx) => void (await seen(tx.overAllTenants()))),
    () => first.runSession(seen),
  ]
  try {
    for (const end of ends) {
      assert.deepEqual(await seen(first), [TENANTS[0]])
      await end()
      assert.deepEqual(await seen(db), [], 'no tenant is stated')
      assert.deepEqual(await seen(second), [TENANTS[1]])
      assert.deepEqual(await second.runTransaction(seen), [TENANTS[1]])
      assert.equal((await seen(db.overAllTenants())).length, 2)
    }
    await first.runTransaction(async (tx) => {
      assert.deepEqual(await seen(tx), [TENANTS[0]])
      assert.equal((await seen(tx.overAllTenants())).length, 2)
      assert.deepEqual(await seen(tx), [TENANTS[0]], 'only that statement was over all tenants')
    })
    await assert.rejects(seen(db.forTenant("x'; drop table cards; --")), /a tenant is no id/)
  } finally {
    await close()
  }
})

describe('the role of another installation', () => {
  const names = ['s_owner', 's_maker', 's_role', 's_made'].map((name) => `${name}_${process.pid}`)
  const [user = '', maker = '', role = '', made = ''] = names
  after(() =>
    onServer(database.url, async (client) => {
      for (const name of names) {
        await client.query(`drop owned by ${name} cascade`).catch(() => {})
        await client.query(`drop role if exists ${name}`)
      }
    }),
  )
  const as = async <Result>(name: string, work: (client: pg.Client) => Promise<Result>) => {
    const url = new URL(database.url)
    url.username = name
    return onServer(url.href, work)
  }

  test('is made by hand where the user may not, as the message says', async () => {
    await owner.query(`create role ${user} login`)
    const login = isCluster ? 'login' : 'nologin'
    const message = `create role "${role}" ${login}; grant "${role}" to ${user}`
    const attempt = as(user, (client) => prepareRole(client, role))
    await assert.rejects(attempt, (error: Error) => error.message.includes(`"${message}"`))
    await owner.query(message)
    await as(user, (client) => prepareRole(client, role))
    await assert.rejects(
      as(user, (client) => prepareRole(client, user)),
      /the user of DATABASE_URL itself/,
    )
  })

  test('is made once by starts at one time, of a user who may make roles', async () => {
    await owner.query(`create role ${maker} login createrole`)
    await Promise.all(
      Array.from({ length: 4 }, () => as(maker, (client) => prepareRole(client, made))),
    )
    await as(maker, (client) =>
      client.query(`${beginning(null)}; set local role ${made}; rollback`),
    )
  })
})
