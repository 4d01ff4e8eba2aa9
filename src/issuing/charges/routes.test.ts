import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { eventsOf } from '#events/outbox.ts'
import { changeCardStatus } from '#issuing/cards/cards.ts'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { auditTransactions } from '#issuing/transactions/transactions.ts'
import { ofTenant } from '#kit/audit.ts'
import { type Context, onLine, transact } from '#kit/context.ts'
import { Write } from '#kit/db/write.ts'
import { addDays } from '#lib/time.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'
import { auditCharges, chargesOf, writeCharges } from './charges.ts'
import { chargeSweeps } from './sweeps.ts'

const world = await openWorld()
const second = openSecondEngine(world)
after(async () => {
  await second.close()
  await world[Symbol.asyncDispose]()
})
const issuer = await openIssuer(world)
const { call } = issuer
const ctx = await world.ctx()

/** The balance of the program's fees, in major units. */
async function fees(): Promise<number> {
  const path = `/v1/operator/tenants/${world.tenant.id}/programaccounts`
  const { body } = await world.request('GET', path, undefined, { key: world.operator_key })
  const own = body.data.find((one: { kind: string; currency: string }) => {
    return one.kind === 'FEES' && one.currency === 'AED'
  })
  return own?.balance ?? 0
}
const charge = (account_id: string, amount: number | string, fields: object = {}) =>
  call('POST', `/v1/accounts/${account_id}:charge`, {
    amount,
    currency: 'AED',
    description: 'Letter',
    ...fields,
  })
type Listed = {
  id: string
  type: string
  status: string
  amount: number
  transaction_id: string
}
async function listed(account_id: string): Promise<Listed[]> {
  return (await call('GET', `/v1/accounts/${account_id}/charges`)).body.data
}
const shown = async (account_id: string) =>
  (await listed(account_id)).map(({ type, status, amount }) => [type, status, amount])
const advance = (duration: string) =>
  call('PUT', '/v1/simulate/clock', { advance: duration }).then(({ status, text }) =>
    assert.equal(status, 200, text),
  )
const load = (account_id: string, amount: number) =>
  call('POST', `/v1/accounts/${account_id}:loadfunds`, { currency: 'AED', amount })

describe('POST /accounts/{id}:charge', () => {
  test('200 takes the money to the fees, and shows it in the statement', async () => {
    const { account_id } = await issuer.card(100)
    const before = await fees()
    const { status, body } = await charge(account_id, '12.5')
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      account_id,
      type: 'OTHER',
      status: 'APPLIED',
      amount: 12.5,
      currency: 'AED',
      description: 'Letter',
    })
    assert.equal(await fees(), before + 12.5)
    assert.equal((await issuer.account(account_id)).balance, 87.5)
    assert.deepEqual(
      (await call('GET', `/v1/accounts/${account_id}/charges/${body.id}`)).body,
      body,
    )
    assert.deepEqual(await listed(account_id), [body])
    const { data } = (await call('GET', `/v1/accounts/${account_id}/transactions?limit=1`)).body
    assert.partialDeepStrictEqual(data, [
      { id: body.transfer_id, type: 'CHARGE', amount: -12.5, balance: 87.5, notes: 'Letter' },
    ])
    assert.deepEqual(await eventsOf(ctx, body.id), ['CHARGE_APPLIED'])
  })

  test('409 insufficient_funds takes nothing, not even a part', async () => {
    const { account_id } = await issuer.card(10)
    const { status, body } = await charge(account_id, 10.01)
    assert.deepEqual([status, body.code, body.account_id], [409, 'insufficient_funds', account_id])
    assert.deepEqual(await listed(account_id), [])
    assert.equal((await charge(account_id, 10)).status, 200)
  })

  test('200 below zero where the product lets charges go there', async () => {
    const { account_id } = await issuer.card(0, { allow_negative_charges: true })
    assert.equal((await charge(account_id, 5)).body.status, 'APPLIED')
    assert.equal((await issuer.account(account_id)).balance, -5)
  })

  test('once for one idempotency key, and 409 id_taken for an id that exists', async () => {
    const { account_id } = await issuer.card(100)
    const headers = { 'x-bezant-idempotency-key': randomUUID() }
    const path = `/v1/accounts/${account_id}:charge`
    const body = { id: randomUUID(), amount: 1, currency: 'AED', description: 'Letter' }
    const first = await call('POST', path, body, { headers })
    const again = await call('POST', path, body, { headers })
    assert.deepEqual([again.status, again.body], [200, first.body])
    assert.equal((await call('POST', path, body)).body.code, 'id_taken')
    assert.equal((await issuer.account(account_id)).balance, 99)
  })

  test('of eight at one time as many succeed as the account covers', async () => {
    const { account_id } = await issuer.card(10)
    const answers = await Promise.all(Array.from({ length: 8 }, () => charge(account_id, 2)))
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [...Array(5).fill(200), ...Array(3).fill(409)])
    assert.equal((await issuer.account(account_id)).balance, 0)
  })

  test('400 on what cannot be charged, 409 where the account is not ACTIVE, 404 for none', async () => {
    const { account_id } = await issuer.card(10)
    const faults = async (fields: object) => (await charge(account_id, 1, fields)).body.errors?.[0]
    assert.equal((await faults({ amount: 0 })).path, 'amount')
    assert.equal((await faults({ currency: 'USD' })).path, 'currency')
    assert.equal((await faults({ type: 'GIFT' })).path, 'type')
    assert.equal((await charge(randomUUID(), 1)).status, 404)
    await call('PUT', `/v1/accounts/${account_id}:statuschange`, { status: 'SUSPENDED' })
    assert.equal((await charge(account_id, 1)).body.code, 'account_not_active')
  })
})

