import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Tx, transact } from '#kit/context.ts'
import { DatabaseUnavailable, openDatabase } from '#kit/db/database.ts'
import { newId } from '#lib/id.ts'
import { isLuhn } from '#lib/luhn.ts'
import { Secret } from '#lib/secret.ts'
import { openWorld } from '#test/support/world.ts'
import {
  createKeySet,
  createRange,
  cvv2Of,
  findCardsByNumber,
  issueNumbers,
  keySets,
  NUMBERS_MAX,
  NumberOwners,
  reservedNumbers,
  reserveNumbers,
  revealNumber,
  saveNumbers,
} from './vault.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const ctx = await world.ctx()

let bins = 41_111_122
/** A range that overlaps no other. */
const range = async (size: number) => {
  const card_product_id = newId()
  const bin = String(bins++)
  const bounds = { range_start: 7n, range_end: 7n + BigInt(size) - 1n }
  await transact(ctx, (tx) => createRange(tx, { card_product_id, bin, ...bounds }))
  return card_product_id
}
const issue = (card_product_id: string, count: number) =>
  transact(ctx, (tx) =>
    issueNumbers(tx, { card_product_id, card_ids: Array.from({ length: count }, () => newId()) }),
  )
const isExhausted = { code: 'pan_range_exhausted' }

