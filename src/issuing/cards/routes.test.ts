import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { addMonths, monthOf } from '#lib/time.ts'
import { payloadsOf } from '#test/support/events.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const { request } = world
const other = await world.otherTenant()
const thisMonth = monthOf((await world.ctx()).now)

let bins = 510_000
const makeProduct = async (fields: object = {}, options = {}) => {
  const body = { name: 'Travel', currency: 'AED', bin: String(bins++), ...fields }
  return (await request('POST', '/v1/cardproducts', body, options)).body
}
const makeUser = async (options = {}) =>
  (await request('POST', '/v1/users', { first_name: 'Aisha', last_name: 'Khan' }, options)).body
const product = await makeProduct({ initial_status_of_virtual_card: 'ACTIVE' })
const user = await makeUser()

const cardOf = (fields: object = {}) => ({
  user_id: user.id,
  card_type: 'VIRTUAL',
  card_product_id: product.id,
  ...fields,
})
const create = (fields: object = {}, options = {}) =>
  request('POST', '/v1/cards', cardOf(fields), options)
const made = async (fields: object = {}) => {
  const { status, body } = await create(fields)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const read = async (id: string) => (await request('GET', `/v1/cards/${id}`)).body
const put = (path: string, body: object) => request('PUT', `/v1/cards/${path}`, body)
const move = (id: string, status: string, status_reason_code: string, note?: object) =>
  put(`${id}:statuschange`, { status, status_reason_code, ...(note && { note }) })
const eventsAbout = async (id: string) => eventsOf(await world.ctx(), id)
const pathsOf = (body: { errors: { path: string }[] }) => body.errors.map(({ path }) => path).sort()

describe('POST /cards', () => {
  test('200 answers a card with its own account and a masked number', async () => {
    const body = await made()
    assert.partialDeepStrictEqual(body, {
      user_id: user.id,
      card_product_id: product.id,
      card_type: 'VIRTUAL',
      status: 'ACTIVE',
      status_reason_code: 'A0',
      name_on_card: 'Aisha Khan',
      bin: product.bin,
      masked_card_number: `${product.bin}******${body.last_four}`,
      expiry_date: addMonths(thisMonth, 36),
      auth_settings: {},
    })
    assert.match(body.account_id, /^[0-9a-f-]{36}$/)
    assert.deepEqual(await read(body.id), body)
    assert.deepEqual(await eventsAbout(body.id), ['SUCCESSFULLY_CREATED'])
    assert.equal((await request('GET', `/v1/cardproducts/${product.id}`)).body.status, 'ACTIVE')
  })

  test('200 a physical card is new until it is activated', async () => {
    const body = await made({
      card_type: 'PHYSICAL',
      name_on_card: 'A KHAN',
      delivery_method: 'COURIER',
      expiry_date: thisMonth,
      shipping_details: { method: 'COURIER', address: { city: 'Dubai', country: 'AE' } },
      auth_settings: { atm: false, max_amount: '99.5' },
    })
    assert.partialDeepStrictEqual(body, {
      status: 'INACTIVE',
      status_reason_code: 'I0',
      name_on_card: 'A KHAN',
      expiry_date: thisMonth,
      shipping_details: { address: { country: 'ARE' } },
      auth_settings: { atm: false, max_amount: 99.5 },
    })
  })

  test('200 uses the id that the client sends; 409 id_taken when a card has it', async () => {
    const id = randomUUID()
    assert.equal((await made({ id: id.toUpperCase() })).id, id)
    assert.equal((await request('GET', `/v1/cards/${id.toUpperCase()}:reveal`)).status, 200)
    const again = await create({ id })
    assert.deepEqual([again.status, again.body.code], [409, 'id_taken'])
  })

  test('200 shares an account of the same user, product and currency', async () => {
    const { account_id } = await made()
    assert.equal((await made({ account_id })).account_id, account_id)
    const otherUser = await makeUser()
    const rejected = await create({ account_id, user_id: otherUser.id })
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'account_not_fitting'])
    const second = await makeProduct()
    const unlike = await create({ account_id, card_product_id: second.id })
    assert.deepEqual([unlike.status, unlike.body.code], [409, 'account_not_fitting'])
  })

  test('200 without an account when the product links none; 400 when one is named', async () => {
    const unlinked = await makeProduct({ link_account_to_card: false })
    const body = await made({ card_product_id: unlinked.id })
    assert.equal('account_id' in body, false)
    const { account_id } = await made()
    const rejected = await create({ card_product_id: unlinked.id, account_id })
    assert.deepEqual([rejected.status, pathsOf(rejected.body)], [400, ['account_id']])
  })

  test('400 names fields that are missing, unknown or response-only', async () => {
    const { status, body } = await request('POST', '/v1/cards', { status: 'ACTIVE', pan: '4' })
    assert.equal(status, 400)
    assert.deepEqual(pathsOf(body), ['card_product_id', 'card_type', 'pan', 'status', 'user_id'])
  })

  test('400 for malformed values and ids that do not exist', async () => {
    for (const [field, value] of [
      ['user_id', randomUUID()],
      ['card_product_id', randomUUID()],
      ['account_id', randomUUID()],
      ['reference_card_id', randomUUID()],
      ['allowed_mccs_id', randomUUID()],
      ['card_type', 'METAL'],
      ['expiry_date', '2030-13'],
      ['expiry_date', addMonths(thisMonth, -1)],
      ['expiry_date', addMonths(thisMonth, 121)],
      ['delivery_method', 'PIGEON'],
    ] as const) {
      const { status, body } = await create({ [field]: value })
      assert.equal(status, 400, field)
      assert.deepEqual([...new Set(pathsOf(body))], [field], JSON.stringify(body.errors))
    }
    const { body } = await create({
      expiry_date: '2001-01',
      auth_settings: { max_amount: 1.005 },
      shipping_details: { address: { mobile: '1', country: 'ZZ' } },
    })
    assert.deepEqual(pathsOf(body), [
      'auth_settings.max_amount',
      'expiry_date',
      'shipping_details.address.country',
      'shipping_details.address.mobile',
    ])
  })

  test('400 for the user, product, account and card of another tenant', async () => {
    const key = { key: other.api_key }
    const theirs = await makeUser(key)
    const their_product = await makeProduct({}, key)
    const card = (await create({ user_id: theirs.id, card_product_id: their_product.id }, key)).body
    for (const [field, value] of [
      ['user_id', theirs.id],
      ['card_product_id', their_product.id],
      ['account_id', card.account_id],
      ['reference_card_id', card.id],
    ] as const) {
      const { status, body } = await create({ [field]: value })
      assert.deepEqual([status, pathsOf(body)], [400, [field]])
    }
  })

  test('409 user_not_active names the status', async () => {
    const suspended = await makeUser()
    await request('PUT', `/v1/users/${suspended.id}:changeStatus`, {
      status: 'SUSPENDED',
      status_reason_code: 'S0',
    })
    const { status, body } = await create({ user_id: suspended.id })
    assert.deepEqual([status, body.code], [409, 'user_not_active'])
    assert.match(body.detail, /SUSPENDED/)
  })

  test('409 pan_range_exhausted when no number is left, and no account is opened', async () => {
    const small = await makeProduct({ pan_range: { start_range: 5, end_range: 6 } })
    await made({ card_product_id: small.id })
    await made({ card_product_id: small.id })
    const { status, body } = await create({ card_product_id: small.id })
    assert.deepEqual([status, body.code], [409, 'pan_range_exhausted'])
    const { rows } = await world.db
      .selectFrom('accounts')
      .select('id')
      .where('card_product_id', '=', small.id)
      .execute()
      .then((rows) => ({ rows }))
    assert.equal(rows.length, 2)
  })

  test('409 for a change of BIN, range or currency of the product once a number is taken', async () => {
    for (const change of [
      { currency: 'USD' },
      { bin: '599999' },
      { pan_range: { start_range: 1 } },
    ]) {
      const { status, body } = await request('PUT', `/v1/cardproducts/${product.id}`, change)
      assert.deepEqual([status, body.code], [409, 'card_product_in_use'])
    }
    const same = { bin: product.bin, currency: 'AED', name: 'Travel 2' }
    assert.equal((await request('PUT', `/v1/cardproducts/${product.id}`, same)).status, 200)
  })

  test('the same request under one idempotency key makes one card', async () => {
    const headers = { 'x-bezant-idempotency-key': randomUUID() }
    const first = await create({}, { headers })
    const second = await create({}, { headers })
    assert.deepEqual([second.status, second.text], [200, first.text])
    assert.equal(second.headers['idempotent-replayed'], 'true')
  })

  test('of 24 concurrent requests as many succeed as a user may have cards', async () => {
    const counted = await makeProduct({ num_of_cards_per_user: 5 })
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => create({ card_product_id: counted.id })),
    )
    const codes = answers.map(({ status, body }) => body.code ?? status)
    assert.equal(codes.filter((code) => code === 200).length, 5)
    assert.equal(codes.filter((code) => code === 'cards_per_user_reached').length, 19)
    const [first] = answers.filter(({ status }) => status === 200)
    await move(first?.body.id, 'TERMINATED', 'T0')
    assert.equal((await create({ card_product_id: counted.id })).status, 200)
  })

  test('64 concurrent requests get distinct numbers', async () => {
    const bulk = await makeProduct({ pan_range: { start_range: 0, end_range: 63 } })
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => create({ card_product_id: bulk.id })),
    )
    assert.ok(answers.every(({ status }) => status === 200))
    // One after another: 64 at one time may wait for a connection too long on a busy machine.
    const shown = new Set<string>()
    for (const { body } of answers) {
      const revealed = await request('GET', `/v1/cards/${body.id}:reveal`)
      assert.equal(revealed.status, 200)
      shown.add(revealed.body.card_number)
    }
    assert.equal(shown.size, 64)
    assert.equal((await create({ card_product_id: bulk.id })).status, 409)
  })
})

