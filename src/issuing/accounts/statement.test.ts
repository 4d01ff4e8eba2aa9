import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { transactionTypes } from '#issuing/transactions/schema.ts'
import { parseCsv } from '#test/support/csv.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'
import { entryType } from './rules.ts'
import { entryTypes } from './schema.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { request } = world
const issuer = await openIssuer(world)
const other = await world.otherTenant()

type Entry = {
  id: string
  type: string
  amount: number
  balance: number
  created: string
  transaction_id?: string
  card_id?: string
  merchant?: Record<string, string>
  notes?: string
}

const made = async (path: string, body: object) => {
  const answer = await request('POST', path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const move = (id: string, how: 'loadfunds' | 'unloadfunds', amount: number, notes?: string) =>
  made(`/v1/accounts/${id}:${how}`, { currency: 'AED', amount, ...(notes && { notes }) })
const pathOf = (id: string, query: Record<string, string> = {}) =>
  `/v1/accounts/${id}/transactions?${new URLSearchParams(query)}`
const page = async (id: string, query: Record<string, string> = {}) => {
  const answer = await request('GET', pathOf(id, query))
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { data: Entry[]; after?: string; has_more: boolean }
}
const csv = (id: string, query: Record<string, string> = {}, options = {}) =>
  request('GET', pathOf(id, query), undefined, { headers: { accept: 'text/csv' }, ...options })

/** Every page, one after the other; `between` happens after each. */
async function allOf(id: string, limit: number, between = async () => {}): Promise<Entry[]> {
  const found: Entry[] = []
  for (let after: string | undefined; ; ) {
    const { data, ...rest } = await page(id, { limit: String(limit), ...(after && { after }) })
    found.push(...data)
    if (!rest.has_more) return found
    after = rest.after
    await between()
  }
}

/** The balances of entries follow from one another up to the stored balance. */
function assertRunning(entries: readonly Entry[], balance: number): void {
  const cents = (amount: number) => Math.round(amount * 100)
  let expected = cents(balance)
  for (const entry of entries) {
    assert.equal(cents(entry.balance), expected, entry.id)
    expected -= cents(entry.amount)
  }
  assert.equal(expected, 0)
}

describe('GET /accounts/{id}/transactions', () => {
  test('200 lists every kind of movement, newest first, with the balance that it left', async () => {
    const { card_id, account_id } = await issuer.card(100)
    const second = await issuer.card()
    const merchant = { id: 'M1', name: 'Café', mcc: '5411', city: 'Dubai', country: 'ARE' }
    const purchase = { card_id, amount: 20, currency: 'AED', merchant }
    const paid = await made('/v1/simulate/authorizations', purchase)
    await made(`/v1/simulate/authorizations/${paid.id}:clear`, { amount: 15.5 })
    await made('/v1/simulate/refunds', { transaction_id: paid.id, amount: 5, currency: 'AED' })
    await move(account_id, 'unloadfunds', 10, 'paid out')
    await made('/v1/transfers', {
      sender_account_id: account_id,
      recipient_account_id: second.account_id,
      amount: 1,
      currency: 'AED',
    })

    const { data, has_more } = await page(account_id)
    assert.equal(has_more, false)
    assert.deepEqual(
      data.map(({ type, amount, balance }) => [type, amount, balance]),
      [
        ['TRANSFER', -1, 78.5],
        ['UNLOAD', -10, 79.5],
        ['REFUND', 5, 89.5],
        ['PURCHASE', -15.5, 84.5],
        ['LOAD', 100, 100],
      ],
    )
    assert.partialDeepStrictEqual(data[3], { transaction_id: paid.id, card_id, merchant })
    assert.equal(data[1]?.notes, 'paid out')
    assert.equal('merchant' in (data[1] ?? {}), false)
    assert.match(data[0]?.created ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const [received] = (await page(second.account_id)).data
    assert.partialDeepStrictEqual(received, { id: data[0]?.id, type: 'TRANSFER', amount: 1 })
    assertRunning(data, (await issuer.account(account_id)).balance)
  })

  test('200 what is held or was declined is no entry; an empty account has none', async () => {
    const { card_id, account_id } = await issuer.card(10)
    for (const amount of [5, 50]) {
      await made('/v1/simulate/authorizations', { card_id, amount, currency: 'AED' })
    }
    assert.equal((await page(account_id)).data.length, 1)
    const empty = await issuer.card()
    assert.deepEqual(await page(empty.account_id), { data: [], has_more: false })
  })

  test('200 from an instant on, up to but without another', async () => {
    const { account_id } = await issuer.card()
    for (const amount of [1, 2, 3]) {
      await move(account_id, 'loadfunds', amount)
      await request('PUT', '/v1/simulate/clock', { advance: 'PT1H' })
    }
    const { data } = await page(account_id)
    const created = data.map((entry) => entry.created)
    const amounts = async (query: Record<string, string>) =>
      (await page(account_id, query)).data.map(({ amount, balance }) => [amount, balance])
    const [third = '', second = '', first = ''] = created
    assert.deepEqual(await amounts({ from: second }), [
      [3, 6],
      [2, 3],
    ])
    assert.deepEqual(await amounts({ to: second }), [[1, 1]])
    assert.deepEqual(await amounts({ from: second, to: third }), [[2, 3]])
    assert.deepEqual(await amounts({ from: first, to: third, limit: '1' }), [[2, 3]])
    assert.deepEqual(await amounts({ from: third, to: first }), [])
    const [beginning, end] = ['0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00']
    assert.equal((await amounts({ from: beginning, to: end })).length, 3)
    assert.deepEqual(await amounts({ to: beginning }), [])
    const { after = '' } = await page(account_id, { limit: '1' })
    assert.deepEqual(await amounts({ after, to: end }), [
      [2, 3],
      [1, 1],
    ])
    assert.deepEqual(await amounts({ after, to: second }), [[1, 1]])
  })

  test('200 pages meet, and the sum of all is the balance', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -5_000, max: 10_000 }), { maxLength: 12 }),
        fc.integer({ min: 1, max: 6 }),
        async (movements, limit) => {
          const { account_id } = await issuer.card()
          let kept = 0
          for (const cents of movements) {
            if (cents === 0 || kept + cents < 0) continue
            const how = cents > 0 ? 'loadfunds' : 'unloadfunds'
            await move(account_id, how, Math.abs(cents) / 100)
            kept += cents
          }
          const entries = await allOf(account_id, limit)
          assert.deepEqual(entries, (await page(account_id)).data)
          assert.equal((await issuer.account(account_id)).balance, kept / 100)
          assertRunning(entries, kept / 100)
        },
      ),
      { numRuns: 12 },
    )
  })

  test('200 pages show each entry once with its balance while others are added', async () => {
    const { account_id } = await issuer.card(1_000)
    for (let count = 0; count < 9; count += 1) await move(account_id, 'unloadfunds', 1)
    const before = (await page(account_id)).data
    const entries = await allOf(account_id, 3, async () => {
      await move(account_id, 'loadfunds', 7)
    })
    assert.deepEqual(entries, before)
  })

  test("404 alike for none, another tenant's and the program's own, as CSV too", async () => {
    const { account_id } = await issuer.card()
    const path = `/v1/operator/tenants/${world.tenant.id}/programaccounts`
    const programs = await request('GET', path, undefined, { key: world.operator_key })
    const ids = programs.body.data.map((one: { account_id: string }) => one.account_id)
    assert.equal(ids.length, 7)
    for (const headers of [{}, { accept: 'text/csv' }]) {
      const absent = await request('GET', pathOf(randomUUID()), undefined, { headers })
      assert.equal(absent.status, 404)
      const reported = { ...absent.body, request_id: '' }
      for (const id of ids) {
        const { status, body } = await request('GET', pathOf(id), undefined, { headers })
        assert.deepEqual([status, { ...body, request_id: '' }], [404, reported])
      }
      const theirs = { headers, key: other.api_key }
      const { status, body } = await request('GET', pathOf(account_id), undefined, theirs)
      assert.deepEqual([status, { ...body, request_id: '' }], [404, reported])
    }
  })

  test('400 for a strange cursor, instant, limit and parameter, as CSV too', async () => {
    const { account_id } = await issuer.card()
    for (const query of [{ after: 'x' }, { from: 'today' }, { limit: '201' }, { card_id: 'x' }]) {
      for (const headers of [{}, { accept: 'text/csv' }]) {
        const options = { headers }
        const answer = await request('GET', pathOf(account_id, query), undefined, options)
        assert.equal(answer.status, 400, JSON.stringify(query))
      }
    }
  })
})

