/** Each shape that Citus refuses is found in a statement that has it, and not in the form to use. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { loadModule } from 'libpg-query'
import { checkStatements, patternOf, shapesIn, unneeded } from './check.ts'
import type { Recorded } from './folder.ts'
import { SHAPES, type Spread } from './shapes.ts'

const spread: Spread = {
  distributed: new Set([
    ...['cards', 'accounts', 'users', 'transactions', 'events', 'deliveries', 'orders'],
    ...['tenant_anchors', 'rate_buckets', 'vault.pans'],
  ]),
  reference: new Set(['tenants', 'bins']),
  drawn: new Map([['events', ['place']]]),
}

before(loadModule)

/** Examples by the name of the shape: statements that have it, and statements that do not. */
const EXAMPLES: Readonly<Record<string, { refused: string[]; accepted: string[] }>> = {
  'several statements in one text': {
    refused: ['begin; set local bezant.tenant = $1'],
    accepted: ["select 'a; b'"],
  },
  'an insert that selects from no table of the tenant': {
    refused: [
      'insert into cards (tenant_id, id) select $1::uuid, g from unnest($2::uuid[]) g',
      'insert into cards (tenant_id, id) select $1, $2 where not exists (select from bins)',
      'insert into cards (tenant_id, id) select $1, t.id from tenants t where t.id = $1',
      'with g as (select unnest($2::uuid[]) as id) insert into cards select $1, id from g',
    ],
    accepted: [
      `insert into cards (tenant_id, id) select anchor.tenant_id, g.id
        from tenant_anchors anchor cross join unnest($2::uuid[]) g (id) where anchor.tenant_id = $1`,
      'insert into cards (tenant_id, id) values ($1, $2), ($3, $4)',
      'insert into bins (bin) select * from unnest($1::text[])',
      `insert into cards (tenant_id, id) select tenant_id, id
        from (select * from accounts where tenant_id = $1) a`,
    ],
  },
  'an insert that selects from a reference table': {
    refused: [
      `insert into cards (tenant_id, id) select a.tenant_id, $2 from tenant_anchors a
        join tenants t on t.id = a.tenant_id where a.tenant_id = $1`,
    ],
    accepted: [
      'insert into cards (tenant_id, id) select tenant_id, id from accounts where tenant_id = $1',
    ],
  },
  'an insert that selects beside a default of a sequence': {
    refused: [
      'insert into events (tenant_id, id) select tenant_id, id from cards where tenant_id = $1',
    ],
    accepted: [
      'insert into events (tenant_id, id) values ($1, $2)',
      `insert into events (tenant_id, id, place)
        select tenant_id, id, $2 from cards where tenant_id = $1`,
    ],
  },
  'an insert within WITH': {
    refused: [
      `with made as (insert into cards (tenant_id, id) values ($1, $2) returning id)
        insert into events (tenant_id, object_id) select $1, id from made`,
      'with made as (insert into cards (tenant_id) values ($1) returning 1) select * from made',
    ],
    accepted: [
      `with changed as (update cards set id = $2 where tenant_id = $1 returning id)
        select id from changed`,
      'with made as (insert into bins (bin) values ($1) returning 1) select * from made',
    ],
  },
  'an element of an array parameter in SET': {
    refused: [
      'update cards set id = ($2::uuid[])[1] where tenant_id = $1',
      'update cards set id = coalesce(($2::uuid[])[array_position($3, id)], id) where tenant_id = $1',
    ],
    accepted: [
      `update cards c set (id, a) = (select ($2::uuid[])[at], 1 from array_position($3, c.id) as at)
        where tenant_id = $1`,
      'update cards set id = $3 where tenant_id = $1 and version = ($2::int[])[1]',
    ],
  },
  'a simple CASE in SET': {
    refused: [
      "update cards set code = case code when 'P0' then null else code end where tenant_id = $1",
    ],
    accepted: ["update cards set code = case when code = 'P0' then null end where tenant_id = $1"],
  },
  'the tenant in SET': {
    refused: ['update cards set tenant_id = $1, code = $2 where tenant_id = $1 and id = $3'],
    accepted: [
      'update cards set code = (select tenant_id from events where tenant_id = $1) where tenant_id = $1',
      'update bins set tenant_id = $1 where bin = $2',
    ],
  },
  'a sum of a column and an interval in an update': {
    refused: [
      'update cards set due = due + make_interval(secs => $2) where tenant_id = $1',
      "delete from cards where tenant_id = $1 and due < $2 - a * interval '1 second'",
    ],
    accepted: [
      `update cards set due = (due at time zone 'UTC' + make_interval(secs => $2))
        at time zone 'UTC' where tenant_id = $1`,
      "update cards set due = now() + interval '1 day', a = a + 1 where tenant_id = $1",
      "update bins set due = due + interval '1 day'",
    ],
  },
  'a function or a subquery in RETURNING': {
    refused: [
      "update cards set a = $2 where tenant_id = $1 returning json_build_object('a', a)",
      `update cards set a = $2 where tenant_id = $1
        returning (select currency from accounts where tenant_id = $1 limit 1)`,
      'delete from cards where tenant_id = $1 returning id, current_timestamp',
    ],
    accepted: [
      'update cards set a = $2 where tenant_id = $1 returning id, a + 1, coalesce(b, 0)',
      'update bins set a = $1 returning to_json(a)',
    ],
  },
  'a function or a cast in ON CONFLICT … DO UPDATE': {
    refused: [
      `insert into cards (tenant_id, id) values ($1, $2) on conflict (tenant_id, id)
        do update set a = 1 where cards.due < statement_timestamp()`,
      `insert into cards (tenant_id, id) values ($1, $2) on conflict (tenant_id, id)
        do update set a = 1 where cards.due::text = $3`,
      `insert into cards (tenant_id, id) values ($1, $2) on conflict (tenant_id, id)
        do update set a = now()`,
      'insert into bins (bin) values ($1) on conflict (bin) do update set a = 1 where bins.due < now()',
    ],
    accepted: [
      `insert into cards (tenant_id, id, a) values ($1, $2, now()) on conflict (tenant_id, id)
        do update set a = excluded.a, version = cards.version + 1 / $3::int where cards.a <> $4::int`,
    ],
  },
  'a function in CASE or COALESCE of an update': {
    refused: [
      'update cards set a = coalesce(a, now()) where tenant_id = $1',
      'update bins set a = case when $1::text is not null then statement_timestamp() end',
    ],
    accepted: [
      'update cards set a = coalesce(a, $2), b = now() where tenant_id = $1',
      'update bins set a = case when $1::text is not null then coalesce(a, $2) end',
    ],
  },
  'a reference table that is written by rows of tenants': {
    refused: [
      'update bins set a = case when exists (select from cards where tenant_id = $1) then 1 end',
      'delete from bins where exists (select from cards where tenant_id = $1)',
    ],
    accepted: [
      'update bins set a = $1 where bin = $2',
      'update cards set a = (select min(a) from events where tenant_id = $1) where tenant_id = $1',
    ],
  },
  'a subquery of all tenants in one without a table': {
    refused: [
      `select s.has from cards c cross join lateral (
        select exists (select from events e where e.tenant_id = c.tenant_id) as has) s`,
    ],
    accepted: [
      `select s.has from cards c cross join lateral (
        select exists (select from events e where e.tenant_id = $1) as has) s
        where c.tenant_id = $1`,
    ],
  },
  'names of columns behind a name in WITH': {
    refused: ['with named (a) as (select id from cards where tenant_id = $1) select a from named'],
    accepted: [
      'with named as (select id as a from cards where tenant_id = $1) select a from named',
    ],
  },
  'a correlation with a reference table': {
    refused: [
      'select t.id from tenants t where exists (select from orders o where o.tenant_id = t.id)',
    ],
    accepted: [
      `select t.id from tenants t
        where exists (select from orders o where o.tenant_id = $1 and o.bin = t.bin)`,
    ],
  },
  'a table of tenants without the value of its tenant': {
    refused: [
      'select * from cards where id = $1',
      'select * from cards c join accounts a on a.id = c.account_id where c.tenant_id = $1',
      'update cards set a = $1 where tenant_id = any ($2)',
      'select * from cards c where tenant_id = $1 or true',
      `select id, (select currency from accounts a where a.tenant_id = c.tenant_id limit 1)
        from cards c where tenant_id = $1`,
      'select id from cards where tenant_id = $1 union all select id from users',
      'with a as (select id from vault.pans) select * from cards c, a where c.tenant_id = $1',
      'delete from cards c using accounts a where a.id = c.id and a.tenant_id = $1',
    ],
    accepted: [
      'select * from bins',
      'select * from cards where (tenant_id, id) = ($1, $2)',
      'select * from cards c join accounts a using (tenant_id, id) where c.tenant_id = $1::uuid',
      `select * from cards c join accounts a on a.tenant_id = c.tenant_id left join users u
        on u.tenant_id = a.tenant_id and u.id = a.user_id where c.tenant_id = $1`,
      `select id, (select currency from accounts a where a.tenant_id = $1 and a.id = c.id)
        from cards c where tenant_id = $1`,
      `select * from cards c cross join lateral
        (select * from accounts a where a.tenant_id = c.tenant_id limit 1) a where c.tenant_id = $1`,
      `select * from (select tenant_id, id from cards union all select tenant_id, id from users) m
        where tenant_id = $1`,
      'with a as (select * from cards) select * from a where a.tenant_id = $1',
      'insert into cards (tenant_id, id) values ($1, $2) on conflict do nothing',
    ],
  },
  set_config: {
    refused: ["select set_config('lock_timeout', '25', true)"],
    accepted: ["select current_setting('lock_timeout')"],
  },
  'an advisory lock': {
    refused: ['select pg_advisory_xact_lock($1)', 'select pg_try_advisory_lock($1, $2)'],
    accepted: ['select from cards where tenant_id = $1 for update'],
  },
  'a notification': {
    refused: ["select pg_notify('channel', $1)", 'notify channel'],
    accepted: ["select 'pg_notify'"],
  },
}