describe('a card', () => {
  test('is charged as it is issued, once its account has the money', async () => {
    const charges = [{ type: 'ISSUING', amount: 15, description: 'Your card' }]
    const { account_id, card_id } = await issuer.card(0, { charges })
    assert.deepEqual(await shown(account_id), [['ISSUING', 'PENDING', 15]])
    await load(account_id, 20)
    await advance('PT1H')
    const [taken] = await listed(account_id)
    assert.partialDeepStrictEqual(taken, { status: 'APPLIED', card_id, description: 'Your card' })
    assert.equal((await issuer.account(account_id)).balance, 5)
    assert.deepEqual(await eventsOf(ctx, taken?.id ?? ''), ['CHARGE_APPLIED'])
  })

  test('is charged as a replacement, at once from the account that it has', async () => {
    const charges = [{ type: 'REPLACEMENT', amount: 7 }]
    const first = await issuer.card(20, { charges })
    const end = { status: 'TERMINATED', status_reason_code: 'T1' }
    await call('PUT', `/v1/cards/${first.card_id}:statuschange`, end)
    const { card_product_id } = (await call('GET', `/v1/cards/${first.card_id}`)).body
    const replacement = { reference_card_id: first.card_id, card_product_id, card_type: 'VIRTUAL' }
    const made = await call('POST', '/v1/cards', { ...replacement, user_id: first.user_id })
    assert.equal(made.status, 200, made.text)
    assert.deepEqual(await shown(first.account_id), [['REPLACEMENT', 'APPLIED', 7]])
    assert.equal((await issuer.account(first.account_id)).balance, 13)
  })

  test('is charged nothing where the product has no charges', async () => {
    const { account_id } = await issuer.card(20)
    assert.deepEqual(await listed(account_id), [])
  })
})

