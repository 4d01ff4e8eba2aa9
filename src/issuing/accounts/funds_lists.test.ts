/** Movements that arrive at one time are made in one transaction, each as if it were alone. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { auditLedger, openCardAccount, programAccountId } from '#issuing/ledger/ledger.ts'
import { transact } from '#kit/context.ts'
import { closeGate } from '#test/support/gate.ts'
import { watchStatements } from '#test/support/inspection/statements.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { moveFundsInList, moveFundsOnce } from './accounts.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

/** A tenant with so much program funding and so many empty accounts. */
async function open(funding: number, count: number) {
  const tenant = await world.otherTenant()
  const path = `/v1/operator/tenants/${tenant.id}/funding`
  const operator = { key: world.operator_key }
  await world.request('POST', path, { currency: 'AED', amount: funding }, operator)
  const ctx = await world.ctx(tenant.id)
  const ids: string[] = []
  for (let at = 0; at < count; at++) {
    const opening = { currency: 'AED', user_id: randomUUID(), card_product_id: randomUUID() }
    ids.push((await transact(ctx, (tx) => openCardAccount(tx, opening))).id)
  }
  const ask = (path: string, body: object, headers = {}) =>
    world.request('POST', path, { currency: 'AED', ...body }, { key: tenant.api_key, headers })
  const load = (id = '', amount = 1, headers = {}) =>
    ask(`/v1/accounts/${id}:loadfunds`, { amount }, headers)
  /** All of one turn of the event loop, so that they are one list. */
  const loadAtOnce = (accounts: readonly string[]) =>
    Promise.all(
      accounts.map(async (account_id) => {
        const request = { kind: 'LOAD', account_id, input: { currency: 'AED', amount: 1 } } as const
        const finish = (result: unknown) => ({
          status: 200,
          content_type: '',
          body: String(result),
        })
        const present = ({ transfer_id }: { transfer_id: string | undefined }) => transfer_id
        const keep = { key: undefined, finish }
        const done = await moveFundsInList(ctx, { request, present, keep })
        return done?.body ?? (await moveFundsOnce(ctx, request)).transfer_id
      }),
    )
  const funded = async () => {
    const id = programAccountId(tenant.id, 'FUNDING', 'AED')
    const { rows } = await sql<{ balance: bigint }>`
      select balance from accounts where tenant_id = ${tenant.id} and id = ${id}`.execute(world.db)
    return Number(rows[0]?.balance) / 100
  }
  return { ctx, ids, ask, load, loadAtOnce, funded }
}
const sound = async () => assert.deepEqual(await auditLedger(world.db), [])

test('50 concurrent loads share transactions, and each answers its own account', async () => {
  const { ids, load, funded } = await open(2_000, 50)
  await load(ids[0])
  using statements = watchStatements(world.url)
  const answers = await Promise.all(ids.map((id, at) => load(id, at + 1)))
  const { texts } = statements.take()
  assert.ok(texts.filter((text) => text === 'commit').length <= 10, texts.join('\n'))
  for (const [at, { status, body }] of answers.entries()) {
    assert.equal(status, 200)
    assert.equal(body.account.id, ids[at])
    assert.equal(body.account.balance, at === 0 ? 2 : at + 1)
  }
  assert.equal(new Set(answers.map(({ body }) => body.transfer_id)).size, 50)
  assert.equal(await funded(), 2_000 - 1 - 1_275)
  await sound()
})

test('concurrent loads of one account answer the balance after each of them', async () => {
  const { ids, load } = await open(100, 1)
  const answers = await Promise.all(Array.from({ length: 20 }, () => load(ids[0])))
  assert.deepEqual(
    answers.map(({ body }) => body.account.balance).sort((one, other) => one - other),
    Array.from({ length: 20 }, (_, at) => at + 1),
  )
  await sound()
})