const namesIn = (text: string): string[] => shapesIn(text, spread).map(([{ name }]) => name)

for (const { name } of SHAPES) {
  test(`${name} is found`, () => {
    const { refused = [], accepted = [] } = EXAMPLES[name] ?? {}
    assert.ok(refused.length > 0 && accepted.length > 0, 'it has examples')
    for (const text of refused) assert.ok(namesIn(text).includes(name), text)
  })
  test(`the form to use instead of ${name} is accepted`, () => {
    for (const text of EXAMPLES[name]?.accepted ?? []) assert.deepEqual(namesIn(text), [], text)
  })
}

const recorded = (text: string): Recorded => ({
  text,
  kinds: [],
  site: 'src/issuing/cards/store.ts:52',
  by: 'listCards',
})
const OPEN = 'a table of tenants without the value of its tenant'

test('the message has the place, the shape, the table and the form to use', async () => {
  const open = [recorded('select * from cards where id = $1')]
  const { text, refused } = await checkStatements(open, spread, [])
  assert.equal(refused, 1)
  assert.match(text, /^src\/issuing\/cards\/store\.ts:52 listCards: a table of tenants .*\(cards\)/)
  assert.match(text, /use: tenant_id = \$1/)
  assert.match(text, /\n1 statements, 1 refused shapes$/)
})

test('an exception is of a file and a shape, and one that nothing needs is a fault', async () => {
  const open = [recorded('select * from cards where id = $1')]
  const exception = { files: ['src/issuing/cards/store.ts'], shape: OPEN, why: '' }
  const other = { ...exception, files: ['src/issuing/users/store.ts'] }
  const exceptions = [exception, other]
  const { text, needed } = await checkStatements(open, spread, exceptions)
  assert.equal(text, '1 statements, 0 refused shapes')
  assert.deepEqual(unneeded(needed, [exception]), [])
  const [line, ...others] = unneeded(needed, exceptions)
  assert.match(
    String(line),
    /^no statement needs the exception: src\/issuing\/users\/store\.ts: a t/,
  )
  assert.deepEqual(others, [])
})

test('statements that differ in the number of their values are one', () => {
  assert.equal(
    patternOf('insert into cards (a, b) values ($1, $2), ($3, $4), ($5, $6)'),
    patternOf('insert into cards (a, b)\n  values ($1, $2)'),
  )
  assert.equal(patternOf('id in ($1, $2, $3)'), patternOf('id in ($1, $2)'))
  assert.notEqual(patternOf('select $1, a'), patternOf('select $1, b'))
})
