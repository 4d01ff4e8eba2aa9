/** The oracle itself: it finds each bug that is planted for it, and nothing if there is none. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import { auditAll } from '#src/audit/audits.ts'
import { openShop } from '#test/e2e/shop.ts'
import {
  Acknowledgements,
  assertSound,
  faultOfAnswer,
  faultsOfLog,
} from '#test/support/inspection/oracle.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

before(async () => {
  const card = await shop.customer(50_000n)
  const { reference } = await shop.order(card)
  await shop.order(card)
  await shop.call('POST', `/orders/${reference}/capture/`)
  const refund = { total: '40.00', currency: 'AED' }
  await shop.call('POST', `/orders/${reference}/refund/`, refund)
  for (const [status, status_reason_code] of [
    ['SUSPENDED', 'S0'],
    ['ACTIVE', 'A0'],
  ]) {
    const { card_id } = card
    const { user_id } = (await shop.request('GET', `/v1/cards/${card_id}`)).body
    const body = { status, status_reason_code }
    await shop.request('PUT', `/v1/users/${user_id}:changeStatus`, body)
    await shop.request('PUT', `/v1/cards/${card_id}:statuschange`, body)
  }
  const { card_product_id } = (await shop.request('GET', `/v1/cards/${card.card_id}`)).body
  const bulk = { card_product_id, number_of_cards: 2 }
  await shop.request('POST', '/v1/bulkissuances', bulk)
  await shop.services.runDueJobs(shop.tenant.id)
})

test('it finds nothing in a sound database', () => assertSound(shop.db))

/**
 * Plants are made with the rights of the owner of the tables; the constraints that forbid them are
 * gone.
 */
const plants: [name: string, invariant: string, ...bug: RawBuilder<unknown>[]][] = [
  [
    'money out of nothing',
    'I1',
    sql`update accounts set balance = balance + 1 where kind = 'CARD'`,
  ],
  ['an entry that was lost', 'I2', sql`delete from transfers where kind = 'CLEARING'`],
  ['a hold that was forgotten', 'I2', sql`update transactions set held = 0 where held > 0`],
  [
    'an account below its floor',
    'I2',
    sql`alter table accounts drop constraint accounts_funds`,
    sql`update accounts set held = balance + 1 where kind = 'CARD'`,
  ],
  [
    'a capture that was recorded twice',
    'I4',
    sql`drop index order_operations_capture`,
    sql`insert into order_operations
      select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).*
      from order_operations p where type = 'CAPTURE'`,
  ],
  [
    'an order that its last capture did not complete',
    'I4',
    sql`alter table orders drop constraint orders_completed`,
    sql`alter table orders drop constraint orders_refunded`,
    sql`update orders set status = 'OPENED' where captured > 0`,
  ],
  [
    'more refunded than captured',
    'I4',
    sql`alter table orders drop constraint orders_refunded`,
    sql`update orders set refunded = captured + 1 where captured > 0`,
  ],
  [
    'a capture that the issuer has booked twice',
    'I4',
    sql`update transactions set cleared_amount = 2 * cleared_amount where cleared_amount > 0`,
  ],
  [
    'a card of a bulk issuance that was lost',
    'I4',
    sql`delete from cards where bulk_issuance_id is not null`,
  ],
  [
    'a key with two answers',
    'I4',
    sql`alter table idempotency_keys drop constraint idempotency_keys_pkey`,
    sql`insert into idempotency_keys (tenant_id, key, fingerprint, status, content_type, body,
        created)
      select id, 'k', '\\x00', 200, 'text/plain', '', created
      from tenants, generate_series(1, 2)`,
  ],
  [
    'a TRANSACTION that was never answered',
    'I6',
    sql`delete from events where id = (
      select id from events where object_ids is not null order by id desc limit 1)`,
  ],
  ...['CARD_STATUS_CHANGE', 'USER_STATUS_CHANGE', 'ORDER_CAPTURED'].map(
    (event): [string, string, RawBuilder<unknown>] => [
      `a ${event} that was never answered`,
      'I6',
      sql`delete from events e where tenant_id = ${shop.tenant.id} and event = ${event}
        and sequence = (select max(sequence) from events
          where tenant_id = ${shop.tenant.id} and object_id = e.object_id and event = ${event})`,
    ],
  ),
  [
    'an event that was sent twice',
    'I6',
    sql`insert into events (tenant_id, id, event, object_id, sequence, payload, created)
      select tenant_id, (left(id::text, 24) || right(gen_random_uuid()::text, 12))::uuid, event,
        object_id, sequence + 1, payload, created
      from events where tenant_id = ${shop.tenant.id} and event = 'CARD_STATUS_CHANGE'
      order by sequence desc limit 1`,
  ],
]

const rolledBack = new Error('rolled back')

/** Findings with the bug in place, which is gone afterwards. */
async function foundWith(bug: readonly RawBuilder<unknown>[]): Promise<string[]> {
  let found: string[] = []
  const planted = shop.db.runTransaction(async (db: Db) => {
    for (const statement of bug) await statement.execute(db)
    const findings = await auditAll(db, true)
    found = findings.map(({ invariant }) => invariant)
    throw rolledBack
  })
  await assert.rejects(planted, rolledBack)
  return found
}

describe('it finds what is planted', () => {
  for (const [name, invariant, ...bug] of plants) {
    test(name, async () => {
      const found = await foundWith(bug)
      assert.ok(found.includes(invariant), `found ${found.join() || 'nothing'}`)
    })
  }

  test('an answer that is not in the database, or differs from the one that was sent', async () => {
    const key = 'answered'
    const { id: tenant_id } = shop.tenant
    const headers = { 'x-bezant-idempotency-key': key }
    const body = { first_name: 'Omar', last_name: 'Haddad' }
    const { status, text } = await shop.request('POST', '/v1/users', body, { headers })
    const sound = new Acknowledgements()
    sound.note({ tenant_id, key, status, text })
    assert.deepEqual(await sound.audit(shop.db), [])
    for (const wrong of [{ key: 'lost' }, { text: '{}' }, { status: 201 }]) {
      const acknowledged = new Acknowledgements()
      acknowledged.note({ tenant_id, key, status, text, ...wrong })
      assert.equal((await acknowledged.audit(shop.db)).length, 1)
    }
    assert.throws(() => sound.note({ tenant_id, key, status, text: '{}' }), /two answers/)
  })

  test('a 500, a problem that is none, and a line that reports a bug', async () => {
    const type = 'application/problem+json; charset=utf-8'
    const { status, text } = await shop.request('GET', '/v1/users/none')
    assert.equal(faultOfAnswer({ status, text, type }), undefined)
    assert.match(faultOfAnswer({ status: 500, text: '{}', type }) ?? '', /500/)
    assert.match(faultOfAnswer({ status: 404, text: '{"status":404}', type }) ?? '', /no problem/)
    assert.deepEqual(faultsOfLog(['{"level":30}', '{"level":50}', 'Error: unhandledRejection']), [
      '{"level":50}',
      'Error: unhandledRejection',
    ])
  })
})