describe('a month', () => {
  const charges = [{ type: 'MONTHLY', amount: 2 }]
  const months = async (account_id: string) =>
    (await listed(account_id)).filter(({ type }) => type === 'MONTHLY').length

  test('is charged once, also after a jump over several and in a second process', async () => {
    const { account_id } = await issuer.card(100, { charges })
    assert.equal(await months(account_id), 0)
    await advance('P3M')
    assert.equal(await months(account_id), 3)
    await Promise.all([ctx.runDueJobs(ctx.tenant_id), ctx.runDueJobs(ctx.tenant_id)])
    assert.equal(await months(account_id), 3)
    assert.equal((await issuer.account(account_id)).balance, 94)
  })

  test('is charged once where a process ends before its commit', async () => {
    const { account_id } = await issuer.card(100, { charges })
    const later = { ...(await world.ctx()), now: addDays((await world.ctx()).now, 40) }
    const run = (tx: Context) => chargeSweeps[0]?.run(tx) ?? assert.fail()
    const ended = transact(later, async (tx) => {
      await run(tx)
      throw new Error('ended')
    })
    await assert.rejects(ended, /ended/)
    assert.equal(await months(account_id), 0)
    while ((await run(later)).more);
    assert.equal(await months(account_id), 1)
  })

  test('is charged up to the end of the card, whichever sweep comes first', async () => {
    const short = { charges, card_validity_months: 2 }
    const { card_id, account_id } = await issuer.card(100, short)
    // The status in which the sweep of expired cards leaves it.
    const expired = { status: 'TERMINATED', status_reason_code: 'T4' } as const
    await world.db.updateTable('cards').set(expired).where('id', '=', card_id).execute()
    await advance('P6M')
    assert.equal(await months(account_id), 2)
  })

  test('that was due before its card was terminated is charged, none after it', async () => {
    const { card_id, account_id } = await issuer.card(100, { charges })
    // A process that ends a card before it runs the sweep of months.
    const later = { ...ctx, now: addDays((await world.ctx()).now, 70) }
    const end = { status: 'TERMINATED', status_reason_code: 'T1' } as const
    await changeCardStatus(later, card_id, end)
    await advance('P6M')
    assert.equal(await months(account_id), 2)
    const left = world.db.selectFrom('monthly_charges').selectAll().where('card_id', '=', card_id)
    assert.deepEqual(await left.execute(), [])
  })

  test('is not charged for a closed card, nor after the product stops it', async () => {
    const [closed, stopped] = [
      await issuer.card(100, { charges }),
      await issuer.card(100, { charges }),
    ]
    const end = { status: 'TERMINATED', status_reason_code: 'T1' }
    await call('PUT', `/v1/cards/${closed.card_id}:statuschange`, end)
    const { card_product_id } = (await call('GET', `/v1/cards/${stopped.card_id}`)).body
    await call('PUT', `/v1/cardproducts/${card_product_id}`, { charges: [] })
    await advance('P2M')
    assert.deepEqual([await months(closed.account_id), await months(stopped.account_id)], [0, 0])
  })
})