describe('numbers', () => {
  test('are drawn from the whole range once each, then the range is exhausted', async () => {
    const product = await range(20)
    const cards = [...(await issue(product, 1)), ...(await issue(product, 12))]
    await assert.rejects(issue(product, 8), isExhausted)
    cards.push(...(await issue(product, 7)))
    await assert.rejects(issue(product, 1), isExhausted)

    const pans = await Promise.all(cards.map(({ card_id }) => revealNumber(ctx, card_id)))
    const texts = pans.map((pan) => pan.reveal())
    assert.ok(texts.every((pan) => isLuhn(pan) && /^\d{16}$/.test(pan)))
    assert.deepEqual(
      texts.map((pan) => Number(pan.slice(8, 15))).sort((one, two) => one - two),
      Array.from({ length: 20 }, (_, at) => 7 + at),
    )
    assert.deepEqual(
      cards.map(({ last_four }) => last_four),
      texts.map((pan) => pan.slice(-4)),
    )
  })

  test('reserved ones are exclusive, and are the same on every read', async () => {
    const product = await range(12)
    const before = await issue(product, 3)
    const first = await transact(ctx, (tx) => reserveNumbers(tx, product, 6))
    const cards = [...before, ...(await issue(product, 3))]
    const short = { ...isExhausted, extra: { needed: 1, available: 0 } }
    await assert.rejects(
      transact(ctx, (tx) => reserveNumbers(tx, product, 1)),
      short,
    )

    const ids = Array.from({ length: 6 }, () => newId())
    const some = await reservedNumbers(ctx, product, first, ids.slice(0, 4))
    const rest = await reservedNumbers(ctx, product, first + 4n, ids.slice(4))
    await transact(ctx, (tx) => saveNumbers(tx, [...some, ...rest]).start())
    const again = await reservedNumbers(ctx, product, first, ids)
    const pans = await Promise.all(
      [...cards.map(({ card_id }) => card_id), ...ids].map((id) => revealNumber(ctx, id)),
    )
    const texts = pans.map((pan) => pan.reveal())
    assert.equal(new Set(texts).size, 12)
    assert.deepEqual(
      again.map(({ pan }) => pan.reveal()),
      texts.slice(6),
    )
  })

  test('of a bulk are distinct too, and a rolled-back one uses none', async () => {
    const product = await range(NUMBERS_MAX)
    await assert.rejects(
      transact(ctx, async (tx) => {
        await issueNumbers(tx, { card_product_id: product, card_ids: [newId()] })
        throw new Error('rolled back')
      }),
      /rolled back/,
    )
    const cards = await issue(product, NUMBERS_MAX)
    const pans = await Promise.all(
      [0, 1, NUMBERS_MAX - 1].map((at) => revealNumber(ctx, cards[at]?.card_id ?? '')),
    )
    const found = await findCardsByNumber(ctx, pans)
    assert.deepEqual(
      found,
      [0, 1, NUMBERS_MAX - 1].map((at) => ({ card_id: cards[at]?.card_id })),
    )
    await assert.rejects(issue(product, 1), isExhausted)
  })

  test('a card has one number: a second is rejected', async () => {
    const product = await range(10)
    const [card] = await issue(product, 1)
    const again = transact(ctx, (tx) =>
      issueNumbers(tx, { card_product_id: product, card_ids: [newId(), card?.card_id ?? ''] }),
    )
    await assert.rejects(again, { code: 'id_taken' })
  })

  test('are found in the order of the query, and only by their tenant', async () => {
    const [one, two] = await issue(await range(10), 2)
    const [first, second] = await Promise.all([
      revealNumber(ctx, one?.card_id ?? ''),
      revealNumber(ctx, two?.card_id ?? ''),
    ])
    const unknown = new Secret('4111111111111111')
    assert.deepEqual(await findCardsByNumber(ctx, [second, unknown, first, second]), [
      { card_id: two?.card_id },
      undefined,
      { card_id: one?.card_id },
      { card_id: two?.card_id },
    ])
    assert.deepEqual(await findCardsByNumber(ctx, []), [])
    const otherCtx = await world.ctx((await world.otherTenant()).id)
    assert.deepEqual(await findCardsByNumber(otherCtx, [first]), [undefined])
    await assert.rejects(revealNumber(otherCtx, one?.card_id ?? ''), /has no number/)
  })

  test('are kept with their owner once met, an unknown one is looked up again', async () => {
    const product = await range(10)
    const [card_id, token_id] = [newId(), newId()]
    const reserve = (id: string) =>
      transact(ctx, async (tx) =>
        reservedNumbers(tx, product, await reserveNumbers(tx, product, 1), [id]),
      )
    const [[number], [token]] = [await reserve(card_id), await reserve(token_id)]
    assert.ok(number && token)
    const owners = new NumberOwners()
    const pans = [token.pan, number.pan]
    assert.deepEqual(await owners.find(ctx, pans), [undefined, undefined])
    await transact(ctx, async (tx) => {
      await saveNumbers(tx, [number]).start()
      await saveNumbers(tx, [token], card_id).start()
    })
    const found = [{ card_id, token_id }, { card_id }]
    assert.deepEqual(await owners.find(ctx, pans), found)
    const offline = openDatabase(world.url, 1)
    await offline.close()
    const without = { ...ctx, db: offline.db }
    assert.deepEqual(await owners.find(without, pans), found)
    await assert.rejects(new NumberOwners().find(without, pans), DatabaseUnavailable)
  })

  test('are sealed: a row that is swapped or changed does not open', async () => {
    const [one, two] = await issue(await range(10), 2)
    const sealedOf = (id = '') =>
      world.db
        .selectFrom('vault.pans')
        .select('sealed')
        .where('card_id', '=', id)
        .executeTakeFirstOrThrow()
    const { sealed } = await sealedOf(one?.card_id)
    const write = (bytes: Buffer) =>
      world.db
        .updateTable('vault.pans')
        .set({ sealed: bytes })
        .where('card_id', '=', two?.card_id ?? '')
        .execute()
    await write(sealed)
    await assert.rejects(revealNumber(ctx, two?.card_id ?? ''))
  })
})

