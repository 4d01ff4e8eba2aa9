/** `doctor` compares each order with what its issuer has booked (D-340). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Tx, transact } from '#kit/context.ts'
import { compareSides, type SidesCompared } from '#src/audit/sides.ts'
import { isOwnAddress } from '#src/config/config.ts'
import { openShop } from './shop.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())
const card = await shop.customer(10_000_000n)
const other = await shop.otherTenant()

const post = (path: string, body?: object) => shop.call('POST', path, body)
const open = await shop.order(card)
const part = await shop.order(card)
await post(`/orders/${part.reference}/capture/`, { total: '60' })
const refunded = await shop.order(card)
await post(`/orders/${refunded.reference}/capture/`)
await post(`/orders/${refunded.reference}/refund/`, { total: '40.25', currency: 'AED' })

/** The retrieval reference of an order. */
async function rrnOf(order_id: string): Promise<string> {
  const { rows } = await sql<{ rrn: string }>`
    select m.fields ->> '37' as rrn
    from orders o join acquirer_messages m
      on m.tenant_id = o.tenant_id and m.id = o.authorization_id
    where o.tenant_id = ${shop.tenant.id} and o.id = ${order_id}`.execute(shop.db)
  return rows[0]?.rrn ?? ''
}

/** The result after `plant`, which is rolled back. */
async function comparedAfter(own: boolean, ...planted: ReturnType<typeof sql>[]) {
  let compared: SidesCompared | undefined
  const rolledBack = transact({ ...(await shop.ctx()), db: shop.db }, async (tx: Tx) => {
    for (const plant of planted) await plant.execute(tx.db)
    compared = await compareSides(tx.db, own)
    throw new Error('roll back')
  })
  await assert.rejects(rolledBack, /roll back/)
  assert.ok(compared)
  return { subjects: compared.found.map(({ subject }) => subject), under_way: compared.under_way }
}

const sound = { subjects: [], under_way: 0 }
const differs = ({ order_id }: { order_id: string }) => ({
  subjects: [`order ${order_id}`],
  under_way: 0,
})

describe('an order and its issuer', () => {
  test('agree where it is open, captured in part, and refunded in part', async () => {
    assert.deepEqual(await compareSides(shop.db, true), { found: [], under_way: 0 })
  })

  test('are compared by an index of transactions, so that no order reads all of them', async () => {
    const context = { ...(await shop.ctx()), db: shop.db }
    const scans = await transact(context, async ({ db }: Tx) => {
      await sql`set local enable_seqscan = off`.execute(db)
      await compareSides(db, true)
      const { rows } = await sql<{ scans: number }>`
        select coalesce(sum(seq_scan), 0)::int as scans from pg_stat_xact_user_tables
        where relname ~ '^transactions(_\\d|$)'`.execute(db)
      return rows[0]?.scans
    })
    assert.equal(scans, 0)
  })

  test('differ where the issuer booked twice, or returned more', async () => {
    const twice = sql`update transactions set cleared_amount = 2 * cleared_amount
      where rrn = ${await rrnOf(part.order_id)} and transaction_type = 'PURCHASE'`
    const more = sql`update transactions set cleared_amount = cleared_amount + 1
      where rrn = ${await rrnOf(refunded.order_id)} and transaction_type = 'REFUND'`
    assert.deepEqual(await comparedAfter(true, twice), differs(part))
    assert.deepEqual(await comparedAfter(true, more), differs(refunded))
  })

  test('differ where the issuer has nothing of it, if the issuer is this program', async () => {
    const lost = sql`update transactions set rrn = 'X' where rrn = ${await rrnOf(open.order_id)}`
    assert.deepEqual(await comparedAfter(true, lost), differs(open))
    assert.deepEqual(await comparedAfter(false, lost), sound)
  })

  test('are found to agree where the card belongs to another tenant', async () => {
    const rrn = await rrnOf(refunded.order_id)
    // A cluster does not change the tenant of a row.
    const moved = [
      sql`insert into transactions
        select (jsonb_populate_record(t, jsonb_build_object('tenant_id', ${other.id}::text))).*
        from transactions t where rrn = ${rrn} and tenant_id <> ${other.id}`,
      sql`delete from transactions where rrn = ${rrn} and tenant_id <> ${other.id}`,
    ]
    assert.deepEqual(await comparedAfter(true, ...moved), sound)
    const twice = sql`update transactions set cleared_amount = 2 * cleared_amount
      where rrn = ${rrn}`
    assert.deepEqual(await comparedAfter(true, ...moved, twice), differs(refunded))
  })

  test('are not compared while an operation is under way, which is reported apart', async () => {
    const pending = sql`update order_operations set status = 'PENDING',
      in_doubt = true, booked = null, payable = null where order_id = ${part.order_id}`
    const twice = sql`update transactions set cleared_amount = 2 * cleared_amount
      where rrn = ${await rrnOf(part.order_id)}`
    assert.deepEqual(await comparedAfter(true, pending, twice), { subjects: [], under_way: 1 })
  })

  test('are compared page by page, to the last', async () => {
    const copies = sql`
      insert into orders
      select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(),
        'reference', 'copy ' || n, 'order_number', 'copy ' || n))).*
      from orders o, generate_series(1, 2500) n where o.id = ${part.order_id}`
    const wrong = sql`update orders set captured = captured - 1 where id in (
      select id from orders order by tenant_id desc, id desc limit 1)`
    const last = await comparedAfter(true, copies, wrong)
    assert.equal(last.subjects.length, 1)
  })
})

test('the issuer is this program where its address is that of the program’s own port', () => {
  const { config } = shop
  const at = (host: string, port: number) => ({
    ...config,
    network: { ...config.network, port: 8583 },
    issuer_address: { host, port },
  })
  assert.equal(isOwnAddress(at('127.0.0.1', 8583)), true)
  assert.equal(isOwnAddress(at('localhost', 8583)), true)
  assert.equal(isOwnAddress(at('127.0.0.1', 8584)), false)
  assert.equal(isOwnAddress(at('issuer.example', 8583)), false)
})
