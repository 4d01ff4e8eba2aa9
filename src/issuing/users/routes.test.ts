import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const { request } = world
const other = await world.otherTenant()
const theirs = { key: other.api_key }

const director = { user_type: 'DIRECTOR', first_name: 'Dana', last_name: 'Roy', designation: 'CFO' }
const business = {
  user_type: 'BUSINESS',
  business_legal_name: 'Acme LLC',
  business_dba_name: 'Acme',
}

/** Creates what must succeed. */
async function create(body: object, options = {}) {
  const answer = await request('POST', '/v1/users', body, options)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const person = (fields: object = {}) => create({ first_name: 'Omar', ...fields })
const paths = (answer: { body: { errors: { path: string }[] } }) =>
  answer.body.errors.map(({ path }) => path)

describe('POST /v1/users', () => {
  const post = (body: unknown, options = {}) => request('POST', '/v1/users', body, options)

  test('200 an individual is ACTIVE at once when the tenant requires no checks', async () => {
    const user = await person()
    assert.deepEqual(
      [user.user_type, user.status, user.status_reason_code, user.default_user],
      ['INDIVIDUAL', 'ACTIVE', 'A0', false],
    )
    assert.deepEqual([user.director_list, user.signature_list, user.shareholder_list], [[], [], []])
    assert.deepEqual(await eventsOf(await world.ctx(), user.id), ['USER_CREATED'])
  })

  test('200 every field comes back, phones as E.164 and countries as alpha-3', async () => {
    const sent = {
      id: randomUUID(),
      title: 'mr',
      first_name: 'Omar',
      last_name: 'Hassan',
      native_name: 'عمر',
      date_of_birth: '1990-02-03T23:00:00.000Z',
      email: 'omar@example.com',
      mobile: '+971 50 123 4567',
      phone_number: '00442079460958',
      address: { address_line1: '1 Street', city: 'Dubai', postal_code: '00000', country: 'ae' },
      gender: 'male',
      nationality: 'in',
      country_residence: 'AE',
      monthly_salary: '1500.50',
      expected_monthly_balance: 20,
      vip: true,
      director_list: [],
    }
    const user = await create(sent)
    assert.partialDeepStrictEqual(user, {
      ...sent,
      title: 'MR',
      date_of_birth: '1990-02-03',
      mobile: '+971501234567',
      phone_number: '+442079460958',
      address: { ...sent.address, country: 'ARE' },
      gender: 'MALE',
      nationality: 'IND',
      country_residence: 'ARE',
      monthly_salary: 1500.5,
    })
    assert.match(user.created, /^\d{4}-.*\.\d{3}Z$/)
    assert.equal('middle_name' in user, false)
    assert.deepEqual((await request('GET', `/v1/users/${user.id}`)).body, user)
  })

  test('200 a sub-user created under a business joins its list', async () => {
    const parent = await create(business)
    const child = await create({ ...director, parent_user_id: parent.id })
    assert.deepEqual([child.status, child.status_reason_code], ['PENDINGKYB', 'I0'])
    const { body } = await request('GET', `/v1/users/${parent.id}`)
    assert.deepEqual(body.director_list, [child.id])
  })

  test('200 a business is created with sub-users that exist', async () => {
    const [first, second] = [await create(director), await create(director)]
    const owner = await create({ ...business, director_list: [second.id, first.id] })
    assert.deepEqual(owner.director_list, [second.id, first.id])
    const { body } = await request('GET', `/v1/users/${first.id}`)
    assert.equal(body.parent_user_id, owner.id)
  })

  test('400 names every fault of the fields at once', async () => {
    const answer = await post({
      ...director,
      designation: undefined,
      mobile: '+12345',
      country_residence: 'ZZ',
      tin: '1',
      monthly_salary: 1.00001,
    })
    assert.equal(answer.status, 400)
    assert.deepEqual(paths(answer).sort(), [
      'country_residence',
      'designation',
      'mobile',
      'monthly_salary',
      'tin',
    ])
  })

  for (const [why, fields, path] of [
    ['a required field is missing', { first_name: undefined }, 'first_name'],
    ['a field is unknown', { nickname: 'O' }, 'nickname'],
    ['a field is response-only', { status: 'ACTIVE' }, 'status'],
    ['the type is unknown', { user_type: 'ROBOT' }, 'user_type'],
    ['a field is of another type', { designation: 'CFO' }, 'designation'],
    ['a list of an individual is filled', { director_list: [randomUUID()] }, 'director_list'],
    ['an e-mail is none', { email: 'omar' }, 'email'],
    ['a date does not exist', { date_of_birth: '1990-02-30' }, 'date_of_birth'],
    ['a birth is in the future', { date_of_birth: '2999-01-01' }, 'date_of_birth'],
    ['a name is too long', { first_name: 'x'.repeat(101) }, 'first_name'],
    ['an address has an unknown member', { address: { street: 'x' } }, 'address.street'],
    ['an address has no country', { address: { country: 'QQ' } }, 'address.country'],
    ['a null is sent', { last_name: null }, 'last_name'],
    ['a parent does not exist', { parent_user_id: randomUUID() }, 'parent_user_id'],
  ] as [string, object, string][]) {
    test(`400 when ${why}`, async () => {
      const answer = await post({ first_name: 'Omar', ...fields })
      assert.equal(answer.status, 400, answer.text)
      assert.deepEqual(paths(answer), [path])
    })
  }

  test('400 for the parent or sub-user of another tenant, word for word as for none', async () => {
    const [parent, child] = [await create(business, theirs), await create(director, theirs)]
    const reported = async (body: object) => {
      const { status, body: problem } = await post(body)
      return { status, errors: problem.errors, detail: problem.detail }
    }
    const [hidden, absent] = [parent.id, randomUUID()].map((parent_user_id) =>
      reported({ first_name: 'Omar', parent_user_id }),
    )
    assert.deepEqual(await hidden, await absent)
    assert.equal((await hidden)?.status, 400)
    const [hiddenChild, absentChild] = [child.id, randomUUID()].map((id) =>
      reported({ ...business, director_list: [id] }),
    )
    assert.deepEqual(await hiddenChild, await absentChild)
    assert.equal((await hiddenChild)?.status, 400)
  })

  test('401 without a key', async () => {
    assert.equal((await post({ first_name: 'Omar' }, { key: null })).status, 401)
  })

  test('409 for an id that exists, though another tenant may use it', async () => {
    const { id } = await person()
    const answer = await post({ id, first_name: 'Omar' })
    assert.deepEqual([answer.status, answer.body.code], [409, 'id_taken'])
    assert.equal((await create({ id, first_name: 'Omar' }, theirs)).id, id)
  })

  test('409 under a parent that is suspended', async () => {
    const parent = await person()
    const suspension = { status: 'SUSPENDED', status_reason_code: 'S0' }
    await request('PUT', `/v1/users/${parent.id}:changeStatus`, suspension)
    const answer = await post({ first_name: 'Omar', parent_user_id: parent.id })
    assert.deepEqual([answer.status, answer.body.code], [409, 'parent_not_eligible'])
  })

  test('a business gets ten directors of sixteen created at once', async () => {
    const parent = await create(business)
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => post({ ...director, parent_user_id: parent.id })),
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepEqual(statuses, [...Array(10).fill(200), ...Array(6).fill(400)])
    const { body } = await request('GET', `/v1/users/${parent.id}`)
    assert.equal(new Set(body.director_list).size, 10)
    await create({
      user_type: 'SIGNATURE',
      first_name: 'A',
      last_name: 'B',
      designation: 'C',
      parent_user_id: parent.id,
    })
  })
})

