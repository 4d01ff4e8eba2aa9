import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { isLuhn } from '#lib/luhn.ts'
import { openWallets } from '#test/support/wallets.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const other = await world.otherTenant()

let bins = 400_000
/** A BIN that no other test has. */
const freshBin = () => String(bins++)
const product = (fields: object = {}) => ({
  name: 'Travel',
  currency: 'AED',
  bin: freshBin(),
  ...fields,
})
const create = (fields: object = {}, options = {}) =>
  world.request('POST', '/v1/cardproducts', product(fields), options)
const change = (id: string, fields: object) =>
  world.request('PUT', `/v1/cardproducts/${id}`, fields)
const pathsOf = (body: { errors: { path: string }[] }) => body.errors.map(({ path }) => path).sort()

describe('POST /cardproducts', () => {
  test('200 answers the product in force: INACTIVE, every number, every switch', async () => {
    const bin = freshBin()
    const { status, body } = await create({ bin, identify_above: '100.50' })
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      status: 'INACTIVE',
      bin,
      pan_range: { start_range: 0, end_range: 999_999_999 },
      pan_length: 16,
      link_account_to_card: true,
      initial_status_of_virtual_card: 'INACTIVE',
      identify_above: 100.5,
      pin: { length: 4, max_tries: 3, refuse_weak: true, verification: 'PVV' },
      auth_settings: { atm: true, recurring: true },
    })
    assert.equal('num_of_cards_per_user' in body, false)
    assert.equal('tenant_id' in body, false)
    assert.deepEqual((await world.request('GET', `/v1/cardproducts/${body.id}`)).body, body)
  })

  test('200 uses an id that the client sends, in upper or lower case', async () => {
    const id = randomUUID()
    const { status, body } = await create({ id: id.toUpperCase() })
    assert.deepEqual([status, body.id], [200, id])
  })

  test('400 names every field that is missing, unknown, response-only or malformed', async () => {
    const bare = await world.request('POST', '/v1/cardproducts', { status: 'ACTIVE', colour: 1 })
    assert.equal(bare.status, 400)
    assert.deepEqual(pathsOf(bare.body), ['bin', 'colour', 'currency', 'name', 'status'])
    for (const [field, value] of [
      ['bin', '12345'],
      ['bin', '123456789'],
      ['currency', 'AEDX'],
      ['currency', 'ZZZ'],
      ['card_validity_months', 0],
      ['num_of_cards_per_user', 0],
      ['clearing_tolerance_percent', 101],
      ['allowed_mccs_id', randomUUID()],
      ['initial_status_of_virtual_card', 'SUSPENDED'],
    ] as const) {
      const { status, body } = await create({ [field]: value })
      assert.equal(status, 400, field)
      assert.ok(pathsOf(body).includes(field), `${field}: ${JSON.stringify(body.errors)}`)
    }
    const nested = await create({ auth_settings: { fly: true }, pin: { length: 3 } })
    assert.deepEqual(pathsOf(nested.body), ['auth_settings.fly', 'pin.length'])
    const lists = { allowed_countries_id: randomUUID(), allowed_mccs_id: randomUUID() }
    const ruled = await create({ ...lists, auth_settings: { min_amount: '1.001' } })
    assert.deepEqual(pathsOf(ruled.body), [
      ...['allowed_countries_id', 'allowed_mccs_id', 'auth_settings.min_amount'],
    ])
  })

  test('401 without a key, 403 with one that may only read', async () => {
    assert.equal((await create({}, { key: null })).status, 401)
    assert.equal((await create({}, { key: world.operator_key })).status, 403)
  })

  test('409 id_taken, and the second request writes nothing', async () => {
    const { body } = await create()
    const again = await create({ id: body.id })
    assert.deepEqual([again.status, again.body.code], [409, 'id_taken'])
  })

  test('409 bin_taken for a BIN that overlaps one of another tenant, longer or shorter', async () => {
    const bin = freshBin()
    assert.equal((await create({ bin: `${bin}7` })).status, 200)
    for (const theirs of [bin, `${bin}7`, `${bin}71`]) {
      const { status, body } = await create({ bin: theirs }, { key: other.api_key })
      assert.deepEqual([status, body.code], [409, 'bin_taken'], theirs)
    }
    assert.equal((await create({ bin: `${bin}8` }, { key: other.api_key })).status, 200)
  })

  test('409 pan_range_taken for numbers of another product, also under a longer BIN', async () => {
    const bin = freshBin()
    const range = { start_range: 100_000_000, end_range: 199_999_999 }
    assert.equal((await create({ bin, pan_range: range })).status, 200)
    const touching = { start_range: 199_999_999, end_range: 200_000_005 }
    const rejected = await create({ bin, pan_range: touching })
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'pan_range_taken'])
    assert.equal((await create({ bin: `${bin}15` })).status, 409)
    assert.equal((await create({ bin: `${bin}25` })).status, 200)
    const free = { start_range: 300_000_000, end_range: 300_000_000 }
    assert.equal((await create({ bin, pan_range: free })).status, 200)
  })

  test('the token numbers of another tenant’s product do not conflict', async () => {
    const bin = freshBin()
    const own = await create({ bin })
    const theirs = await create({}, { key: other.api_key })
    // The query of this tenant finds nothing of the other tenant.
    const to = { token_bin: `${bin}1` }
    const row = world.db.updateTable('card_products').set(to).where('id', '=', theirs.body.id)
    await row.execute()
    const { body } = await change(own.body.id, { pan_range: { start_range: 5 } })
    assert.equal(body.pan_range?.start_range, 5, JSON.stringify(body))
  })

  test('of sixteen concurrent claims of the same numbers or overlapping BINs one succeeds', async () => {
    const bin = freshBin()
    const keys = [world.tenant.api_key, other.api_key]
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        create({ bin: bin + '00'.slice(0, at % 3) }, { key: keys[at % 2] }),
      ),
    )
    const codes = answers.map(({ status, body }) => body.code ?? status)
    assert.equal(codes.filter((code) => code === 200).length, 1, codes.join(' '))
    assert.ok(codes.every((code) => [200, 'bin_taken', 'pan_range_taken'].includes(code)))
  })
})

