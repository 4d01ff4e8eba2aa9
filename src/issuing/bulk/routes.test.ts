import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { holdExpiry } from '#issuing/authorization/sweeps.ts'
import type { FulfillmentStatus } from '#issuing/cards/schema.ts'
import { addMonths, monthOf } from '#lib/time.ts'
import { windowOf } from '#lib/window.ts'
import { checksumsOf } from '#test/support/inspection/checksums.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openWorld } from '#test/support/world.ts'
import { workOnOne } from './job.ts'

const world = await openWorld({ settings: { time_zone: 'Asia/Dubai' } })
after(() => world[Symbol.asyncDispose]())

const { request, tenant } = world
const other = await world.otherTenant()

let bins = 540_000
const makeProduct = async (fields: object = {}, options = {}) => {
  const body = { name: 'Gift', currency: 'AED', bin: String(bins++), ...fields }
  return (await request('POST', '/v1/cardproducts', body, options)).body
}
const fund = (amount: number) =>
  request(
    'POST',
    `/v1/operator/tenants/${tenant.id}/funding`,
    { currency: 'AED', amount },
    { key: world.operator_key },
  )
await fund(1_000_000)
const product = await makeProduct()
const unlinked = await makeProduct({ link_account_to_card: false })

const ask = (fields: object = {}, options = {}) =>
  request(
    'POST',
    '/v1/bulkissuances',
    { card_product_id: product.id, number_of_cards: 3, currency: 'AED', ...fields },
    options,
  )
