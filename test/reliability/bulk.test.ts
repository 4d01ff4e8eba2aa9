/**
 * A bulk issuance whose process is killed on the way: it continues with the next portion,
 * and in the end each card and each preload exists once.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { programAccountId } from '#issuing/ledger/ledger.ts'
import { isLuhn } from '#lib/luhn.ts'
import { chances, SEED } from '#test/support/chances.ts'
import { closeGate } from '#test/support/gate.ts'
import { assertSound, faultsOfLog } from '#test/support/inspection/oracle.ts'
import { openKillable } from '#test/support/processes/killable.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'

const deep = process.env['TEST_DEEP'] === '1'
const CARDS = deep ? 5_000 : 200
const KILLS = deep ? 10 : 2
/** The portions of the job, with one transaction before them that takes numbers and money. */
const PORTION = 100
const TRANSACTIONS = 1 + CARDS / PORTION
const PRELOAD = 12.5
const FUNDS = CARDS * PRELOAD
const POLL_MS = 20
const REVEALED_AT_ONCE = 8

const platform = await openKillable()
after(() => platform.close())
const { operator_key, tenant } = platform.sandbox
const { currency } = tenant

async function ask(method: string, url: string, given?: object, apikey = tenant.api_key) {
  const body = given && JSON.stringify(given)
  const key = { 'x-bezant-idempotency-key': randomUUID() }
  const headers = { apikey, ...(method === 'POST' && key) }
  const { status, text } = await platform.insist({ method, url, headers, body })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

const operated = `/v1/operator/tenants/${tenant.id}`
const rate = { rate_limit_per_second: 100_000, rate_limit_burst: 100_000 }
await ask('PUT', `${operated}/settings`, rate, operator_key)
await ask('POST', `${operated}/funding`, { currency, amount: FUNDS }, operator_key)
const product = await ask('POST', '/v1/cardproducts', { name: 'Gift', currency, bin: '541333' })
const funding = programAccountId(tenant.id, 'FUNDING', currency)
const fundingNow = () =>
  platform.db
    .selectFrom('accounts')
    .select(['balance', 'held'])
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', funding)
    .executeTakeFirstOrThrow()

/** Among which transactions of the job the process dies: the first, the last, and any others. */
function momentsOfKills(): Set<number> {
  const chance = chances(SEED)
  const moments = new Set([0, TRANSACTIONS - 1])
  while (moments.size < KILLS) moments.add(Math.floor(chance() * TRANSACTIONS))
  return moments
}

async function untilOver(id: string) {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const bulk = await ask('GET', `/v1/bulkissuances/${id}`)
    if (bulk.status !== 'SUBMITTED' && bulk.status !== 'PROCESSING') return bulk
    assert.ok(performance.now() < end, JSON.stringify(bulk))
    await pass(POLL_MS)
  }
}

async function cardsOf(id: string): Promise<{ id: string; account_id: string }[]> {
  const cards = []
  let next = ''
  for (;;) {
    const url = `/v1/cards?bulk_issuance_id=${id}&limit=200${next}`
    const { data, after: cursor, has_more } = await ask('GET', url)
    cards.push(...data)
    if (!has_more) return cards
    next = `&after=${cursor}`
  }
}

async function numbersOf(cards: readonly { id: string }[]): Promise<string[]> {
  const left = [...cards]
  const numbers: string[] = []
  const worker = async () => {
    for (let card = left.pop(); card; card = left.pop()) {
      const { card_number } = await ask('GET', `/v1/cards/${card.id}:reveal`)
      numbers.push(card_number)
    }
  }
  await Promise.all(Array.from({ length: REVEALED_AT_ONCE }, worker))
  return numbers
}

test(`${CARDS} cards, killed ${KILLS} times on the way (SEED=${SEED})`, async () => {
  const before = await fundingNow()
  const moments = momentsOfKills()
  const gate = await closeGate(platform.url, { tenant_id: tenant.id, id: funding })
  const request = { card_product_id: product.id, number_of_cards: CARDS, amount: PRELOAD }
  const { id } = await ask('POST', '/v1/bulkissuances', request)

  for (let transaction = 0; transaction < TRANSACTIONS; transaction++) {
    await gate.untilBlocked()
    if (moments.has(transaction)) {
      const { status, issued_cards } = await ask('GET', `/v1/bulkissuances/${id}`)
      assert.equal(status, transaction === 0 ? 'SUBMITTED' : 'PROCESSING')
      assert.equal(issued_cards, Math.max(0, transaction - 1) * PORTION)
      await platform.kill()
      await gate.endWaiting()
      await assertSound(platform.db)
      await platform.start()
      await gate.untilBlocked()
    }
    if (transaction < TRANSACTIONS - 1) await gate.letOnePass()
  }
  await gate.open()

  const bulk = await untilOver(id)
  assert.partialDeepStrictEqual(bulk, { status: 'COMPLETED', issued_cards: CARDS })
  const cards = await cardsOf(id)
  assert.equal(cards.length, CARDS)
  assert.equal(new Set(cards.map((card) => card.account_id)).size, CARDS)
  const numbers = await numbersOf(cards)
  assert.equal(new Set(numbers).size, CARDS)
  assert.ok(numbers.every((number) => isLuhn(number) && number.startsWith(product.bin)))

  const loads = await platform.db
    .selectFrom('transfers')
    .select(({ fn }) => [
      fn.countAll<bigint>().as('count'),
      fn.count<bigint>('credit_account_id').distinct().as('accounts'),
    ])
    .where('tenant_id', '=', tenant.id)
    .where('debit_account_id', '=', funding)
    .where('kind', '=', 'LOAD')
    .where('amount', '=', BigInt(PRELOAD * 100))
    .executeTakeFirstOrThrow()
  assert.deepEqual(loads, { count: BigInt(CARDS), accounts: BigInt(CARDS) })
  const spent = BigInt(FUNDS * 100)
  const now = await fundingNow()
  assert.deepEqual(now, { balance: (before.balance ?? 0n) - spent, held: before.held })
  await assertSound(platform.db)
})

test('a request with money for all cards but one fails as a whole, and 5,001 are rejected', async () => {
  const { balance } = await fundingNow()
  const amount = Number((balance ?? 0n) / BigInt(CARDS - 1)) / 100
  const request = { card_product_id: product.id, number_of_cards: CARDS, amount }
  const { id } = await ask('POST', '/v1/bulkissuances', request)
  assert.partialDeepStrictEqual(await untilOver(id), {
    status: 'FAILED',
    issued_cards: 0,
    failed_cards: CARDS,
    error: { code: 'insufficient_funds' },
  })
  assert.deepEqual(await cardsOf(id), [])
  const tooMany = JSON.stringify({ ...request, number_of_cards: 5_001 })
  const headers = { apikey: tenant.api_key }
  const url = '/v1/bulkissuances'
  const { status } = await platform.insist({ method: 'POST', url, headers, body: tooMany })
  assert.equal(status, 400)
})

test('it ends well, and none of its processes met an error that it did not expect', async () => {
  await platform.stop()
  assert.deepEqual(faultsOfLog(platform.lines()), [])
})