test('of concurrent loads as many succeed as the program funding covers', async () => {
  const { ids, load, funded } = await open(7, 20)
  const answers = await Promise.all(ids.map((id) => load(id)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 7)
  for (const { status, body } of answers) {
    if (status !== 200) assert.deepEqual([status, body.code], [409, 'insufficient_funds'])
  }
  assert.equal(await funded(), 0)
  await sound()
})

test('a fault of one movement is its own, and keeps none of the others', async () => {
  const { ids, ask, load, funded } = await open(100, 3)
  await load(ids[0], 10)
  const transfer = (sender_account_id = '', recipient_account_id = '', amount = 1) =>
    ask('/v1/transfers', { sender_account_id, recipient_account_id, amount })
  const answers = await Promise.all([
    load(ids[1], 5),
    load(randomUUID(), 5),
    transfer(ids[0], ids[1], 4),
    transfer(ids[0], ids[0]),
    transfer(ids[0], randomUUID()),
    ask(`/v1/accounts/${ids[0]}:unloadfunds`, { amount: 50 }),
    ask(`/v1/accounts/${ids[0]}:unloadfunds`, { amount: 2 }),
    ask(`/v1/accounts/${ids[2]}:loadfunds`, { amount: 1, currency: 'USD' }),
  ])
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    [
      [200, undefined],
      [404, 'not_found'],
      [200, undefined],
      [400, 'validation_failed'],
      [400, 'validation_failed'],
      [409, 'insufficient_funds'],
      [200, undefined],
      [400, 'validation_failed'],
    ],
  )
  assert.equal(await funded(), 100 - 10 - 5 + 2)
  await sound()
})

test('a locked account delays its own load, and no other', async () => {
  const { ctx, ids, load } = await open(100, 10)
  const [locked, ...others] = ids
  const gate = await closeGate(world.url, { tenant_id: ctx.tenant_id, id: locked ?? '' })
  const waiting = load(locked)
  await gate.untilBlocked()
  const answers = await Promise.all(others.map((id) => load(id)))
  assert.ok(answers.every(({ status }) => status === 200))
  await gate.open()
  assert.equal((await waiting).status, 200)
  await sound()
})

test('loads beside one of a locked account share transactions still', async () => {
  const { ctx, ids, loadAtOnce, funded } = await open(100, 8)
  const [locked = ''] = ids
  const gate = await closeGate(world.url, { tenant_id: ctx.tenant_id, id: locked })
  using statements = watchStatements(world.url)
  const loading = loadAtOnce(ids)
  await until('the others are loaded', async () => (await funded()) === 93)
  const writes = statements.take().texts.filter((text) => text.startsWith('insert into transfers'))
  await gate.open()
  assert.equal(new Set(await loading).size, 8)
  // Those of eight, four and two with the locked one failed; four, two and one went through.
  assert.ok(writes.length <= 6, `${writes.length} writes`)
  assert.equal(await funded(), 92)
  await sound()
})

test('loads of another process at the same time are all counted', async () => {
  const { ctx, ids, load, funded } = await open(1_000, 2)
  const [id = ''] = ids
  await Promise.all([
    ...Array.from({ length: 20 }, (_, at) => load(ids[at % 2])),
    // One by one under locks, as a process does it whose batch has failed.
    ...Array.from({ length: 20 }, () =>
      moveFundsOnce(ctx, { kind: 'LOAD', account_id: id, input: { currency: 'AED', amount: 1 } }),
    ),
  ])
  assert.equal(await funded(), 1_000 - 40)
  await sound()
})

test('copies under one key at one time have one effect and one answer', async () => {
  const { ids, load, funded } = await open(100, 4)
  const headers = { 'x-bezant-idempotency-key': randomUUID() }
  const copies = Array.from({ length: 8 }, () => load(ids[0], 3, headers))
  const others = ids.slice(1).map((id) => load(id, 1))
  const answers = await Promise.all(copies)
  await Promise.all(others)
  const [done, inUse] = [200, 409].map((code) => answers.filter(({ status }) => status === code))
  assert.equal((done?.length ?? 0) + (inUse?.length ?? 0), copies.length)
  assert.equal(new Set(done?.map(({ text }) => text)).size, 1)
  assert.ok(inUse?.every(({ body }) => body.code === 'idempotency_key_in_use'))
  assert.equal(await funded(), 100 - 3 - 3)
})

test('a repeat among other loads answers what was stored, and the others go through', async () => {
  const { ids, load, funded } = await open(100, 4)
  const headers = { 'x-bezant-idempotency-key': randomUUID() }
  const first = await load(ids[0], 3, headers)
  const answers = await Promise.all([
    load(ids[1]),
    load(ids[0], 3, headers),
    load(ids[2]),
    load(ids[3]),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.equal(answers[1]?.text, first.text)
  assert.equal(answers[1]?.headers['idempotent-replayed'], 'true')
  assert.equal(await funded(), 100 - 3 - 3)
})