describe('key sets', () => {
  const product = newId()
  before(() => transact(ctx, (tx: Tx) => createKeySet(tx, product)))
  const install = (id: string, keys: object, options = {}) =>
    world.request('PUT', `/v1/simulate/cardproducts/${id}/keys`, keys, options)
  const cvv = { cvk: '7F45BC94EA1CE685B546F7621C452C4A' }

  test('are created with the product and read in one statement, absent ones missing', async () => {
    const found = await keySets(ctx, [product, randomUUID()])
    assert.deepEqual([...found.keys()], [product])
    assert.equal(found.get(product)?.version, 1)
    assert.equal(found.get(product)?.cvk.check_value.length, 6)
    const otherCtx = await world.ctx((await world.otherTenant()).id)
    assert.equal((await keySets(otherCtx, [product])).size, 0)
  })

  test('200 installs test keys, leaves the others, and answers check values and no key', async () => {
    const first = await install(product, cvv)
    assert.equal(first.status, 200)
    assert.equal(first.body.version, 2)
    assert.equal(first.text.includes(cvv.cvk.slice(0, 16)), false)
    const [half, rest] = [cvv.cvk.slice(0, 16), cvv.cvk.slice(16).toLowerCase()]
    const second = await install(product, { cvk_a: half, cvk_b: rest, cvv2_date_order: 'MMYY' })
    assert.deepEqual(second.body.check_values, first.body.check_values)
    assert.deepEqual([second.body.version, second.body.cvv2_date_order], [3, 'MMYY'])
    const set = (await keySets(ctx, [product])).get(product)
    assert.equal(set?.version, 3)
  })

  test('CVV2 follows the key and the date order at once', async () => {
    const pan = new Secret('4123456789012345')
    const valueUnder = async (keys: object) => {
      assert.equal((await install(product, { ...cvv, ...keys })).status, 200)
      const set = (await keySets(ctx, [product])).get(product)
      assert.ok(set)
      return (await cvv2Of(ctx, set, pan, '2031-06')).reveal()
    }
    const yymm = await valueUnder({ cvv2_date_order: 'YYMM' })
    const mmyy = await valueUnder({ cvv2_date_order: 'MMYY' })
    const other = await valueUnder({ cvk: '0123456789ABCDEFFEDCBA9876543210' })
    assert.ok([yymm, mmyy, other].every((value) => /^\d{3}$/.test(value)))
    assert.equal(new Set([yymm, mmyy, other]).size, 3)
  })

  test('400 for keys of a wrong length or letter, halves without each other, nothing', async () => {
    for (const [keys, path] of [
      [{ cvk: '00' }, 'cvk'],
      [{ pvk: `${'0'.repeat(31)}g` }, 'pvk'],
      [{ zpk_aes: '0'.repeat(40) }, 'zpk_aes'],
      [{ pvki: '10' }, 'pvki'],
      [{ cvv2_date_order: 'DDMM' }, 'cvv2_date_order'],
      [{ cvk_a: '0'.repeat(16) }, 'cvk_b'],
      [{ cvk_b: '0'.repeat(16) }, 'cvk_a'],
      [{ ...cvv, cvk_a: '0'.repeat(16) }, 'cvk'],
      [{ kek: '00' }, 'kek'],
    ] as const) {
      const { status, body } = await install(product, keys)
      assert.equal(status, 400, path)
      assert.equal(body.errors[0].path, path)
    }
    assert.equal((await install(product, {})).status, 400)
  })

  test('404 for a product that does not exist or is of another tenant', async () => {
    const { api_key } = await world.otherTenant()
    assert.equal((await install(randomUUID(), cvv)).status, 404)
    assert.equal((await install(product, cvv, { key: api_key })).status, 404)
  })

  test('404 in live, where keys cannot be installed', async () => {
    const MASTER_KEY = randomBytes(32).toString('hex')
    const env = { MODE: 'live', MASTER_KEY, PUBLIC_URL: 'https://cards.example' }
    await using live = await openWorld({ env })
    const path = `/v1/simulate/cardproducts/${randomUUID()}/keys`
    assert.equal((await live.request('PUT', path, cvv)).status, 404)
  })
})