describe('the statement as CSV', () => {
  test('200 has the same entries as JSON, all of them, as a file to keep', async () => {
    const { card_id, account_id } = await issuer.card(100)
    const merchant = {
      id: '=1',
      name: '"Books, and\ntoys"',
      mcc: '5411',
      city: '@x',
      country: 'ARE',
    }
    const sold = { card_id, amount: 3, currency: 'AED', merchant }
    const paid = await made('/v1/simulate/authorizations', sold)
    await made(`/v1/simulate/authorizations/${paid.id}:clear`, {})
    await move(account_id, 'unloadfunds', 1.25, '=HYPERLINK("http://127.0.0.1","هنا")')
    await move(account_id, 'loadfunds', 2, '-plain, "quoted"')

    const answer = await csv(account_id, { limit: '1' })
    assert.equal(answer.status, 200)
    assert.partialDeepStrictEqual(answer.headers, {
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="statement-${account_id}.csv"`,
      'x-content-type-options': 'nosniff',
      vary: 'accept',
    })
    const [header, ...rows] = parseCsv(answer.text)
    assert.deepEqual(header, [
      ...['id', 'created', 'type', 'amount', 'currency', 'balance', 'transaction_id', 'card_id'],
      ...['merchant_id', 'merchant_name', 'merchant_mcc', 'merchant_city', 'merchant_country'],
      'notes',
    ])
    const { data } = await page(account_id)
    const harmless = (text = '') => (/^[=@-]/.test(text) ? `'${text}` : text)
    assert.deepEqual(
      rows,
      data.map(({ merchant: shop, ...entry }) => [
        ...[entry.id, entry.created, entry.type, entry.amount.toFixed(2), 'AED'],
        ...[entry.balance.toFixed(2), entry.transaction_id ?? '', entry.card_id ?? ''],
        ...['id', 'name', 'mcc', 'city', 'country'].map((member) => harmless(shop?.[member])),
        harmless(entry.notes),
      ]),
    )
    assert.ok(rows.flat().every((cell) => !/^[=+@]/.test(cell)))
    assert.deepEqual(
      rows.map(([, , , amount]) => Number(amount)),
      [2, -1.25, -3, 100],
    )
  })

  test('200 of a period; a header alone where nothing was posted', async () => {
    const { account_id } = await issuer.card(1)
    const [entry] = (await page(account_id)).data
    const created = entry?.created ?? ''
    const lines = async (query: object) => (await csv(account_id, { ...query })).text.split('\r\n')
    assert.equal((await lines({ from: created })).length, 3)
    assert.deepEqual((await lines({ to: created })).slice(1), [''])
  })

  test('200 as JSON where CSV is not what is wanted most', async () => {
    const { account_id } = await issuer.card(1)
    for (const accept of ['*/*', 'application/pdf', 'text/csv;q=0.5, application/json']) {
      const answer = await csv(account_id, {}, { headers: { accept } })
      assert.deepEqual([answer.status, answer.body.data.length], [200, 1], accept)
      assert.equal(answer.headers['vary'], 'accept')
    }
  })

  test('amounts have the decimals of their currency', async () => {
    for (const [currency, amount, text] of [
      ['JPY', 1500, '1500'],
      ['KWD', 1.5, '1.500'],
    ] as const) {
      const funding = { currency, amount: 10_000 }
      const path = `/v1/operator/tenants/${world.tenant.id}/funding`
      await request('POST', path, funding, { key: world.operator_key })
      const { account_id } = await issuer.card(0, { currency })
      await made(`/v1/accounts/${account_id}:loadfunds`, { currency, amount })
      const [, row] = parseCsv((await csv(account_id)).text)
      assert.deepEqual([row?.[3], row?.[5]], [text, text])
    }
  })
})

test('every type of card transaction that moves money has a type of its own', () => {
  const moving = transactionTypes.filter(
    (type) => !['BALANCE_INQUIRY', 'VERIFICATION', 'UNKNOWN'].includes(type),
  )
  for (const type of moving) {
    assert.equal(entryType(type, type), type)
    assert.equal(entryType('CLEARING', type), type)
    assert.equal(entryType('REVERSAL', type), 'REVERSAL')
  }
  assert.ok(entryTypes.every((type) => entryType(type, null) === type))
  assert.equal(entryType('CORRECTION', null), 'ADJUSTMENT')
})