const made = async (fields: object = {}) => {
  const { status, body } = await ask(fields)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const read = async (id: string) => (await request('GET', `/v1/bulkissuances/${id}`)).body
const put = (id: string, body: object, options = {}) =>
  request('PUT', `/v1/bulkissuances/${id}`, body, options)
const runJobs = () => world.services.runDueJobs(tenant.id)
const processed = async (fields: object = {}) => {
  const { id } = await made(fields)
  await runJobs()
  return read(id)
}
const cardsOf = async (id: string) =>
  (await request('GET', `/v1/cards?bulk_issuance_id=${id}&limit=200`)).body.data
const pathsOf = (body: { errors: { path: string }[] }) => body.errors.map(({ path }) => path).sort()
const fundingOf = async () =>
  world.db
    .selectFrom('accounts')
    .select(['balance', 'held'])
    .where('tenant_id', '=', tenant.id)
    .where('kind', '=', 'FUNDING')
    .executeTakeFirstOrThrow()

describe('POST /bulkissuances', () => {
  test('200 answers a SUBMITTED request, of which nothing is issued yet', async () => {
    const body = await made({ amount: 10.5, name_on_card: 'GIFT CARD' })
    assert.partialDeepStrictEqual(body, {
      status: 'SUBMITTED',
      card_product_id: product.id,
      number_of_cards: 3,
      issued_cards: 0,
      failed_cards: 0,
      amount: 10.5,
      currency: 'AED',
      name_on_card: 'GIFT CARD',
      dry_run: false,
    })
    assert.equal('fulfillment_status' in body, false)
    await runJobs()
  })

  test('its cards are physical and without a user, each with a preloaded account', async () => {
    const before = await fundingOf()
    const bulk = await processed({ number_of_cards: 205, amount: 10.5, name_on_card: 'GIFT CARD' })
    assert.partialDeepStrictEqual(bulk, {
      status: 'COMPLETED',
      issued_cards: 205,
      failed_cards: 0,
      fulfillment_status: 'CREATED',
    })
    const cards = await cardsOf(bulk.id)
    assert.equal(cards.length, 200)
    const { now } = await world.ctx()
    for (const card of cards) {
      assert.partialDeepStrictEqual(card, {
        card_product_id: product.id,
        card_type: 'PHYSICAL',
        status: 'INACTIVE',
        status_reason_code: 'I0',
        name_on_card: 'GIFT CARD',
        bin: product.bin,
        expiry_date: addMonths(monthOf(now), 36),
        bulk_issuance_id: bulk.id,
        fulfillment_status: 'CREATED',
      })
      assert.equal('user_id' in card, false)
    }
    const [card] = cards
    const account = (await request('GET', `/v1/accounts/${card.account_id}`)).body
    assert.partialDeepStrictEqual(account, { balance: 10.5, card_ids: [card.id], status: 'ACTIVE' })
    assert.equal('user_id' in account, false)
    const after = await fundingOf()
    assert.deepEqual(after, { balance: (before.balance ?? 0n) - 205n * 1050n, held: 0n })
    await assertSound(world.db)
  })

  test('each card and account is reported, and goes to the embosser the next day', async () => {
    const bulk = await processed({ number_of_cards: 2 })
    const ctx = await world.ctx()
    const tomorrow = windowOf('DAILY', ctx.now, 'Asia/Dubai').end
    const rows = await world.db
      .selectFrom('cards')
      .select(['id', 'account_id', 'chain_id', 'emboss_due', 'valid_until'])
      .where('bulk_issuance_id', '=', bulk.id)
      .execute()
    assert.equal(rows.length, 2)
    for (const { id, account_id, chain_id, emboss_due } of rows) {
      assert.equal(chain_id, id)
      assert.deepEqual(emboss_due, tomorrow)
      assert.deepEqual(await eventsOf(ctx, id), ['SUCCESSFULLY_CREATED'])
      assert.deepEqual(await eventsOf(ctx, account_id ?? ''), ['SUCCESSFULLY_CREATED'])
    }
    const { body } = await request('GET', `/v1/cardproducts/${product.id}`)
    assert.equal(body.status, 'ACTIVE')
  })

  test('a product that links no account gets cards without one', async () => {
    const bulk = await processed({ card_product_id: unlinked.id })
    assert.equal(bulk.status, 'COMPLETED')
    for (const card of await cardsOf(bulk.id)) assert.equal('account_id' in card, false)
  })

  test("the currency is the product's where none is sent", async () => {
    const body = await made({ currency: undefined, status: 'DRAFT' })
    assert.equal(body.currency, 'AED')
  })

  for (const [name, fields, path] of [
    ['5,001 cards', { number_of_cards: 5_001 }, 'number_of_cards'],
    ['no card', { number_of_cards: 0 }, 'number_of_cards'],
    ['half a card', { number_of_cards: 1.5 }, 'number_of_cards'],
    ['another currency', { currency: 'USD' }, 'currency'],
    ['no money', { amount: 0 }, 'amount'],
    ['too many decimals', { amount: 1.001 }, 'amount'],
    ['money without accounts', { card_product_id: unlinked.id, amount: 1 }, 'amount'],
    ['no such product', { card_product_id: randomUUID() }, 'card_product_id'],
    ['a status that only the job gives', { status: 'COMPLETED' }, 'status'],
  ] as const) {
    test(`400 on ${path} for ${name}`, async () => {
      const { status, body } = await ask(fields)
      assert.equal(status, 400)
      assert.deepEqual(pathsOf(body), [path])
    })
  }

  test("400 for another tenant's product", async () => {
    const { status, body } = await ask({}, { key: other.api_key })
    assert.equal(status, 400)
    assert.deepEqual(pathsOf(body), ['card_product_id'])
  })

  test('409 for an id that is taken', async () => {
    const { id } = await made({ id: randomUUID(), status: 'DRAFT' })
    const { status, body } = await ask({ id })
    assert.equal(status, 409)
    assert.equal(body.code, 'id_taken')
  })

  test('the same key issues once', async () => {
    const headers = { 'x-bezant-idempotency-key': randomUUID() }
    const [one, two] = [await ask({}, { headers }), await ask({}, { headers })]
    assert.equal(one.body.id, two.body.id)
  })
})

describe('a dry run', () => {
  /** Returns its answer, and asserts that it has written nothing. */
  const rehearsed = async (fields: object) => {
    const before = await checksumsOf(world.db, tenant.id)
    const answer = await ask({ ...fields, dry_run: true })
    assert.deepEqual(await checksumsOf(world.db, tenant.id), before)
    return answer
  }

  test('200 answers the result that a request would have, and writes nothing', async () => {
    await runJobs()
    const { status, body } = await rehearsed({ number_of_cards: 5_000, amount: 1 })
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      status: 'COMPLETED',
      number_of_cards: 5_000,
      issued_cards: 5_000,
      failed_cards: 0,
      amount: 1,
      dry_run: true,
    })
    assert.equal('id' in body, false)
  })

  test('409 names the numbers needed and available', async () => {
    const small = await makeProduct({ pan_range: { start_range: 0, end_range: 1 } })
    const { status, body } = await rehearsed({ card_product_id: small.id })
    assert.equal(status, 409)
    assert.partialDeepStrictEqual(body, { code: 'pan_range_exhausted', needed: 3, available: 2 })
  })

  test('409 names the funds needed and available', async () => {
    const { balance } = await fundingOf()
    const { status, body } = await rehearsed({ amount: 1_000_000 })
    assert.equal(status, 409)
    const available = Number(balance ?? 0n) / 100
    assert.partialDeepStrictEqual(body, {
      code: 'insufficient_funds',
      needed: 3_000_000,
      available,
    })
  })

  test('409 where there never was any money', async () => {
    const { id } = await makeProduct({}, { key: other.api_key })
    const fields = { card_product_id: id, amount: 1, dry_run: true }
    const { status, body } = await ask(fields, { key: other.api_key })
    assert.equal(status, 409)
    assert.partialDeepStrictEqual(body, { code: 'insufficient_funds', needed: 3, available: 0 })
  })
})

