import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { eventsOf } from '#events/outbox.ts'
import { auditLedger, openCardAccount, programAccountId } from '#issuing/ledger/ledger.ts'
import { transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { endOfMonth } from '#lib/time.ts'
import { freshBin } from '#test/support/contract/belongings.ts'
import { payloadsOf } from '#test/support/events.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'

const world = await openWorld()
const { request } = world
after(() => world[Symbol.asyncDispose]())

const operator = { key: world.operator_key }
const fundingPath = (tenant_id: string) => `/v1/operator/tenants/${tenant_id}/funding`
const fund = (tenant: TestTenant, amount: unknown, currency = 'AED') =>
  request('POST', fundingPath(tenant.id), { currency, amount }, operator)

async function open(
  options: {
    currency?: string
    user_id?: string
    tenant_id?: string
    card_product_id?: string
  } = {},
): Promise<{ id: string }> {
  const { currency = 'AED', user_id = randomUUID(), tenant_id = world.tenant.id } = options
  const { card_product_id = user_id } = options
  return transact(await world.ctx(tenant_id), (tx) =>
    openCardAccount(tx, { currency, user_id, card_product_id }),
  )
}

/** The id of a product with these settings of authorizations and transfers. */
async function productWith(auth_settings: object): Promise<string> {
  const terms = { name: 'Product', currency: 'AED', bin: freshBin(), auth_settings }
  const { status, body, text } = await request('POST', '/v1/cardproducts', terms)
  assert.equal(status, 200, text)
  return body.id
}

const load = (id: string, body: object, options = {}) =>
  request('POST', `/v1/accounts/${id}:loadfunds`, { currency: 'AED', ...body }, options)
const unload = (id: string, body: object, options = {}) =>
  request('POST', `/v1/accounts/${id}:unloadfunds`, { currency: 'AED', ...body }, options)
const transfer = (from: string, to: string, body: object) =>
  request('POST', '/v1/transfers', {
    sender_account_id: from,
    recipient_account_id: to,
    currency: 'AED',
    ...body,
  })
const changeStatus = (id: string, body: object) =>
  request('PUT', `/v1/accounts/${id}:statuschange`, body)

/** A tenant of its own with program funding and one account. */
async function ownTenant(amount: number) {
  const tenant = await world.otherTenant()
  await fund(tenant, amount)
  const account = await open({ tenant_id: tenant.id })
  return { tenant, account, options: { key: tenant.api_key } }
}

async function fundingBalance(tenant: TestTenant): Promise<number | undefined> {
  const { body } = await request('GET', fundingPath(tenant.id), undefined, operator)
  return body.data.find((one: { currency: string }) => one.currency === 'AED')?.balance
}

/** A card as the cards slice would issue it, linked to the account. */
async function insertCard(account_id: string | null): Promise<string> {
  const [id, card_product_id, now] = [newId(), newId(), new Date()]
  const row = { tenant_id: world.tenant.id, created: now, modified: now }
  await world.db
    .insertInto('card_products')
    .values({
      ...row,
      id: card_product_id,
      name: 'product',
      status: 'ACTIVE',
      currency: 'AED',
      bin: '400000',
      pan_range_start: '000000000',
      pan_range_end: '999999999',
      link_account_to_card: true,
      virtual_to_physical_expiry_duration: 30,
      initial_status_of_physical_card: 'INACTIVE',
      initial_status_of_virtual_card: 'ACTIVE',
      card_validity_months: 36,
      pin: '{}',
      auth_settings: '{}',
      partial_approval: false,
      otp_3ds: false,
      clearing_tolerance_percent: 15,
    })
    .execute()
  await world.db
    .insertInto('cards')
    .values({
      ...row,
      id,
      card_product_id,
      account_id,
      card_type: 'VIRTUAL',
      status: 'ACTIVE',
      status_reason_code: 'A0',
      bin: '400000',
      last_four: '0000',
      expiry_date: '2030-01',
      valid_until: endOfMonth('2030-01'),
      chain_id: id,
      auth_settings: '{}',
    })
    .execute()
  return id
}

/** Every row of the books and the outbox, to show that nothing changed. */
async function everything(tenant_id: string): Promise<string> {
  const tables = ['accounts', 'transfers', 'holds', 'events', 'deliveries'] as const
  const rows = await Promise.all(
    tables.map((table) =>
      world.db.selectFrom(table).selectAll().where('tenant_id', '=', tenant_id).execute(),
    ),
  )
  return JSON.stringify(
    rows.map((table) => table.map((row) => JSON.stringify(row, asText)).sort()),
    asText,
  )
}
const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

before(() => fund(world.tenant, 1_000_000))

describe('GET /accounts/{id}', () => {
  test('200 contains what was posted, what is held and what is left', async () => {
    const user_id = randomUUID()
    const account = await open({ user_id })
    const card_id = await insertCard(account.id)
    await load(account.id, { amount: 100.5 })
    const { status, body } = await request('GET', `/v1/accounts/${account.id}`)
    assert.equal(status, 200)
    const { created, modified, ...rest } = body
    assert.match(created, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.ok(modified >= created)
    assert.deepEqual(rest, {
      id: account.id,
      user_id,
      card_ids: [card_id],
      currency: 'AED',
      balance: 100.5,
      available_balance: 100.5,
      held_amount: 0,
      status: 'ACTIVE',
      default_account: true,
    })
  })

  test('200 what is held is neither available nor to be unloaded', async () => {
    const account = await open()
    await load(account.id, { amount: 100 })
    const { tenant_id, now } = await world.ctx()
    await sql`update accounts set held = 4025 where id = ${account.id}`.execute(world.db)
    await sql`insert into holds (tenant_id, id, account_id, currency, amount, created)
      values (${tenant_id}, ${newId()}, ${account.id}, 'AED', 4025, ${now})`.execute(world.db)
    const { body } = await request('GET', `/v1/accounts/${account.id}`)
    const { balance, held_amount, available_balance } = body
    assert.deepEqual([balance, held_amount, available_balance], [100, 40.25, 59.75])
    assert.equal((await unload(account.id, { amount: 59.76 })).body.code, 'insufficient_funds')
    assert.equal((await unload(account.id, { amount: 59.75 })).body.account.balance, 40.25)
  })

  test("404 alike for none, another tenant's, and the program's own", async () => {
    const theirs = await open({ tenant_id: (await world.otherTenant()).id })
    const funding = programAccountId(world.tenant.id, 'FUNDING', 'AED')
    for (const id of [randomUUID(), theirs.id, funding]) {
      const { status, body } = await request('GET', `/v1/accounts/${id}`)
      assert.equal(status, 404)
      assert.equal(body.code, 'not_found')
    }
  })

  test('400 for what is no id', async () => {
    assert.equal((await request('GET', '/v1/accounts/7')).status, 400)
  })
})

describe('GET /accounts', () => {
  test('200 in pages, newest first, of one user, each once', async () => {
    const user_id = randomUUID()
    const opened: string[] = []
    for (let at = 0; at < 5; at++) opened.unshift((await open({ user_id })).id)
    const listed: string[] = []
    let after = ''
    for (let page = 0; page < 3; page++) {
      const path = `/v1/accounts?user_id=${user_id}&limit=2${after}`
      const { status, body } = await request('GET', path)
      assert.equal(status, 200)
      assert.equal(body.has_more, page < 2)
      listed.push(...body.data.map(({ id }: { id: string }) => id))
      after = `&after=${body.after}`
    }
    assert.deepEqual(listed, opened)
  })

  test("200 never shows the program's own or another tenant's accounts", async () => {
    const { account, options } = await ownTenant(10)
    const { body } = await request('GET', '/v1/accounts', undefined, options)
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [account.id],
    )
  })

  test('200 of one card; empty for a user without accounts', async () => {
    const account = await open()
    const card_id = await insertCard(account.id)
    const { body } = await request('GET', `/v1/accounts?card_id=${card_id}`)
    assert.deepEqual(
      body.data.map(({ id }: { id: string }) => id),
      [account.id],
    )
    const none = await request('GET', `/v1/accounts?user_id=${randomUUID()}`)
    assert.deepEqual(none.body, { data: [], has_more: false })
  })

  test('400 for an unknown cursor, an unknown filter and a limit out of bounds', async () => {
    for (const query of ['after=xx', 'kind=FUNDING', 'limit=0', 'limit=201', 'user_id=7']) {
      assert.equal((await request('GET', `/v1/accounts?${query}`)).status, 400, query)
    }
  })
})

describe('GET /cards/{id}/accounts', () => {
  test('200 the linked account, or none before the first link', async () => {
    const account = await open()
    const linked = await request('GET', `/v1/cards/${await insertCard(account.id)}/accounts`)
    assert.equal(linked.status, 200)
    assert.equal(linked.body.data[0].id, account.id)
    const alone = await request('GET', `/v1/cards/${await insertCard(null)}/accounts`)
    assert.deepEqual(alone.body, { data: [], has_more: false })
  })

  test('404 for no such card, and for the card of another tenant', async () => {
    assert.equal((await request('GET', `/v1/cards/${randomUUID()}/accounts`)).status, 404)
    const card_id = await insertCard(null)
    const { api_key: key } = await world.otherTenant()
    const theirs = await request('GET', `/v1/cards/${card_id}/accounts`, undefined, { key })
    assert.equal(theirs.status, 404)
  })
})

describe('GET /funding', () => {
  test('200 shows what is left, what left it, and for how many days it lasts', async () => {
    const { account, options } = await ownTenant(100)
    const read = async () => (await request('GET', '/v1/funding', undefined, options)).body.data
    const [unused] = await read()
    assert.partialDeepStrictEqual(unused, { currency: 'AED', balance: 100, held: 0, drawn: 0 })
    assert.equal(unused.days_left, undefined)
    await load(account.id, { amount: 20 }, options)
    const [used, ...others] = await read()
    assert.partialDeepStrictEqual(used, { balance: 80, drawn: 20, days_left: 4 })
    assert.deepEqual(others, [])
  })

  test('200 of a tenant without funding is empty', async () => {
    const { api_key: key } = await world.otherTenant()
    const { status, body } = await request('GET', '/v1/funding', undefined, { key })
    assert.deepEqual([status, body.data], [200, []])
  })
})

describe('POST /accounts/{id}:loadfunds and :unloadfunds', () => {
  test('200 moves funds from program funding to the account and back', async () => {
    const { tenant, account, options } = await ownTenant(100)
    const loaded = await load(account.id, { amount: '60.25', notes: 'first' }, options)
    assert.equal(loaded.status, 200)
    assert.partialDeepStrictEqual(loaded.body, {
      amount: 60.25,
      currency: 'AED',
      dry_run: false,
      notes: 'first',
      account: { id: account.id, balance: 60.25, available_balance: 60.25 },
    })
    assert.equal(await fundingBalance(tenant), 39.75)
    const row = await world.db
      .selectFrom('transfers')
      .select(['kind', 'amount', 'notes'])
      .where('id', '=', loaded.body.transfer_id)
      .executeTakeFirst()
    assert.deepEqual(row, { kind: 'LOAD', amount: 6025n, notes: 'first' })

    const unloaded = await unload(account.id, { amount: 60.25 }, options)
    assert.equal(unloaded.body.account.balance, 0)
    assert.equal(await fundingBalance(tenant), 100)
  })

  test('200 for an id in upper case', async () => {
    const account = await open()
    assert.equal((await load(account.id.toUpperCase(), { amount: 1 })).status, 200)
  })

  test('200 a dry run answers what would be, names no transfer and changes 0 rows', async () => {
    const { tenant, account, options } = await ownTenant(100)
    await load(account.id, { amount: 10 }, options)
    const before = await everything(tenant.id)
    const loaded = await load(account.id, { amount: 90, dry_run: true }, options)
    assert.equal(loaded.status, 200)
    assert.partialDeepStrictEqual(loaded.body, { dry_run: true, account: { balance: 100 } })
    assert.equal('transfer_id' in loaded.body, false)
    const unloaded = await unload(account.id, { amount: 4, dry_run: true }, options)
    assert.equal(unloaded.body.account.balance, 6)
    const key = { headers: { 'x-bezant-idempotency-key': 'dry' }, ...options }
    assert.equal((await load(account.id, { amount: 1, dry_run: true }, key)).status, 200)
    assert.equal(await everything(tenant.id), before)
  })

  test('200 once under an idempotency key, however often it is sent', async () => {
    const { account, options } = await ownTenant(100)
    const keyed = { ...options, headers: { 'x-bezant-idempotency-key': randomUUID() } }
    const first = await load(account.id, { amount: 10 }, keyed)
    const again = await load(account.id, { amount: 10 }, keyed)
    assert.equal(first.status, 200)
    assert.equal(again.text, first.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    const other = await load(account.id, { amount: 11 }, keyed)
    assert.equal(other.body.code, 'idempotency_key_reused')
    const { body } = await request('GET', `/v1/accounts/${account.id}`, undefined, options)
    assert.equal(body.balance, 10)
  })

  test('409 insufficient_funds for more than is there, in the dry run too', async () => {
    const { tenant, account, options } = await ownTenant(50)
    await load(account.id, { amount: 20 }, options)
    const before = await everything(tenant.id)
    for (const dry_run of [true, false]) {
      const loaded = await load(account.id, { amount: 30.01, dry_run }, options)
      const unloaded = await unload(account.id, { amount: 20.01, dry_run }, options)
      assert.deepEqual([loaded.status, unloaded.status], [409, 409])
      assert.equal(loaded.body.code, 'insufficient_funds')
      assert.equal(unloaded.body.account_id, account.id)
    }
    assert.equal(await everything(tenant.id), before)
  })

  test('409 insufficient_funds where the currency was never funded', async () => {
    const account = await open({ currency: 'KWD' })
    const reply = await load(account.id, { amount: 0.001, currency: 'KWD' })
    assert.equal(reply.body.code, 'insufficient_funds')
  })

  test('409 account_not_active, naming the status', async () => {
    const account = await open()
    for (const status of ['SUSPENDED', 'INACTIVE']) {
      await changeStatus(account.id, { status })
      for (const way of [load, unload]) {
        for (const dry_run of [false, true]) {
          const reply = await way(account.id, { amount: 1, dry_run })
          assert.equal(reply.status, 409)
          assert.partialDeepStrictEqual(reply.body, {
            code: 'account_not_active',
            account_status: status,
          })
        }
      }
    }
  })

  test('404 for no account, and for the program funding account itself', async () => {
    const funding = programAccountId(world.tenant.id, 'FUNDING', 'AED')
    for (const id of [randomUUID(), funding]) {
      assert.equal((await load(id, { amount: 1 })).status, 404)
    }
  })

  const wrong: [string, object, string][] = [
    ['nothing', { amount: 0 }, 'amount'],
    ['a negative amount', { amount: -1 }, 'amount'],
    ['negative text', { amount: '-1' }, 'amount'],
    ['three decimals of AED', { amount: 0.001 }, 'amount'],
    ['more than 15 digits', { amount: '99999999999999.99' }, 'amount'],
    ['a number past all amounts', { amount: 1e300 }, 'amount'],
    ['no amount', {}, 'amount'],
    ['null', { amount: null }, 'amount'],
    ['a comma', { amount: '10,00' }, 'amount'],
    ['another currency than the account has', { amount: 1, currency: 'USD' }, 'currency'],
    ['a currency that is none', { amount: 1, currency: 'ZZZ' }, 'currency'],
    ['lower case', { amount: 1, currency: 'aed' }, 'currency'],
    ['an unknown field', { amount: 1, balance: 5 }, 'balance'],
    ['notes past 1000 characters', { amount: 1, notes: 'x'.repeat(1001) }, 'notes'],
  ]
  for (const [name, body, field] of wrong) {
    test(`400 on ${field} for ${name}`, async () => {
      const account = await open()
      const reply = await load(account.id, body)
      assert.equal(reply.status, 400)
      assert.ok(reply.body.errors.some(({ path }: { path: string }) => path === field))
    })
  }

  test('64 loads at once never overdraw program funding, and the books agree', async () => {
    const { tenant, account, options } = await ownTenant(10)
    const replies = await Promise.all(
      Array.from({ length: 64 }, () => load(account.id, { amount: 0.3 }, options)),
    )
    const count = (status: number) => replies.filter((reply) => reply.status === status).length
    assert.deepEqual([count(200), count(409)], [33, 31])
    assert.equal(await fundingBalance(tenant), 0.1)
    assert.deepEqual(await auditLedger(world.db), [])
  })
})

describe('POST /transfers', () => {
  test('200 moves funds between two accounts; a dry run moves nothing', async () => {
    const [one, other] = [await open(), await open()]
    await load(one.id, { amount: 10 })
    const tried = await transfer(one.id, other.id, { amount: 4, dry_run: true })
    assert.partialDeepStrictEqual(tried.body, {
      dry_run: true,
      sender_account: { balance: 6 },
      recipient_account: { balance: 4 },
    })
    assert.equal('transfer_id' in tried.body, false)
    const done = await transfer(one.id, other.id, { amount: 4, notes: 'rent' })
    assert.equal(done.status, 200)
    assert.partialDeepStrictEqual(done.body, {
      sender_account_id: one.id,
      recipient_account_id: other.id,
      amount: 4,
      currency: 'AED',
      dry_run: false,
      notes: 'rent',
      sender_account: { id: one.id, balance: 6 },
      recipient_account: { id: other.id, balance: 4 },
    })
    assert.ok(done.body.transfer_id)
  })

  test('409 insufficient_funds, and account_not_active on either side', async () => {
    const [one, other] = [await open(), await open()]
    await load(one.id, { amount: 10 })
    const short = await transfer(one.id, other.id, { amount: 10.01 })
    assert.equal(short.body.code, 'insufficient_funds')
    for (const { id } of [other, one]) {
      for (const status of ['SUSPENDED', 'INACTIVE']) {
        await changeStatus(id, { status })
        const reply = await transfer(one.id, other.id, { amount: 1 })
        assert.partialDeepStrictEqual(reply.body, { code: 'account_not_active', account_id: id })
      }
      await changeStatus(id, { status: 'ACTIVE' })
    }
  })

  test('409 where the product of the sender lets none out, or that of the recipient none in', async () => {
    const [in_only, out_only] = await Promise.all([
      productWith({ outgoing_transfers: false }),
      productWith({ incoming_transfers: false }),
    ])
    const [one, in_one, out_one] = await Promise.all([
      open(),
      open({ card_product_id: in_only }),
      open({ card_product_id: out_only }),
    ])
    for (const { id } of [one, in_one, out_one]) await load(id, { amount: 10 })
    const codeOf = async (from: string, to: string, fields: object = {}) => {
      const { status, body } = await transfer(from, to, { amount: 1, ...fields })
      return [status, body.code, body.account_id]
    }
    const out = [409, 'outgoing_transfers_not_allowed', in_one.id]
    const into = [409, 'incoming_transfers_not_allowed', out_one.id]
    assert.deepEqual(await codeOf(in_one.id, one.id), out)
    assert.deepEqual(await codeOf(one.id, out_one.id), into)
    assert.deepEqual(await codeOf(in_one.id, out_one.id), out)
    assert.deepEqual(await codeOf(one.id, out_one.id, { dry_run: true }), into)
    assert.deepEqual(await codeOf(one.id, out_one.id, { amount: 1_000 }), into)
    assert.equal((await transfer(out_one.id, in_one.id, { amount: 1 })).status, 200)
  })

  test("400 on the account that is not there, is another tenant's or the program's", async () => {
    const account = await open()
    const theirs = await open({ tenant_id: (await world.otherTenant()).id })
    const funding = programAccountId(world.tenant.id, 'FUNDING', 'AED')
    for (const id of [randomUUID(), theirs.id, funding]) {
      const from = await transfer(id, account.id, { amount: 1 })
      const to = await transfer(account.id, id, { amount: 1 })
      assert.deepEqual([from.status, to.status], [400, 400])
      assert.equal(from.body.errors[0].path, 'sender_account_id')
      assert.equal(to.body.errors[0].path, 'recipient_account_id')
    }
  })

  test('400 from an account to itself, and between two currencies', async () => {
    const [one, dollars] = [await open(), await open({ currency: 'USD' })]
    const itself = await transfer(one.id, one.id.toUpperCase(), { amount: 1 })
    assert.equal(itself.body.errors[0].path, 'recipient_account_id')
    for (const currency of ['AED', 'USD']) {
      const reply = await transfer(one.id, dollars.id, { amount: 1, currency })
      assert.equal(reply.body.errors[0].path, 'currency')
    }
  })
})

describe('PUT /accounts/{id}:statuschange', () => {
  test('200 changes the status and reports each change', async () => {
    const user_id = randomUUID()
    const account = await open({ user_id })
    const reply = await changeStatus(account.id, { status: 'SUSPENDED', notes: 'asked for' })
    assert.equal(reply.status, 200)
    assert.equal(reply.body.status, 'SUSPENDED')
    assert.equal((await changeStatus(account.id, { status: 'ACTIVE' })).body.status, 'ACTIVE')
    const events = ['SUCCESSFULLY_CREATED', 'ACCOUNT_STATUS_CHANGE', 'ACCOUNT_STATUS_CHANGE']
    assert.deepEqual(await eventsOf(await world.ctx(), account.id), events)
    const payload = (await payloadsOf(world, account.id))[1]
    assert.deepEqual(payload.account_status_change, {
      account_id: account.id,
      user_id,
      old_status: 'ACTIVE',
      new_status: 'SUSPENDED',
      notes: 'asked for',
    })
  })

  test('409 for the status that it has, without an event', async () => {
    const account = await open()
    const reply = await changeStatus(account.id, { status: 'ACTIVE' })
    assert.equal(reply.status, 409)
    assert.equal(reply.body.code, 'account_status_move_refused')
    assert.equal((await eventsOf(await world.ctx(), account.id)).length, 1)
  })

  test('of 16 that ask for one status at once, one wins', async () => {
    const account = await open()
    const replies = await Promise.all(
      Array.from({ length: 16 }, () => changeStatus(account.id, { status: 'SUSPENDED' })),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, 1)
    assert.equal(replies.filter(({ status }) => status === 409).length, 15)
  })

  test('400 for a status that does not exist; 404 for no account', async () => {
    const account = await open()
    assert.equal((await changeStatus(account.id, { status: 'CLOSED' })).status, 400)
    assert.equal((await changeStatus(randomUUID(), { status: 'ACTIVE' })).status, 404)
    const funding = programAccountId(world.tenant.id, 'FUNDING', 'AED')
    assert.equal((await changeStatus(funding, { status: 'SUSPENDED' })).status, 404)
  })
})

describe('/operator/tenants/{id}/funding', () => {
  test('200 adds up by currency, and lists what is there', async () => {
    const tenant = await world.otherTenant()
    assert.deepEqual((await request('GET', fundingPath(tenant.id), undefined, operator)).body, {
      data: [],
      has_more: false,
    })
    const account_id = programAccountId(tenant.id, 'FUNDING', 'AED')
    const { body, status } = await fund(tenant, 100.5)
    assert.equal(status, 200)
    const { transfer_id, ...rest } = body
    assert.ok(transfer_id)
    assert.deepEqual(rest, { amount: 100.5, account_id, currency: 'AED', balance: 100.5 })
    await fund(tenant, 7, 'JPY')
    assert.equal((await fund(tenant, 0.5)).body.balance, 101)
    const { body: list } = await request('GET', fundingPath(tenant.id), undefined, operator)
    assert.deepEqual(
      list.data.map(({ currency, balance }: { currency: string; balance: number }) => [
        currency,
        balance,
      ]),
      [
        ['AED', 101],
        ['JPY', 7],
      ],
    )
  })

  test("200 in the tenant's default currency where none is named", async () => {
    const tenant = await world.otherTenant({ default_currency: 'KWD' })
    const reply = await request('POST', fundingPath(tenant.id), { amount: '7.125' }, operator)
    assert.equal(reply.status, 200, reply.text)
    assert.partialDeepStrictEqual(reply.body, { currency: 'KWD', amount: 7.125, balance: 7.125 })
  })

  test('200 once under an idempotency key, in the books of that tenant', async () => {
    const tenant = await world.otherTenant()
    const options = { ...operator, headers: { 'x-bezant-idempotency-key': randomUUID() } }
    const body = { currency: 'AED', amount: 5 }
    const first = await request('POST', fundingPath(tenant.id), body, options)
    const again = await request('POST', fundingPath(tenant.id), body, options)
    assert.equal(first.status, 200)
    assert.equal(again.text, first.text)
    assert.equal(await fundingBalance(tenant), 5)
  })

  test('a first funding 16 times at once opens the accounts once and counts each', async () => {
    const tenant = await world.otherTenant()
    const replies = await Promise.all(Array.from({ length: 16 }, () => fund(tenant, 1)))
    assert.ok(replies.every(({ status }) => status === 200))
    assert.equal(await fundingBalance(tenant), 16)
  })

  test('409 balance_too_large past 15 digits', async () => {
    const tenant = await world.otherTenant()
    assert.equal((await fund(tenant, '9999999999999.99')).status, 200)
    assert.equal((await fund(tenant, 0.01)).body.code, 'balance_too_large')
    assert.equal(await fundingBalance(tenant), 9_999_999_999_999.99)
  })

  test("403 with a client's key; 404 for no tenant; 400 for no amount", async () => {
    const path = fundingPath(world.tenant.id)
    assert.equal((await request('POST', path, { currency: 'AED', amount: 1 })).status, 403)
    assert.equal((await request('GET', path)).status, 403)
    const nowhere = { id: randomUUID(), api_key: '' }
    assert.equal((await fund(nowhere, 1)).status, 404)
    const absent = await request('GET', fundingPath(nowhere.id), undefined, operator)
    assert.equal(absent.status, 404)
    assert.equal((await fund(world.tenant, 0)).status, 400)
    assert.equal((await fund(world.tenant, 1, 'XXX')).status, 400)
  })

  test("what is done has the tenant's time", async () => {
    const tenant = await world.otherTenant()
    const day = 24 * 60 * 60 * 1000
    await world.db
      .updateTable('tenants')
      .set({ clock_offset_ms: BigInt(day) })
      .where('id', '=', tenant.id)
      .execute()
    const { body } = await fund(tenant, 1)
    const { created } = await world.db
      .selectFrom('transfers')
      .select('created')
      .where('id', '=', body.transfer_id)
      .executeTakeFirstOrThrow()
    assert.ok(created.getTime() > Date.now() + day / 2)
  })
})
