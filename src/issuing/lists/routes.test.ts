import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const other = await world.otherTenant()

const call = world.request
const pathsOf = (body: { errors: { path: string }[] }) => body.errors.map(({ path }) => path)

const kinds = {
  allowedcountries: { country_codes: ['AE', 'SAU'] },
  allowedmccs: { mccs: ['5411', '5999'] },
  allowedmerchants: { merchants: [{ merchant_id: 'SHOP1', allow: true }] },
} as const

for (const [path, entries] of Object.entries(kinds)) {
  const url = `/v1/${path}`
  const create = (fields: object = {}, options = {}) =>
    call('POST', url, { name: 'List', ...entries, ...fields }, options)

  describe(`/${path}`, () => {
    test('200 answers the list as it is in force, also from GET', async () => {
      const { status, body } = await create()
      assert.equal(status, 200)
      assert.partialDeepStrictEqual(body, { name: 'List', active: true })
      assert.equal(body.allow, path === 'allowedmerchants' ? undefined : true)
      assert.deepEqual((await call('GET', `${url}/${body.id}`)).body, body)
      const { data } = (await call('GET', `${url}?limit=1`)).body
      assert.deepEqual(data, [body])
    })

    test('PUT replaces the array that is sent and keeps what is absent', async () => {
      const [member] = Object.keys(entries)
      const { body } = await create({ active: false })
      const renamed = await call('PUT', `${url}/${body.id}`, { name: 'Renamed' })
      assert.equal(renamed.status, 200)
      const { modified: _, ...same } = renamed.body
      assert.partialDeepStrictEqual({ ...body, name: 'Renamed' }, same)
      const emptied = await call('PUT', `${url}/${body.id}`, { [member ?? '']: [], active: true })
      assert.partialDeepStrictEqual(emptied.body, { name: 'Renamed', active: true })
      assert.deepEqual(emptied.body[member ?? ''], [])
    })

    test('400 without a name and its entries, and with members that are unknown', async () => {
      const { status, body } = await call('POST', url, { status: 'ACTIVE' })
      assert.equal(status, 400)
      assert.deepEqual(pathsOf(body).sort(), [...Object.keys(entries), 'name', 'status'].sort())
      const own = await create({ version: 1, created: '2026-01-01T00:00:00.000Z' })
      assert.deepEqual(pathsOf(own.body).sort(), ['created', 'version'])
    })

    test('404 for a list of another tenant or of another kind', async () => {
      const { body } = await create({}, { key: other.api_key })
      for (const method of ['GET', 'PUT'] as const) {
        const put = method === 'PUT' ? {} : undefined
        const { status } = await call(method, `${url}/${body.id}`, put)
        assert.equal(status, 404)
      }
      const own = (await create()).body.id
      for (const elsewhere of Object.keys(kinds).filter((name) => name !== path)) {
        assert.equal((await call('GET', `/v1/${elsewhere}/${own}`)).status, 404)
      }
    })
  })
}

test('countries are answered as alpha-3; unknown and repeated ones are named beside other faults', async () => {
  const created = await call('POST', '/v1/allowedcountries', {
    name: 'Gulf',
    allow: false,
    country_codes: ['ae', '682', 'BHR'],
  })
  assert.deepEqual(created.body.country_codes, ['ARE', 'SAU', 'BHR'])
  assert.equal(created.body.allow, false)
  const faulty = await call('POST', '/v1/allowedcountries', { country_codes: ['AE', 'ZZ', '784'] })
  assert.deepEqual(faulty.body.errors, [
    { path: 'name', message: 'is required' },
    { path: 'country_codes.1', message: 'is not a country of ISO 3166-1' },
    { path: 'country_codes.2', message: 'is repeated' },
  ])
})

