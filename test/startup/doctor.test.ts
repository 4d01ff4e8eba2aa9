/** `bezant doctor` finds and names what is broken, and leaves what is whole in peace. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { auditEvents } from '#events/events_audit.ts'
import { ofTenant } from '#kit/audit.ts'
import { newId } from '#lib/id.ts'
import { auditAll } from '#src/audit/audits.ts'
import {
  foundBy,
  foundAfter as foundIn,
  inOrder,
  type Statement,
} from '#test/support/inspection/planted.ts'
import { runScript } from '#test/support/processes/process.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let card_id: string
let transaction_id: string
before(async () => {
  world = await openWorld()
  const product = await made('/v1/cardproducts', { name: 'P', currency: 'AED', bin: '999001' })
  const user = await made('/v1/users', { first_name: 'Layla' })
  const card = await made('/v1/cards', {
    user_id: user.id,
    card_product_id: product.id,
    card_type: 'VIRTUAL',
  })
  card_id = card.id
  await made(`/v1/operator/tenants/${world.tenant.id}/funding`, { currency: 'AED', amount: 500 }, [
    world.operator_key,
  ])
  const activation = { status: 'ACTIVE', status_reason_code: 'A0' }
  assert.equal(
    (await world.request('PUT', `/v1/cards/${card_id}:statuschange`, activation)).status,
    200,
  )
  await made(`/v1/accounts/${card.account_id}:loadfunds`, { currency: 'AED', amount: 100 })
  const purchase = { card_id, amount: 40, currency: 'AED' }
  transaction_id = (await made('/v1/simulate/authorizations', purchase)).id
  for (const amount of [20, 10]) {
    await made(`/v1/simulate/authorizations/${transaction_id}:clear`, { amount })
  }
})
after(() => world[Symbol.asyncDispose]())

async function made(path: string, body: object, [key = world.tenant.api_key] = [] as string[]) {
  const answer = await world.request('POST', path, body, { key })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const foundAfter = (...planted: Statement[]) => foundIn(world, ...planted)

const refundedIsFree = sql`alter table transactions drop constraint transactions_refunded`

/** The row of the batch that reported this change of the transaction. */
const reportOf = (sequence: number) =>
  sql`object_ids = array[${transaction_id}::uuid] and sequences = array[${sequence}::integer]`

