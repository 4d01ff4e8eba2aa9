import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { measureBacklogs } from '#kit/jobs/backlogs.ts'
import { metrics } from '#kit/metrics.ts'
import { firstIdAt, newId } from '#lib/id.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())

beforeEach(() => {
  metrics.backlogRows.reset()
  metrics.backlogAge.reset()
})

/** The metrics of one queue; a queue may have no age. */
async function measured(queue: string) {
  const shown = async ({ get }: { get: () => Promise<{ values: Labelled[] }> }) =>
    (await get()).values.find(({ labels }) => labels['queue'] === queue)?.value
  const rows = await shown({ get: () => metrics.backlogRows.get() })
  const age = await shown({ get: () => metrics.backlogAge.get() })
  return { rows, age }
}
type Labelled = { value: number; labels: Partial<Record<string, string | number>> }

test('every backlog is read in the order of an index that has nothing else', async () => {
  assert.ok(world.backlogs.length > 0)
  for (const { queue, rows } of world.backlogs) {
    const selected = typeof rows === 'function' ? rows(() => sql``) : rows
    const plan = await world.db.runTransaction(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      await sql`set local enable_sort = off`.execute(tx)
      return sql<{ 'QUERY PLAN': string }>`explain (costs off) ${selected} limit 10`.execute(tx)
    })
    const whole = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    // On a cluster, the plan of a shard: the rows that the shards return, ten each, are sorted.
    const text = whole.split('->  Task\n').at(-1) ?? ''
    assert.match(text, /Index/, queue)
    assert.doesNotMatch(text, /Sort(?! Key)|Seq Scan/, `${queue}:\n${text}`)
  }
})

test('an empty queue has no rows and the age 0', async () => {
  await measureBacklogs(world.db, world.backlogs)
  assert.deepEqual(await measured('acquirer_advices'), { rows: 0, age: 0 })
})

test('rows that wait are counted, and the oldest gives the age', async () => {
  const insert = (minutes: number) =>
    sql`
    insert into unanswered_approvals (tenant_id, message_key, answer_number, transaction_id,
      processing_code, amount, due, created)
    values (${world.tenant.id}, ${newId()}, 1, ${newId()}, '000000', 1, now(),
      now() - ${minutes}::int * interval '1 minute')`.execute(world.db)
  await insert(1)
  await insert(10)
  await measureBacklogs(world.db, world.backlogs)
  const { rows, age = 0 } = await measured('unanswered_approvals')
  assert.equal(rows, 2)
  // The measurement has whole milliseconds, the measured time has digits behind them.
  assert.ok(age > 599 && age < 700, String(age))
})

test('the age of an audit record is that of its id', async () => {
  const hour = firstIdAt(Date.now() - 3_600_000)
  await sql`
    insert into audit_pending (tenant_id, record_id) values (${world.tenant.id}, ${hour})`.execute(
    world.db,
  )
  await measureBacklogs(world.db, world.backlogs)
  const { rows, age = 0 } = await measured('audit_records')
  assert.ok(rows !== undefined && rows >= 1)
  assert.ok(age >= 3_590 && age < 3_700, String(age))
})

test('open deliveries are counted and have no age, since they may wait for hours', async () => {
  await measureBacklogs(world.db, world.backlogs)
  assert.deepEqual(await measured('deliveries'), { rows: 0, age: 0 })
  const [webhook_id, event_id] = [newId(), newId()]
  const { id: tenant_id } = world.tenant
  await sql`
    insert into webhooks (tenant_id, id, endpoint, events, status, sealed_config, sealed_secret,
      created, modified)
    values (${tenant_id}, ${webhook_id}, 'https://a.example', '{}', 'ACTIVE', '', '', now(), now())
  `.execute(world.db)
  await sql`
    insert into deliveries (tenant_id, id, webhook_id, event_id, event, object_id, sequence, status,
      due, created, modified)
    values (${tenant_id}, ${newId()}, ${webhook_id}, ${event_id}, 'TRANSACTION', ${newId()}, 1,
      'RETRYING', now() + interval '1 hour', now() - interval '1 day', now())`.execute(world.db)
  await measureBacklogs(world.db, world.backlogs)
  assert.deepEqual(await measured('deliveries'), { rows: 1, age: undefined })
})

test('where one cannot be measured none is shown, and the error is the caller’s', async () => {
  await measureBacklogs(world.db, world.backlogs)
  const missing = { queue: 'missing', rows: sql`select now() as since from no_such_table` }
  await assert.rejects(measureBacklogs(world.db, [...world.backlogs, missing]), /no_such_table/)
  assert.deepEqual(await measured('events'), { rows: undefined, age: undefined })
})

test('batches of cards that the bureau does not have are counted, and have an age', async () => {
  await measureBacklogs(world.db, world.backlogs)
  assert.deepEqual(await measured('card_orders'), { rows: 0, age: 0 })
  for (const [minutes, due] of [
    [90, 'due'],
    [10, 'due'],
    [600, null],
  ] as const) {
    await sql`
      insert into card_orders (tenant_id, id, card_product_id, state, bureau, file_name, count, due,
        created, modified)
      values (${world.tenant.id}, ${newId()}, ${newId()}, ${due ? 'PREPARING' : 'SENT'}, 'maker',
        'cards.pgp', 1, case when ${due !== null}::boolean then now() end,
        now() - ${minutes}::int * interval '1 minute', now())`.execute(world.db)
  }
  await measureBacklogs(world.db, world.backlogs)
  const { rows, age = 0 } = await measured('card_orders')
  assert.equal(rows, 2)
  assert.ok(age > 5_399 && age < 5_500, String(age))
})