describe('the BIN of wallet tokens', async () => {
  const wallets = await openWallets(world)
  const tokenBinOf = async (id: string) => {
    const row = await world.db
      .selectFrom('card_products')
      .select(['bin', 'token_bin'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.ok(row.token_bin !== null)
    return { bin: row.bin, token_bin: row.token_bin }
  }

  test('is one, also when the first cards of the product are provisioned concurrently', async () => {
    const { id } = await wallets.newProduct()
    const held = []
    for (let at = 0; at < 64; at++) held.push(await wallets.card({ card_product_id: id }))
    const answers = await Promise.all(held.map(({ data }) => wallets.provision(data)))
    const { bin, token_bin } = await tokenBinOf(id)
    assert.match(token_bin, new RegExp(`^${bin[0]}\\d{7}$`))
    const shown = answers.map(({ body }) => body.masked_token_number)
    assert.ok(
      shown.every((number) => number.startsWith(token_bin.slice(0, 6))),
      shown.join(' '),
    )
    const numbers = answers.map(async ({ body }) => {
      const { token_number } = (await wallets.ask('GET', `tokens/${body.id}:reveal`)).body
      assert.ok(token_number.startsWith(token_bin) && isLuhn(token_number))
      return token_number
    })
    assert.equal(new Set(await Promise.all(numbers)).size, 64)
  })

  test('is exclusive: 409 for every product that overlaps it', async () => {
    const { id } = await wallets.newProduct()
    const { data } = await wallets.card({ card_product_id: id })
    assert.equal((await wallets.provision(data)).status, 200)
    const { token_bin } = await tokenBinOf(id)
    for (const bin of [token_bin, token_bin.slice(0, 7), token_bin.slice(0, 6)]) {
      const own = await create({ bin })
      assert.deepEqual([own.status, own.body.code], [409, 'pan_range_taken'], bin)
      const theirs = await create({ bin }, { key: other.api_key })
      assert.deepEqual([theirs.status, theirs.body.code], [409, 'bin_taken'], bin)
    }
    const [start, rest] = [token_bin.slice(0, 6), Number(`${token_bin.slice(6)}0000000`)]
    const beside = (start_range: number) =>
      create({ bin: start, pan_range: { start_range, end_range: start_range } })
    assert.equal((await beside(rest)).status, 409)
    assert.equal((await beside(rest + 9_999_999)).status, 409)
    const free = rest === 0 ? rest + 10_000_000 : rest - 1
    assert.equal((await beside(free)).status, 200)
  })

  test('is not drawn where a product has numbers already', async () => {
    const { id } = await wallets.newProduct({ bin: '880000' })
    const { data } = await wallets.card({ card_product_id: id })
    const taken = Array.from({ length: 5 }, (_, at) => `89${at}`)
    const bins = taken.flatMap((start) =>
      Array.from({ length: 1_000 }, (_, at) => start + String(at).padStart(3, '0')),
    )
    const rows = bins.map((bin) => ({ bin, tenant_id: world.tenant.id }))
    await world.db.insertInto('bins').values(rows).execute()
    // Half is free, and 32 draws miss that once in four billion times.
    assert.equal((await wallets.provision(data)).status, 200)
    assert.match((await tokenBinOf(id)).token_bin, /^89[5-9]/)
  })
})

describe('GET /cardproducts', () => {
  test('200 lists newest first in pages that meet without gap', async () => {
    const reader = await world.otherTenant()
    const key = reader.api_key
    const made: string[] = []
    for (let count = 0; count < 5; count += 1) made.push((await create({}, { key })).body.id)
    const read: string[] = []
    let after = ''
    do {
      const { body } = await world.request('GET', `/v1/cardproducts?limit=2${after}`, undefined, {
        key,
      })
      read.push(...body.data.map(({ id }: { id: string }) => id))
      after = body.has_more ? `&after=${body.after}` : ''
    } while (after !== '')
    assert.deepEqual(read, made.toReversed())
  })

  test('400 for a limit out of bounds, a strange cursor and an unknown filter', async () => {
    for (const query of ['limit=0', 'limit=201', 'after=x', 'colour=red']) {
      assert.equal((await world.request('GET', `/v1/cardproducts?${query}`)).status, 400, query)
    }
  })
})

describe('GET and PUT /cardproducts/{id}', () => {
  test('404 for a product that does not exist or is of another tenant', async () => {
    const { body } = await create({}, { key: other.api_key })
    for (const method of ['GET', 'PUT']) {
      const change = method === 'PUT' ? { name: 'Mine' } : undefined
      const hidden = await world.request(method, `/v1/cardproducts/${body.id}`, change)
      const absent = await world.request(method, `/v1/cardproducts/${randomUUID()}`, change)
      assert.equal(hidden.status, 404)
      assert.deepEqual(
        { ...hidden.body, request_id: '' },
        { ...absent.body, request_id: '' },
        method,
      )
    }
  })

  test('200 changes what is sent, merges what is nested, clears by null', async () => {
    const { body } = await create({
      description: 'old',
      num_of_cards_per_user: 3,
      auth_settings: { atm: false, max_amount: 10 },
    })
    const { status, body: after } = await change(body.id, {
      description: null,
      num_of_cards_per_user: null,
      auth_settings: { pos: false, max_amount: null, min_amount: '1.5' },
    })
    assert.equal(status, 200)
    assert.equal('description' in after || 'num_of_cards_per_user' in after, false)
    assert.partialDeepStrictEqual(after.auth_settings, { atm: false, pos: false, min_amount: 1.5 })
    assert.equal('max_amount' in after.auth_settings, false)
    assert.equal(after.name, 'Travel')
  })

  test('400 for response-only and unknown fields', async () => {
    const { body } = await create()
    const { status, body: rejected } = await change(body.id, { id: body.id, pan_length: 19 })
    assert.equal(status, 400)
    assert.deepEqual(pathsOf(rejected), ['id', 'pan_length'])
  })

  test('200 moves a product without cards to another BIN, whose old one is free again', async () => {
    const bin = freshBin()
    const { body } = await create({ bin })
    const moved = await change(body.id, { bin: `${freshBin()}${randomInt(10)}`, currency: 'USD' })
    assert.equal(moved.status, 200)
    assert.deepEqual(moved.body.pan_range, { start_range: 0, end_range: 99_999_999 })
    assert.equal((await create({ bin }, { key: other.api_key })).status, 200)
  })

  test('409 when the BIN it moves to is another tenant’s', async () => {
    const bin = freshBin()
    await create({ bin }, { key: other.api_key })
    const { body } = await create()
    const rejected = await change(body.id, { bin })
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'bin_taken'])
  })
})