describe('replacement', () => {
  test('200 has a new number on the same account, and each names the other', async () => {
    const old = await made({ name_on_card: 'A KHAN', auth_settings: { atm: false } })
    const early = await create({ reference_card_id: old.id })
    assert.deepEqual([early.status, early.body.code], [409, 'card_not_terminated'])
    await move(old.id, 'TERMINATED', 'T1')
    const next = await made({ reference_card_id: old.id })
    assert.partialDeepStrictEqual(next, {
      reference_card_id: old.id,
      account_id: old.account_id,
      name_on_card: 'A KHAN',
      auth_settings: { atm: false },
    })
    assert.equal((await read(old.id)).replaced_by_card_id, next.id)
    const again = await create({ reference_card_id: old.id })
    assert.deepEqual([again.status, again.body.code], [409, 'card_already_replaced'])
  })

  test('of eight concurrent replacements one succeeds', async () => {
    const old = await made()
    await move(old.id, 'TERMINATED', 'T2')
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => create({ reference_card_id: old.id })),
    )
    const codes = answers.map(({ status, body }) => body.code ?? status)
    assert.equal(codes.filter((code) => code === 200).length, 1)
    assert.equal(codes.filter((code) => code === 'card_already_replaced').length, 7)
  })
})

describe('GET /cards', () => {
  test('200 filters, newest first, in pages that meet', async () => {
    const owner = await makeUser()
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.push((await made({ user_id: owner.id })).id)
    const [first = ''] = ids
    await move(first, 'SUSPENDED', 'S0')
    const list = async (query: string) =>
      (await request('GET', `/v1/cards?user_id=${owner.id}${query}`)).body
    const page = await list('&limit=3')
    assert.equal(page.has_more, true)
    const rest = await list(`&limit=3&after=${page.after}`)
    assert.equal(rest.has_more, false)
    const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
    assert.deepEqual([...idsOf(page), ...idsOf(rest)], ids.toReversed())
    assert.deepEqual(idsOf(await list('&status=SUSPENDED')), [first])
    const { last_four } = await read(first)
    assert.ok(idsOf(await list(`&last_four=${last_four}`)).includes(first))
    assert.equal(idsOf(await list(`&card_product_id=${product.id}`)).length, 5)
    assert.deepEqual(idsOf(await list(`&card_product_id=${randomUUID()}`)), [])
    assert.deepEqual(idsOf(await list(`&bulk_issuance_id=${randomUUID()}`)), [])
  })

  test('400 for filters that are unknown or malformed, and strange cursors', async () => {
    for (const query of ['status=ASLEEP', 'last_four=12', 'user_id=1', 'pan=4', 'after=x']) {
      assert.equal((await request('GET', `/v1/cards?${query}`)).status, 400, query)
    }
  })

  test('lists no card of another tenant', async () => {
    const { body } = await request('GET', '/v1/cards', undefined, { key: other.api_key })
    assert.ok(body.data.every(({ user_id }: { user_id: string }) => user_id !== user.id))
  })
})