test('entries have a most: 300 countries, 1000 MCCs, 1000 merchants', async () => {
  const codes = Array.from({ length: 1001 }, (_, at) => String(1000 + at))
  const merchants = codes.map((merchant_id) => ({ merchant_id, allow: true }))
  const post = async (path: string, entries: object) =>
    (await call('POST', `/v1/${path}`, { name: 'Long', ...entries })).status
  assert.equal(await post('allowedmccs', { mccs: codes.slice(1) }), 200)
  assert.equal(await post('allowedmccs', { mccs: codes }), 400)
  assert.equal(await post('allowedmerchants', { merchants: merchants.slice(1) }), 200)
  assert.equal(await post('allowedmerchants', { merchants }), 400)
  assert.equal(await post('allowedcountries', { country_codes: codes.slice(0, 301) }), 400)
})

describe('a product and a card', async () => {
  const made = async (path: string, fields: object) =>
    (await call('POST', `/v1/${path}`, { name: 'List', ...fields })).body.id
  const ids = {
    allowed_countries_id: await made('allowedcountries', kinds.allowedcountries),
    allowed_mccs_id: await made('allowedmccs', kinds.allowedmccs),
    allowed_merchants_id: await made('allowedmerchants', kinds.allowedmerchants),
  }
  const none = { allowed_countries_id: null, allowed_mccs_id: null, allowed_merchants_id: null }
  const names = Object.keys(ids)
  const foreign = await call(
    ...(['POST', '/v1/allowedmccs'] as const),
    { name: 'Theirs', mccs: [] },
    { key: other.api_key },
  )
  const product = { name: 'Travel', currency: 'AED' }
  const { body: user } = await call('POST', '/v1/users', { first_name: 'Aisha' })
  const { body: plain } = await call('POST', '/v1/cardproducts', { ...product, bin: '411111' })
  const card = { user_id: user.id, card_product_id: plain.id, card_type: 'VIRTUAL' }
  const { body: issued } = await call('POST', '/v1/cards', card)

  /** The requests that may name lists. */
  const places: readonly (readonly [string, (lists: object) => ReturnType<typeof call>])[] = [
    [
      'POST /cardproducts',
      (lists) => call('POST', '/v1/cardproducts', { ...product, bin: '422222', ...lists }),
    ],
    ['PUT /cardproducts/{id}', (lists) => call('PUT', `/v1/cardproducts/${plain.id}`, lists)],
    ['POST /cards', (lists) => call('POST', '/v1/cards', { ...card, ...lists })],
    ['PUT /cards/{id}', (lists) => call('PUT', `/v1/cards/${issued.id}`, lists)],
    [
      'PUT /cards/{id}/authsettings',
      (lists) => call('PUT', `/v1/cards/${issued.id}/authsettings`, lists),
    ],
  ]
  for (const [place, send] of places) {
    test(`name lists that exist: ${place}`, async () => {
      const swapped = {
        allowed_countries_id: ids.allowed_mccs_id,
        allowed_mccs_id: foreign.body.id,
        allowed_merchants_id: randomUUID(),
      }
      const refused = await send(swapped)
      assert.equal(refused.status, 400)
      assert.deepEqual(
        refused.body.errors,
        names.map((path) => ({ path, message: 'does not exist' })),
      )
      const upper = Object.entries(ids).map(([name, id]) => [name, id.toUpperCase()])
      const { status, body, text } = await send(Object.fromEntries(upper))
      assert.equal(status, 200, text)
      assert.partialDeepStrictEqual(body, ids)
      if (place.startsWith('POST')) return
      const cleared = (await send(none)).body
      assert.deepEqual(
        names.filter((name) => name in cleared),
        [],
      )
    })
  }

  test('a replacement has the lists of the card that it replaces', async () => {
    const old = (await call('POST', '/v1/cards', { ...card, ...ids })).body
    const end = { status: 'TERMINATED', status_reason_code: 'T1' }
    await call('PUT', `/v1/cards/${old.id}:statuschange`, end)
    const next = { ...card, reference_card_id: old.id, allowed_mccs_id: null }
    const { body } = await call('POST', '/v1/cards', next)
    const { allowed_mccs_id: _, ...kept } = ids
    assert.partialDeepStrictEqual(body, kept)
    assert.equal('allowed_mccs_id' in body, false)
  })
})