describe('a request without enough numbers or funds', () => {
  test('FAILED with 1853 when the range has too few numbers: nothing is issued', async () => {
    const small = await makeProduct({ pan_range: { start_range: 0, end_range: 1 } })
    const before = await fundingOf()
    const bulk = await processed({ card_product_id: small.id, amount: 1 })
    assert.partialDeepStrictEqual(bulk, {
      status: 'FAILED',
      issued_cards: 0,
      failed_cards: 3,
      error: { code: '1853', needed: 3, available: 2 },
    })
    assert.deepEqual(await cardsOf(bulk.id), [])
    assert.deepEqual(await fundingOf(), before)
    const last = await processed({ card_product_id: small.id, number_of_cards: 2 })
    assert.equal(last.status, 'COMPLETED')
  })

  test('FAILED when the money is short by one card', async () => {
    const { balance } = await fundingOf()
    const amount = Number(balance ?? 0n) / 100 / 2
    const bulk = await processed({ amount })
    assert.partialDeepStrictEqual(bulk, {
      status: 'FAILED',
      failed_cards: 3,
      error: { code: 'insufficient_funds', needed: 3 * amount, available: 2 * amount },
    })
  })

  test('FAILED when the product was changed meanwhile', async () => {
    const changing = await makeProduct()
    const { id } = await made({ card_product_id: changing.id, amount: 1 })
    await request('PUT', `/v1/cardproducts/${changing.id}`, { link_account_to_card: false })
    await runJobs()
    const bulk = await read(id)
    assert.partialDeepStrictEqual(bulk, { status: 'FAILED', error: { code: 'validation_failed' } })
  })

  for (const [what, fields, scarce] of [
    ['money', { amount: 10 }, async () => ({ product: await makeProduct(), funds: 30 })],
    [
      'numbers',
      {},
      async () => ({
        product: await makeProduct({ pan_range: { start_range: 0, end_range: 3 } }),
        funds: 0,
      }),
    ],
  ] as const) {
    test(`of two concurrent requests for the last ${what} one is COMPLETED and one FAILED`, async () => {
      const { product, funds } = await scarce()
      if (funds > 0) await leaveFunds(funds)
      const both = { ...fields, card_product_id: product.id }
      const bulks = await Promise.all([made(both), made(both)])
      await Promise.all([runJobs(), runJobs(), runJobs()])
      await runJobs()
      const ended = await Promise.all(bulks.map(({ id }) => read(id)))
      assert.deepEqual(ended.map(({ status }) => status).sort(), ['COMPLETED', 'FAILED'])
      await assertSound(world.db)
    })
  }
})