describe('a card that does not exist', () => {
  const paths: [method: string, path: string, body?: object][] = [
    ['GET', ''],
    ['PUT', '', { name_on_card: 'X' }],
    ['GET', '/authsettings'],
    ['PUT', '/authsettings', { atm: false }],
    ['PUT', ':statuschange', { status: 'SUSPENDED', status_reason_code: 'S0' }],
    ['GET', ':reveal'],
  ]
  for (const [method, path, body] of paths) {
    test(`404 ${method} /cards/{id}${path}, alike for another tenant's card`, async () => {
      const { id } = await made()
      // The other tenant may reveal cards as well, but not this one.
      const compliant = await world.otherTenant({ pci_compliant: true })
      const key = { key: compliant.api_key }
      const hidden = await request(method, `/v1/cards/${id}${path}`, body, key)
      const absent = await request(method, `/v1/cards/${randomUUID()}${path}`, body, key)
      assert.equal(hidden.status, 404)
      assert.deepEqual({ ...hidden.body, request_id: '' }, { ...absent.body, request_id: '' })
    })
  }
})

describe('PUT /cards/{id}', () => {
  test('200 changes what is sent, merges the address, clears by null', async () => {
    const { id } = await made({
      shipping_details: { address: { city: 'Dubai', name: 'Aisha' } },
      delivery_method: 'MAIL',
    })
    const { status, body } = await put(id, {
      shipping_details: { address: { city: 'Abu Dhabi' } },
      delivery_method: null,
      allowed_countries_id: null,
    })
    assert.equal(status, 200)
    assert.deepEqual(body.shipping_details, { address: { city: 'Abu Dhabi', name: 'Aisha' } })
    assert.equal('delivery_method' in body, false)
    assert.equal(body.name_on_card, 'Aisha Khan')
    const cleared = await put(id, { shipping_details: null, name_on_card: null })
    assert.equal('shipping_details' in cleared.body || 'name_on_card' in cleared.body, false)
  })

  test('400 for response-only fields and lists that do not exist', async () => {
    const { id } = await made()
    const { status, body } = await put(id, {
      status: 'ACTIVE',
      last_four: '1234',
      user_id: user.id,
    })
    assert.deepEqual([status, pathsOf(body)], [400, ['last_four', 'status', 'user_id']])
    const named = await put(id, { allowed_merchants_id: randomUUID() })
    assert.deepEqual([named.status, pathsOf(named.body)], [400, ['allowed_merchants_id']])
  })

  test('409 when the card is terminated', async () => {
    const { id } = await made()
    await move(id, 'TERMINATED', 'T0')
    for (const [path, change] of [
      [id, { name_on_card: 'X' }],
      [`${id}/authsettings`, { atm: false }],
    ] as const) {
      const { status, body } = await put(path, change)
      assert.deepEqual([status, body.code], [409, 'card_terminated'])
    }
  })
})