describe('PUT /v1/users/{id}', () => {
  const put = (id: string, body: unknown) => request('PUT', `/v1/users/${id}`, body)

  test('200 only what is sent changes; null clears; objects merge member by member', async () => {
    const address = { city: 'Dubai', postal_code: '00000', country: 'ARE' }
    const user = await person({ last_name: 'Hassan', email: 'o@example.com', address })
    const { status, body } = await put(user.id, {
      email: null,
      address: { city: 'Sharjah', postal_code: null },
    })
    assert.equal(status, 200)
    const { email: _email, modified: _modified, ...rest } = user
    const expected = { ...rest, address: { city: 'Sharjah', country: 'ARE' } }
    assert.deepEqual(body, { ...expected, modified: body.modified })
    assert.deepEqual((await put(user.id, { address: null })).body.address, undefined)
  })

  test('200 lists are replaced in their order, and who leaves has no parent', async () => {
    const owner = await create(business)
    const [a, b, c] = [await create(director), await create(director), await create(director)]
    assert.deepEqual((await put(owner.id, { director_list: [a.id, b.id] })).body.director_list, [
      a.id,
      b.id,
    ])
    assert.deepEqual((await put(owner.id, { director_list: [c.id, b.id] })).body.director_list, [
      c.id,
      b.id,
    ])
    const { body } = await request('GET', `/v1/users/${a.id}`)
    assert.equal('parent_user_id' in body, false)
    assert.deepEqual((await put(b.id, { parent_user_id: null })).status, 200)
    const { body: now } = await request('GET', `/v1/users/${owner.id}`)
    assert.deepEqual(now.director_list, [c.id])
  })

  test('200 the same parent again keeps the place in the list', async () => {
    const owner = await create(business)
    const first = await create({ ...director, parent_user_id: owner.id })
    const second = await create({ ...director, parent_user_id: owner.id })
    await put(first.id, { parent_user_id: owner.id })
    const { body } = await request('GET', `/v1/users/${owner.id}`)
    assert.deepEqual(body.director_list, [first.id, second.id])
  })

  for (const [why, fields, path] of [
    ['a required field is cleared', { first_name: null }, 'first_name'],
    ['the type would change', { user_type: 'BUSINESS' }, 'user_type'],
    ['a response-only field is sent', { id: randomUUID() }, 'id'],
    ['a field of another type is sent', { tin: '1' }, 'tin'],
    ['a parent does not exist', { parent_user_id: randomUUID() }, 'parent_user_id'],
  ] as [string, object, string][]) {
    test(`400 when ${why}`, async () => {
      const answer = await put((await person()).id, fields)
      assert.equal(answer.status, 400, answer.text)
      assert.deepEqual(paths(answer), [path])
    })
  }

  for (const [why, list, path] of [
    ['an id twice', (id: string) => ({ director_list: [id, id] }), 'director_list.1'],
    ['a user of another type', (id: string) => ({ signature_list: [id] }), 'signature_list.0'],
    ['eleven ids', () => ({ director_list: Array(11).fill(randomUUID()) }), 'director_list'],
  ] as [string, (id: string) => object, string][]) {
    test(`400 when a list holds ${why}`, async () => {
      const answer = await put((await create(business)).id, list((await create(director)).id))
      assert.equal(answer.status, 400)
      assert.deepEqual(paths(answer), [path])
    })
  }

  test('404 for the user of another tenant, word for word as for none', async () => {
    const reported = async (id: string) => {
      const { status, body } = await put(id, { first_name: 'X' })
      return { status, detail: body.detail, code: body.code }
    }
    assert.deepEqual(await reported((await person()).id).then(({ status }) => status), 200)
    const hidden = await reported((await create({ first_name: 'A' }, theirs)).id)
    assert.deepEqual(hidden, await reported(randomUUID()))
    assert.equal(hidden.status, 404)
  })

  test('409 when a user would be its own ancestor', async () => {
    const top = await person()
    const middle = await person({ parent_user_id: top.id })
    const bottom = await person({ parent_user_id: middle.id })
    for (const parent_user_id of [top.id, bottom.id]) {
      const answer = await put(top.id, { parent_user_id })
      assert.deepEqual([answer.status, answer.body.code], [409, 'parent_cycle'])
    }
  })

  test('409 when a list would put a user above itself', async () => {
    const holder = {
      user_type: 'SHAREHOLDER_BUSINESS',
      business_legal_name: 'H',
      license_type: 'L',
    }
    const above = await create({ ...holder, license_expiry: '2030-01-01' })
    const owner = await create({ ...business, parent_user_id: above.id })
    const answer = await put(owner.id, { shareholder_list: [above.id] })
    assert.deepEqual([answer.status, answer.body.code], [409, 'parent_cycle'])
    const moved = await put(owner.id, { parent_user_id: null, shareholder_list: [above.id] })
    assert.deepEqual([moved.status, moved.body.shareholder_list], [200, [above.id]])
  })

  test('409 when a sub-user has another parent', async () => {
    const child = await create({ ...director, parent_user_id: (await create(business)).id })
    const answer = await put((await create(business)).id, { director_list: [child.id] })
    assert.deepEqual([answer.status, answer.body.code], [409, 'user_already_linked'])
  })

  test('parents that are set at the same time never close a circle', async () => {
    const ring = [await person(), await person(), await person(), await person()]
    // a → b and c → d exist; b → c and d → a would each be fine alone.
    await put(ring[0].id, { parent_user_id: ring[1].id })
    await put(ring[2].id, { parent_user_id: ring[3].id })
    const answers = await Promise.all([
      put(ring[1].id, { parent_user_id: ring[2].id }),
      put(ring[3].id, { parent_user_id: ring[0].id }),
    ])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  })
})