/** Loads an account with all that is there but so much, in major units. */
async function leaveFunds(left: number): Promise<void> {
  const { balance } = await fundingOf()
  const bulk = await processed({ number_of_cards: 1 })
  const [card] = await cardsOf(bulk.id)
  const money = { currency: 'AED', amount: Number(balance ?? 0n) / 100 - left }
  const { status } = await request('POST', `/v1/accounts/${card.account_id}:loadfunds`, money)
  assert.equal(status, 200)
}

test('funds move while cards are issued, and the ledger stays balanced', async () => {
  const [card] = await cardsOf((await processed({ number_of_cards: 1 })).id)
  const { id } = await made({ number_of_cards: 305, amount: 2 })
  const money = { currency: 'AED', amount: 1 }
  const load = () => request('POST', `/v1/accounts/${card.account_id}:loadfunds`, money)
  await fund(1_000)
  const [loads] = await Promise.all([
    Promise.all(Array.from({ length: 30 }, load)),
    runJobs(),
    runJobs(),
  ])
  await runJobs()
  assert.ok(loads.every(({ status }) => status === 200))
  assert.equal((await read(id)).status, 'COMPLETED')
  await assertSound(world.db)
})

test('no sweep of holds ends the hold of a request, at any time of the clock', async () => {
  await fund(1_000)
  const { id } = await made({ amount: 2 })
  const ctx = await world.ctx()
  await workOnOne(ctx)
  assert.equal((await read(id)).status, 'PROCESSING')
  const later = { ...ctx, now: new Date('2999-01-01T00:00:00.000Z') }
  assert.deepEqual(await holdExpiry.run(later), { more: false })
  assert.equal((await fundingOf()).held, 600n)
  await assertSound(world.db)
  await runJobs()
  assert.equal((await read(id)).status, 'COMPLETED')
})

describe('GET /bulkissuances', () => {
  test('200 lists newest first, in pages', async () => {
    const [older, newer] = [await made({ status: 'DRAFT' }), await made({ status: 'DRAFT' })]
    const first = (await request('GET', '/v1/bulkissuances?limit=1')).body
    assert.equal(first.data[0].id, newer.id)
    assert.equal(first.has_more, true)
    const second = await request('GET', `/v1/bulkissuances?limit=1&after=${first.after}`)
    assert.equal(second.body.data[0].id, older.id)
  })
  test('400 for a cursor that is none', async () => {
    const { status, body } = await request('GET', '/v1/bulkissuances?after=nonsense')
    assert.equal(status, 400)
    assert.equal(body.code, 'cursor_invalid')
  })
})

describe('GET /bulkissuances/{id}', () => {
  test('200 answers the request', async () => {
    const draft = await made({ status: 'DRAFT', amount: 5 })
    assert.deepEqual(await read(draft.id), draft)
  })
  test('404 for one that does not exist or is of another tenant', async () => {
    const { id } = await made({ status: 'DRAFT' })
    for (const [path, key] of [
      [randomUUID(), tenant.api_key],
      [id, other.api_key],
    ] as const) {
      const { status } = await request('GET', `/v1/bulkissuances/${path}`, undefined, { key })
      assert.equal(status, 404)
    }
  })
})