describe('GET and PUT /cards/{id}/authsettings', () => {
  test('200 merges switch by switch and answers only the settings of the card itself', async () => {
    const { id } = await made({ auth_settings: { atm: false, min_amount: 1 } })
    const { status, body } = await put(`${id}/authsettings`, {
      pos: false,
      min_amount: null,
      max_amount: '500.25',
      allowed_mccs_id: null,
    })
    assert.equal(status, 200)
    assert.deepEqual(body, { atm: false, pos: false, max_amount: 500.25 })
    assert.deepEqual((await request('GET', `/v1/cards/${id}/authsettings`)).body, body)
    assert.deepEqual((await read(id)).auth_settings, body)
  })

  test('400 names every fault: unknown switch, amount, list', async () => {
    const { id } = await made()
    const unknown = await put(`${id}/authsettings`, { fly: true, atm: 'no' })
    assert.equal(unknown.status, 400)
    assert.deepEqual([...new Set(pathsOf(unknown.body))], ['atm', 'fly'])
    const { body } = await put(`${id}/authsettings`, {
      max_amount: 0.001,
      allowed_countries_id: randomUUID(),
    })
    assert.deepEqual(pathsOf(body), ['allowed_countries_id', 'max_amount'])
    const crossed = await put(`${id}/authsettings`, { min_amount: 5, max_amount: 4 })
    assert.deepEqual(pathsOf(crossed.body), ['max_amount'])
  })
})