describe('a card transaction', () => {
  const charges = [
    { type: 'CASH_WITHDRAWAL', amount: 5 },
    { type: 'FOREIGN_CURRENCY', percent: 2.5 },
  ]
  const authorize = async (card_id: string, amount: number, fields: object = {}) =>
    (
      await call('POST', '/v1/simulate/authorizations', {
        card_id,
        amount,
        currency: 'AED',
        ...fields,
      })
    ).body
  const act = (id: string, verb: string) =>
    call('POST', `/v1/simulate/authorizations/${id}:${verb}`, {})

  test('is charged as its money is posted, as a part of what it needs', async () => {
    const { card_id, account_id } = await issuer.card(105, { charges })
    const cash = { transaction_type: 'WITHDRAWAL', merchant: { mcc: '6011' }, entry_mode: 'CHIP' }
    assert.equal((await authorize(card_id, 100.01, cash)).status_code, '1016')
    const { id, status_code } = await authorize(card_id, 100, cash)
    assert.equal(status_code, '0000')
    await act(id, 'clear')
    const [taken] = await listed(account_id)
    assert.partialDeepStrictEqual(taken, { type: 'CASH_WITHDRAWAL', amount: 5, transaction_id: id })
    assert.equal((await issuer.account(account_id)).balance, 0)
  })

  test('is in the statement before its charges: newest first they stand above it', async () => {
    const { card_id, account_id } = await issuer.card(200, { charges })
    const fields = { message_type: '0200', processing_code: '010000' } as const
    // In one batch, or in several: each charge is newer than its withdrawal.
    await Promise.all(
      [1, 2].map(() =>
        world.engine.submit(ctx.tenant_id, { request: purchase({ card_id }, 5_000n, fields) }),
      ),
    )
    const { data } = (await call('GET', `/v1/accounts/${account_id}/transactions`)).body
    const placeOf = (type: string, transaction_id: string) =>
      data.findIndex((entry: { type: string; transaction_id?: string }) => {
        return entry.type === type && entry.transaction_id === transaction_id
      })
    const taken = await listed(account_id)
    assert.equal(taken.length, 2)
    for (const { transaction_id } of taken) {
      const [fee, cash] = [placeOf('CHARGE', transaction_id), placeOf('WITHDRAWAL', transaction_id)]
      assert.ok(fee !== -1 && fee < cash, `${fee} ${cash}`)
    }
  })

  test('that waits for its charge is given up with it', async () => {
    const { card_id, account_id } = await issuer.card(105, { charges })
    const cash = { transaction_type: 'WITHDRAWAL', merchant: { mcc: '6011' }, entry_mode: 'CHIP' }
    const { id } = await authorize(card_id, 100, cash)
    await charge(account_id, 5)
    await act(id, 'clear')
    assert.deepEqual(await shown(account_id), [
      ['CASH_WITHDRAWAL', 'PENDING', 5],
      ['OTHER', 'APPLIED', 5],
    ])
    await advance('P91D')
    await advance('PT1H')
    assert.deepEqual((await shown(account_id))[0], ['CASH_WITHDRAWAL', 'CANCELED', 5])
  })

  test('whose batch is not written leaves no failure of its charge that nobody awaits', async () => {
    const { account_id } = await issuer.card(0)
    const wanted = { account_id, type: 'FOREIGN_CURRENCY', amount: 1n, currency: 'AED' } as const
    const { rows } = chargesOf(ctx, [{ ...wanted, forced: false, taken: false }])
    const line = await ctx.db.openLine()
    const sent = line.send((db) =>
      Write.all(db, Write.of(db, sql`select 1 / 0`), writeCharges(onLine(ctx, db), rows)),
    )
    await assert.rejects(sent, /division by zero/)
    // Such a failure would end the program here.
    await turn()
    line.release()
    assert.deepEqual(await shown(account_id), [])
  })

  test('gives its charges back once it is reversed, with a second process at work', async () => {
    const { card_id, account_id } = await issuer.card(200, { charges })
    const before = await fees()
    const fields = { message_type: '0200', processing_code: '010000' } as const
    const first = purchase({ card_id }, 10_000n, fields)
    const paid = await world.engine.submit(ctx.tenant_id, { request: first })
    assert.equal(paid.status_code, '0000')
    assert.deepEqual(await shown(account_id), [['CASH_WITHDRAWAL', 'APPLIED', 5]])
    assert.deepEqual([(await issuer.account(account_id)).balance, await fees()], [95, before + 5])
    const back = about(first, { message_type: '0420' })
    assert.equal((await second.engine.submit(ctx.tenant_id, { request: back })).status_code, '0000')
    await ctx.runDueJobs(ctx.tenant_id)
    assert.deepEqual(await shown(account_id), [['CASH_WITHDRAWAL', 'REVERSED', 5]])
    assert.deepEqual([(await issuer.account(account_id)).balance, await fees()], [200, before])
  })

  test('is charged for the completion that comes beside the reversal of an earlier one', async () => {
    const { card_id, account_id } = await issuer.card(200, { charges })
    const submit = (request: TestMessage) => world.engine.submit(ctx.tenant_id, { request })
    const first = purchase({ card_id }, 10_000n, { processing_code: '010000' })
    await submit(first)
    const lost = about(first, { message_type: '0220' })
    const completions = [
      lost,
      about(lost, { message_type: '0420' }),
      about(first, { message_type: '0220' }),
    ]
    // In one batch, as a network sends what it has stored for a broken connection.
    const answers = await Promise.all(completions.map(submit))
    assert.deepEqual(
      answers.map(({ status_code }) => status_code),
      ['0000', '0000', '0000'],
    )
    await ctx.runDueJobs(ctx.tenant_id)
    assert.deepEqual(await shown(account_id), [
      ['CASH_WITHDRAWAL', 'APPLIED', 5],
      ['CASH_WITHDRAWAL', 'REVERSED', 5],
    ])
    assert.equal((await issuer.account(account_id)).balance, 95)
  })

  test('of 24 withdrawals at one time in two processes as many succeed as are covered', async () => {
    const { card_id, account_id } = await issuer.card(100, { charges })
    const engineAt = (at: number) => (at % 2 === 0 ? world.engine : second.engine)
    const fields = { message_type: '0200', processing_code: '010000' } as const
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        engineAt(at).submit(ctx.tenant_id, { request: purchase({ card_id }, 1_500n, fields) }),
      ),
    )
    assert.equal(answers.filter(({ approved }) => approved).length, 5)
    assert.equal((await issuer.account(account_id)).balance, 0)
    assert.equal((await listed(account_id)).length, 5)
  })
})

test('the audits find nothing, and a charge without its money', async () => {
  for (const audit of [auditCharges, auditLedger]) assert.deepEqual(await audit(world.db), [])
  assert.deepEqual(await auditTransactions(world.db, ofTenant(world.tenant.id)), [])
  const { account_id } = await issuer.card(10)
  const { id } = (await charge(account_id, 1)).body
  const changed = world.db.updateTable('charges').set({ amount: 2n }).where('id', '=', id)
  await changed.execute()
  const [found] = await auditCharges(world.db)
  assert.deepEqual([found?.invariant, found?.subject], ['I4', `charge ${id}`])
})