describe('PUT /bulkissuances/{id}', () => {
  test('200 changes a DRAFT, of which nothing is issued', async () => {
    const draft = await made({ status: 'DRAFT', amount: 5, name_on_card: 'ONE' })
    const { status, body } = await put(draft.id, { number_of_cards: 4, name_on_card: 'TWO' })
    assert.equal(status, 200)
    const changed = { number_of_cards: 4, name_on_card: 'TWO', amount: 5, status: 'DRAFT' }
    assert.partialDeepStrictEqual(body, changed)
    const cleared = (await put(draft.id, { amount: null, name_on_card: null })).body
    assert.equal('amount' in cleared || 'name_on_card' in cleared, false)
    await runJobs()
    assert.equal((await read(draft.id)).status, 'DRAFT')
  })

  test('200 submits it, and its cards are issued', async () => {
    const draft = await made({ status: 'DRAFT' })
    const { body } = await put(draft.id, { status: 'SUBMITTED', number_of_cards: 2 })
    assert.equal(body.status, 'SUBMITTED')
    await runJobs()
    assert.partialDeepStrictEqual(await read(draft.id), { status: 'COMPLETED', issued_cards: 2 })
  })

  test('200 for another product with another currency', async () => {
    const dollars = await makeProduct({ currency: 'USD' })
    const draft = await made({ status: 'DRAFT', amount: 5 })
    const { status, body } = await put(draft.id, { card_product_id: dollars.id })
    assert.equal(status, 400)
    assert.deepEqual(pathsOf(body), ['amount'])
    const again = await put(draft.id, { card_product_id: dollars.id, amount: 6 })
    assert.partialDeepStrictEqual(again.body, { currency: 'USD', amount: 6 })
  })

  test('400 for values that a request must not have', async () => {
    const { id } = await made({ status: 'DRAFT' })
    for (const [body, path] of [
      [{ number_of_cards: 5_001 }, 'number_of_cards'],
      [{ currency: 'USD' }, 'currency'],
      [{ card_product_id: randomUUID() }, 'card_product_id'],
      [{ card_product_id: unlinked.id, amount: 1 }, 'amount'],
      [{ amount: 0 }, 'amount'],
    ] as const) {
      const answer = await put(id, body)
      assert.equal(answer.status, 400)
      assert.deepEqual(pathsOf(answer.body), [path])
    }
  })

  test('409 for any other status, and for a move that is not submitting', async () => {
    const submitted = await made()
    const draft = await made({ status: 'DRAFT' })
    for (const [id, body] of [
      [submitted.id, { name_on_card: 'TWO' }],
      [submitted.id, { status: 'SUBMITTED' }],
      [draft.id, { status: 'COMPLETED' }],
    ] as const) {
      const answer = await put(id, body)
      assert.equal(answer.status, 409)
      assert.equal(answer.body.code, 'bulk_issuance_move_refused')
    }
    await runJobs()
    assert.equal((await put(submitted.id, { number_of_cards: 9 })).status, 409)
  })

  test('404 for one that does not exist or is of another tenant', async () => {
    const { id } = await made({ status: 'DRAFT' })
    assert.equal((await put(randomUUID(), { number_of_cards: 2 })).status, 404)
    const foreign = await put(id, { number_of_cards: 2 }, { key: other.api_key })
    assert.equal(foreign.status, 404)
  })
})

describe('afterwards', () => {
  test('a card is linked to its user, and its account with it', async () => {
    const bulk = await processed({ amount: 5 })
    const [card] = await cardsOf(bulk.id)
    const name = { first_name: 'Aisha', last_name: 'Khan' }
    const user_id = (await request('POST', '/v1/users', name)).body.id
    const linked = await request('POST', `/v1/cards/${card.id}:link`, { user_id })
    assert.equal(linked.status, 200, linked.text)
    const account = (await request('GET', `/v1/accounts/${card.account_id}`)).body
    assert.partialDeepStrictEqual(account, { user_id, balance: 5 })
  })

  test('its fulfillment status is that of the slowest card', async () => {
    const { id } = await processed()
    await request('PUT', '/v1/simulate/clock', { advance: 'P1D' })
    assert.equal((await read(id)).fulfillment_status, 'ORDERED')
    const step = (card_id: string, fulfillment_status: FulfillmentStatus) =>
      world.db
        .updateTable('cards')
        .set({ fulfillment_status })
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', card_id)
        .execute()
    const [one, two, three] = await cardsOf(id)
    for (const [card, status, reported] of [
      [one, 'SHIPPED', 'ORDERED'],
      [two, 'DELIVERED', 'ORDERED'],
      [three, 'SHIPPED', 'SHIPPED'],
      [one, 'FAILED', 'FAILED'],
    ] as const) {
      await step(card.id, status)
      assert.equal((await read(id)).fulfillment_status, reported)
    }
  })
})