async function idOf(sequence: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from events where ${reportOf(sequence)}`.execute(world.db)
  return rows[0]?.id ?? ''
}

/** All events up to this report, of whatever object, as where old events are not kept. */
const withoutThoseUpTo = (sequence: number) =>
  sql`delete from events where id <= (select id from events where ${reportOf(sequence)})`

test('a database in which money came, was held, cleared and moved has no findings', async () => {
  assert.deepEqual(await auditAll(world.db), [])
})

describe('each planted fault is found, with its tenant and subject', () => {
  const faults: [name: string, expected: () => string[], ...plants: Statement[]][] = [
    [
      'an event that was lost',
      () => [`I6 object ${transaction_id}`, `I6 transaction ${transaction_id}`],
      () => sql`delete from events where ${reportOf(2)}`,
    ],
    [
      'an event that was doubled where another was lost',
      () => [`I6 object ${transaction_id}`],
      () => sql`update events set sequences = '{1}' where ${reportOf(2)}`,
    ],
    [
      'the first event of a transaction, lost',
      () => [`I6 transaction ${transaction_id}`],
      () => sql`delete from events where ${reportOf(1)}`,
    ],
    [
      'a change that was reported by no event',
      () => [`I6 transaction ${transaction_id}`],
      () => sql`delete from events where ${reportOf(3)}`,
    ],
    [
      'a clearing whose amount differs from its transfer',
      () => [`I4 transaction ${transaction_id}`],
      () => sql`update transactions set cleared_amount = 1 where id = ${transaction_id}`,
    ],
    [
      'more refunded than was cleared, and by no refund',
      () => [`I4 transaction ${transaction_id}`, `I4 transaction ${transaction_id}`],
      () => refundedIsFree,
      () => sql`update transactions set refunded_amount = 3001 where id = ${transaction_id}`,
    ],
    [
      'a hold that its account does not know',
      () => ['I2 account'],
      () => sql`update transactions set held = held + 1 where id = ${transaction_id}`,
    ],
  ]
  for (const [name, expected, ...plants] of faults) {
    test(name, async () => {
      const findings = await foundAfter(...plants)
      assert.deepEqual(
        inOrder(findings).map((line) => line.replace(/^I2 account .*/, 'I2 account')),
        expected(),
      )
      for (const { tenant_id } of findings) assert.equal(tenant_id, world.tenant.id)
    })
  }

  test('a delivery without its event, and one that no process will try again', async () => {
    const webhook = await made('/v1/webhooks', {
      endpoint: 'http://127.0.0.1:9/',
      events: ['TRANSACTION'],
    })
    const deliver =
      (id: string, event: string): Statement =>
      () =>
        sql`
        insert into deliveries (tenant_id, id, webhook_id, event_id, event, object_id, sequence,
          status, due, created, modified)
        values (${world.tenant.id}, ${id}, ${webhook.id}, ${event}, 'TRANSACTION',
          ${transaction_id}, 1, 'PENDING', null, '2030-01-01', '2030-01-01')`
    const findings = await foundAfter(
      deliver(card_id, card_id),
      deliver(transaction_id, await idOf(1)),
    )
    assert.match(findings.map(({ detail }) => detail).join(), /its event \S+ does not exist/)
    assert.match(findings.map(({ detail }) => detail).join(), /is PENDING .* due never/)
  })

  test('a tenant without its anchor, and an anchor without its tenant', async () => {
    const [mine, foreign] = [world.tenant.id, newId()]
    const findings = await foundAfter(
      () => sql`delete from tenant_anchors where tenant_id = ${mine}`,
      () => sql`insert into tenant_anchors values (${foreign})`,
    )
    assert.deepEqual(inOrder(findings), [`I6 tenant ${foreign}`, `I6 tenant ${mine}`].sort())
  })

  test('a batch whose deliveries no process makes', async () => {
    const waiting: Statement = () =>
      sql`update events set to_deliver = '{}', place = 1, number = null where ${reportOf(1)}`
    assert.deepEqual(await foundAfter(waiting), [])
    const found = await foundBy(
      world,
      (db) => auditEvents(db, ofTenant(world.tenant.id), 0),
      waiting,
    )
    assert.deepEqual(inOrder(found), [`I6 batch ${await idOf(1)}`])
  })

  test('due work that no sweep will find, and what is found too late', async () => {
    const due: Statement = () => sql`
      insert into backtests (tenant_id, id, status, starts, ends, counts_from, reached, after_id,
        proposal, plan, result, due, expires, created, modified)
      select ${world.tenant.id}, ${card_id}, 'COMPLETED', t, t + interval '1 day', t, t, ${card_id},
        '{}', '{}', '{}', t, t, t, t from (select timestamptz '2030-01-01' as t) at`
    const known =
      (due: string): Statement =>
      () =>
        sql`
      insert into due_work values (${world.tenant.id}, 'backtests', ${due}::timestamptz)`
    assert.deepEqual(await foundAfter(due, known('2030-01-01')), [])
    for (const planted of [[due], [due, known('2030-01-02')]]) {
      const findings = await foundAfter(...planted)
      assert.deepEqual(inOrder(findings), ['I4 due work backtests'])
      assert.equal(findings[0]?.tenant_id, world.tenant.id)
    }
  })

  test('two answers under one idempotency key', async () => {
    const keep: Statement = () => sql`
      insert into idempotency_keys
      values (${world.tenant.id}, 'k', '', 200, 'application/json', '{}', '2030-01-01')`
    const findings = await foundAfter(
      () => sql`alter table idempotency_keys drop constraint idempotency_keys_pkey`,
      keep,
      keep,
    )
    assert.deepEqual(inOrder(findings), ['I4 idempotency key k'])
  })
})

describe('events that are not kept any longer', () => {
  const ofTransactions = async (...plants: Statement[]) =>
    inOrder(await foundAfter(...plants)).filter((line) =>
      /^I6 (object|transaction|deliv)/.test(line),
    )

  for (const sequence of [1, 2, 3]) {
    test(`are no finding: all up to number ${sequence} of a transaction`, async () => {
      assert.deepEqual(await ofTransactions(() => withoutThoseUpTo(sequence)), [])
    })
  }

  test('do not hide the loss of a newer one', async () => {
    const newest: Statement = () => sql`delete from events where ${reportOf(3)}`
    assert.deepEqual(await ofTransactions(() => withoutThoseUpTo(1), newest), [
      `I6 transaction ${transaction_id}`,
    ])
  })
})

test('the command ends with 0 where nothing is found, and with 1 and a line where something is', async () => {
  assert.deepEqual((await doctor()).code, 0)
  await refundedIsFree.execute(world.db)
  await sql`update transactions set refunded_amount = 3001 where id = ${transaction_id}`.execute(
    world.db,
  )
  const { code, output } = await doctor()
  assert.equal(code, 1)
  assert.match(
    output,
    new RegExp(`I4 {2}tenant ${world.tenant.id} {2}transaction ${transaction_id}: `),
  )
})

const doctor = () => runScript(world.url, 'apps/cli/bezant.mjs', 'doctor')
