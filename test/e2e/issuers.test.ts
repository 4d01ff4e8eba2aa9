/** Merchants of several issuers (D-761): each payment stays with its own, and none waits for another. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { transact } from '#kit/context.ts'
import { recordRelease } from '#merchant/acquirer/acquirer.ts'
import { begin, reconcile } from '#src/audit/reconciliation/reconciliation.ts'
import { settlementOf } from '#src/audit/settlement/settlement.ts'
import { compareSides } from '#src/audit/sides.ts'
import { keeper } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { moveClockToNoon } from '#test/support/time/moved_clock.ts'
import { openIssuer } from './issuer.ts'
import { openShop } from './shop.ts'

const keep = keeper()
const folder = mkdtempSync(join(tmpdir(), 'issuers-'))
after(() => rmSync(folder, { recursive: true }))
const falcon = keep(await openIssuer())
const ISSUERS_FILE = join(folder, 'issuers.json')
const entry = (name: string) => ({ name, address: `127.0.0.1:${falcon.port}`, connections: 2 })
const write = (...names: string[]) => writeFileSync(ISSUERS_FILE, JSON.stringify(names.map(entry)))
write('falcon')
const shop = keep(await openShop({ env: { ISSUERS_FILE } }))
shop.sweeper.start()
const date = await moveClockToNoon(shop, shop.tenant)
await shop.signIn()
const card = await shop.customer(10_000_000n)

const change = (issuer: string | null) =>
  shop.request(
    'PUT',
    `/v1/operator/merchants/${shop.merchant.id}`,
    { issuer },
    {
      key: shop.operator_key,
    },
  )
const capture = (reference: string) => shop.call('POST', `/orders/${reference}/capture/`)
const held = async () => (await shop.account(card)).held
/** Records a reversal of the order's payment, which is due at once. */
async function release({ order_id }: { order_id: string }): Promise<void> {
  const { authorization_id } = await shop.db
    .selectFrom('orders')
    .select('authorization_id')
    .where('id', '=', order_id)
    .executeTakeFirstOrThrow()
  await transact(await shop.ctx(), (tx) => recordRelease(tx, authorization_id, { due: tx.now }))
}
const messages = (mti: '0420') =>
  shop.db
    .selectFrom('acquirer_messages')
    .select(['id', 'issuer', 'status', 'due', 'attempts'])
    .where('mti', '=', mti)
    .orderBy('id')
    .execute()

beforeEach(async () => {
  falcon.received.length = 0
  falcon.script = () => '00'
  await change(null)
})

describe('the issuer of a merchant', () => {
  test('is one of the configured, and absent for the default one', async () => {
    const unknown = await change('eagle')
    assert.equal(unknown.status, 400)
    assert.deepEqual(unknown.body.errors, [
      { path: 'issuer', message: 'is not an issuer of ISSUERS_FILE' },
    ])
    assert.equal((await change('falcon')).body.issuer, 'falcon')
    assert.ok(!('issuer' in (await change(null)).body))
  })

  test('gets its payments and what follows, also once the merchant has another', async () => {
    await change('falcon')
    const { reference } = await shop.order(card)
    assert.equal(await held(), 0n)
    await change(null)
    const other = await shop.order(card)
    assert.equal(await held(), 10_050n)
    assert.equal((await capture(reference)).body.status, 'SUCCESS')
    const refund = { total: '40', currency: 'AED' }
    await shop.call('POST', `/orders/${reference}/refund/`, refund)
    assert.deepEqual(
      falcon.received.map(({ mti }) => mti),
      ['0100', '0220', '0200'],
    )
    assert.equal((await capture(other.reference)).body.status, 'SUCCESS')
    assert.equal(falcon.received.length, 3)
    assert.equal(await held(), 0n)
  })
})

test('the books agree, and each issuer has a settlement file of its own', async () => {
  const asked = { date, own_issuer: true }
  const progress = await begin(shop.db, asked)
  for await (const { differences } of reconcile(shop.db, asked, progress)) {
    assert.deepEqual(differences, [])
  }
  assert.deepEqual((await compareSides(shop.db, true)).found, [])
  const records = async (issuer: string | null) => {
    let text = ''
    for await (const part of settlementOf(shop.db, date, issuer)) text += part
    return text.match(/^RECORD,\d+,[A-Z]+/gm)
  }
  assert.deepEqual(await records(null), ['RECORD,1,CAPTURE'])
  assert.deepEqual(await records('falcon'), ['RECORD,1,CAPTURE', 'RECORD,2,REFUND'])
})

test('an issuer that does not answer delays no message to another', async () => {
  await change('falcon')
  const silent = await shop.order(card)
  await change(null)
  const usual = await shop.order(card)
  assert.equal(await held(), 10_050n)
  falcon.script = () => null
  await release(silent)
  await until('its reversal has arrived', () => falcon.of('0420').length === 1)
  const [waiting] = (await messages('0420')).filter(({ issuer }) => issuer === 'falcon')
  await release(usual)
  await until('the hold of the other is released', async () => (await held()) === 0n)
  const still = (await messages('0420')).find(({ id }) => id === waiting?.id)
  // The claim of its sending: it has not ended yet.
  assert.deepEqual([still?.status, still?.due], ['PENDING', waiting?.due])
  falcon.script = () => '00'
  await until('it is acknowledged', async () =>
    (await messages('0420')).every(({ status }) => status === 'APPROVED'),
  )
})

test('a connection that is cut in the middle loses no capture, and the other goes on', async () => {
  await change('falcon')
  const orders = [await shop.order(card), await shop.order(card), await shop.order(card)]
  let cut: number | undefined
  falcon.script = (message) => {
    if (message.mti !== '0220') return '00'
    cut ??= falcon.over(message)
    return falcon.over(message) === cut ? 'cut' : '00'
  }
  const captured = await Promise.all(orders.map(({ reference }) => capture(reference)))
  assert.deepEqual(
    captured.map(({ body }) => body.status),
    ['SUCCESS', 'SUCCESS', 'SUCCESS'],
  )
  assert.ok(falcon.received.some(({ mti }) => mti === '0221'))
})

test('messages to an issuer that leaves the file wait for it, and are sent once it is back', async () => {
  write('falcon', 'eagle')
  await shop.issuers.look()
  assert.equal((await change('eagle')).body.issuer, 'eagle')
  const order = await shop.order(card)
  write('falcon')
  await shop.issuers.look()
  assert.equal((await change('eagle')).status, 400)
  await release(order)
  assert.deepEqual(await shop.sweeper.runDueJobs(shop.tenant.id), [])
  const ofEagle = async () => (await messages('0420')).filter(({ issuer }) => issuer === 'eagle')
  assert.deepEqual(
    (await ofEagle()).map(({ status, attempts }) => [status, attempts]),
    [['PENDING', 0]],
  )
  write('falcon', 'eagle')
  await shop.issuers.look()
  await until('it is acknowledged', async () => (await ofEagle())[0]?.status === 'APPROVED')
})

test('a payment to an issuer that is away fails, and one to another is paid', async () => {
  await change('falcon')
  await falcon.close()
  const { id } = await shop.checkout()
  const page = await shop.submit(id, card)
  assert.notEqual(page.status, 303)
  await change(null)
  const before = await held()
  await shop.order(card)
  assert.equal(await held(), before + 10_050n)
})