describe('PUT /cards/{id}:statuschange', () => {
  test('200 moves the card and reports old and new with the note, once each', async () => {
    const { id } = await made({ card_type: 'PHYSICAL' })
    const note = { category: 'lost', description: 'found again', extras: { ticket: '17' } }
    assert.equal((await move(id, 'ACTIVE', 'a0')).body.status, 'ACTIVE')
    assert.equal((await move(id, 'SUSPENDED', 'S0', note)).body.status_reason_code, 'S0')
    assert.equal((await move(id, 'ACTIVE', 'A0')).status, 200)
    assert.equal((await move(id, 'TERMINATED', 'T0')).body.status, 'TERMINATED')
    assert.deepEqual(await eventsAbout(id), [
      'SUCCESSFULLY_CREATED',
      ...Array.from({ length: 4 }, () => 'CARD_STATUS_CHANGE'),
    ])
    const payload = (await payloadsOf(world, id))[2]
    assert.deepEqual(payload.card_status_change, {
      card_id: id,
      old_status: 'ACTIVE',
      new_status: 'SUSPENDED',
      old_status_reason_code: 'a0',
      status_reason_code: 'S0',
      note,
    })
  })

  test('409 names the present state, and writes nothing', async () => {
    const { id } = await made({ card_type: 'PHYSICAL' })
    const rejected = await move(id, 'ACTIVE', 'A0')
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'card_status_move_refused'])
    assert.match(rejected.body.detail, /INACTIVE \(I0\)/)
    await move(id, 'TERMINATED', 'T1')
    const final = await move(id, 'ACTIVE', 'a0')
    assert.deepEqual([final.status, final.body.code], [409, 'card_terminated'])
    assert.equal((await eventsAbout(id)).length, 2)
  })

  test('409 for reasons reserved for the operator or the platform', async () => {
    const { id } = await made()
    for (const [status, reason] of [
      ['SUSPENDED', 'S1'],
      ['SUSPENDED', 'S2'],
      ['ACTIVE', 'AT'],
      ['TERMINATED', 'T4'],
    ] as const) {
      assert.equal((await move(id, status, reason)).status, 409, reason)
    }
  })

  test('400 for a status or a reason that does not exist, and for a note of another shape', async () => {
    const { id } = await made()
    assert.equal((await move(id, 'ASLEEP', 'A0')).status, 400)
    assert.equal((await move(id, 'ACTIVE', 'Z9')).status, 400)
    assert.equal((await move(id, 'SUSPENDED', 'S0', { mood: 'bad' })).status, 400)
  })

  test('concurrent activation and termination are both reported and end TERMINATED', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await made({ card_type: 'PHYSICAL' })
      const [activated, terminated] = await Promise.all([
        move(id, 'ACTIVE', 'a0'),
        move(id, 'TERMINATED', 'T0'),
      ])
      assert.equal(terminated.status, 200)
      assert.ok([200, 409].includes(activated.status))
      assert.equal((await read(id)).status, 'TERMINATED')
    }
  })
})