describe('settings of the tenant', () => {
  test('409 names the locked fields of an ACTIVE user under KYC; the same values pass', async () => {
    const tenant = await world.otherTenant()
    const key = { key: tenant.api_key }
    const user = await create({ first_name: 'Omar', date_of_birth: '1990-01-01' }, key)
    const settings = JSON.stringify({ require_kyc: true })
    await world.db.updateTable('tenants').set({ settings }).where('id', '=', tenant.id).execute()
    const put = (body: object) => request('PUT', `/v1/users/${user.id}`, body, key)

    const rejected = await put({ first_name: 'Ali', date_of_birth: null, email: 'a@example.com' })
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'field_locked'])
    assert.deepEqual(rejected.body.fields, ['first_name', 'date_of_birth'])
    assert.equal((await put({ first_name: 'Omar', email: 'a@example.com' })).status, 200)
    assert.equal((await create({ first_name: 'Sara' }, key)).status, 'PENDINGKYC')
  })

  test('400 by the six rules when identity verification is enabled', async () => {
    const tenant = await world.otherTenant({ require_document_verification: true })
    const key = { key: tenant.api_key }
    const answer = await request(
      'POST',
      '/v1/users',
      { first_name: 'O#', address: { city: 'A<', country: 'US' } },
      key,
    )
    assert.equal(answer.status, 400)
    assert.deepEqual(paths(answer).sort(), [
      'address.city',
      'address.country',
      'address.postal_code',
      'first_name',
      'last_name',
    ])
    const user = await create({ first_name: 'O', last_name: 'H' }, key)
    assert.deepEqual([user.status, user.status_reason_code], ['PENDINGIDVERIFICATION', 'I0'])
  })
})
