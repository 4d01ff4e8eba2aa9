import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { transact } from '#kit/context.ts'
import { payloadsOf } from '#test/support/events.ts'
import { openWorld } from '#test/support/world.ts'
import { awaitsChecks, transitions } from './rules/status.ts'
import { requireActiveUser } from './users.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const { request } = world
const other = await world.otherTenant()
const theirs = { key: other.api_key }

async function person(fields: object = {}, options = {}) {
  const answer = await request('POST', '/v1/users', { first_name: 'Omar', ...fields }, options)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id)

describe('GET /v1/users', () => {
  test('200 pages newest first, and stays right while users are added', async () => {
    const tenant = await world.otherTenant()
    const key = { key: tenant.api_key }
    const made = [await person({}, key), await person({}, key), await person({}, key)]
    const first = await request('GET', '/v1/users?limit=2', undefined, key)
    assert.deepEqual(ids(first), [made[2].id, made[1].id])
    assert.equal(first.body.has_more, true)
    await person({}, key)
    const next = await request('GET', `/v1/users?limit=2&after=${first.body.after}`, undefined, key)
    assert.deepEqual([ids(next), next.body.has_more], [[made[0].id], false])
  })

  test('200 only users of the status and of the type that are named', async () => {
    const key = { key: (await world.otherTenant({ require_kyc: true })).api_key }
    const pending = await person({}, key)
    const business = await person(
      { user_type: 'BUSINESS', business_legal_name: 'Palm', business_dba_name: 'Palm' },
      key,
    )
    const found = async (query: string) =>
      ids(await request('GET', `/v1/users?${query}`, undefined, key))
    assert.deepEqual(await found('status=PENDINGKYC'), [pending.id])
    assert.deepEqual(await found('user_type=BUSINESS'), [business.id])
    assert.deepEqual(await found('user_type=BUSINESS&status=PENDINGKYC'), [])
    assert.deepEqual(await found('awaits_checks=false'), [business.id, pending.id])
  })

  test('200 with awaits_checks exactly the states of which the rule says so', async () => {
    const tenant = await world.otherTenant()
    const key = { key: tenant.api_key }
    const expected: string[] = []
    for (const { to: status, reason: status_reason_code } of transitions) {
      const { id } = await person({}, key)
      await world.db
        .updateTable('users')
        .set({ status, status_reason_code })
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', id)
        .execute()
      if (awaitsChecks({ status, status_reason_code })) expected.unshift(id)
    }
    const path = '/v1/users?awaits_checks=true&limit=200'
    assert.deepEqual(ids(await request('GET', path, undefined, key)), expected)
  })

  test('400 for a limit, a cursor, a filter or a parameter that is not known', async () => {
    const filters = ['status=LOST', 'user_type=CAT', 'awaits_checks=maybe']
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'after=x', 'colour=red', ...filters]) {
      assert.equal((await request('GET', `/v1/users?${query}`)).status, 400, query)
    }
  })
})

describe('GET /v1/users/{id}', () => {
  test('400 for what is no id, 404 for another tenant’s as for none', async () => {
    assert.equal((await request('GET', '/v1/users/1')).status, 400)
    const hidden = await person({}, theirs)
    for (const id of [hidden.id, randomUUID()]) {
      const { status, body } = await request('GET', `/v1/users/${id}`)
      assert.deepEqual([status, body.code], [404, 'not_found'])
    }
  })
})

describe('/v1/users/{id}:getLinkedRelationships', () => {
  test('200 the children by GET and POST; with depth=all the whole subtree, in pages', async () => {
    const top = await person()
    const child = await person({ parent_user_id: top.id })
    const sibling = await person({ parent_user_id: top.id })
    const grandchild = await person({ parent_user_id: child.id })
    const path = `/v1/users/${top.id}:getLinkedRelationships`

    for (const [method, body] of [
      ['GET', undefined],
      ['POST', undefined],
      ['POST', {}],
    ] as const) {
      const answer = await request(method, path, body)
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(ids(answer), [sibling.id, child.id])
      assert.equal(answer.body.has_more, false)
    }
    const page = await request('GET', `${path}?depth=all&limit=2`)
    assert.deepEqual([ids(page), page.body.has_more], [[grandchild.id, sibling.id], true])
    const rest = await request('GET', `${path}?depth=all&limit=2&after=${page.body.after}`)
    assert.deepEqual([ids(rest), rest.body.has_more], [[child.id], false])
  })

  test('400 for an unknown depth, 404 for another tenant’s user', async () => {
    const [own, hidden] = [await person(), await person({}, theirs)]
    const path = (id: string) => `/v1/users/${id}:getlinkedrelationships`
    assert.equal((await request('GET', `${path(own.id)}?depth=3`)).status, 400)
    assert.equal((await request('POST', path(own.id), { x: 1 })).status, 400)
    assert.equal((await request('GET', path(hidden.id))).status, 404)
  })
})

describe('POST /v1/users:search', () => {
  const search = (body: unknown, options = {}) => request('POST', '/v1/users:search', body, options)

  test('200 finds a name by the beginning of any word, in any letter case', async () => {
    const user = await person({ first_name: 'Zainab', middle_name: 'Noor', last_name: 'Al Qadi' })
    for (const name of ['zain', 'NOOR', 'zainab  al', 'al qadi', 'Zainab Noor Al Qadi', ' qad ']) {
      assert.deepEqual(ids(await search({ name })), [user.id], name)
    }
    assert.deepEqual(ids(await search({ name: 'adi' })), [])
    assert.deepEqual(ids(await search({ name: '%' })), [])
  })

  test('200 finds a business by either name, and follows a change of name', async () => {
    const user = await person({
      first_name: undefined,
      user_type: 'BUSINESS',
      business_legal_name: 'Quartz Holding LLC',
      business_dba_name: 'Pebble & Sons',
    })
    assert.deepEqual(ids(await search({ name: 'quartz hold' })), [user.id])
    await request('PUT', `/v1/users/${user.id}`, { business_legal_name: 'Onyx LLC' })
    assert.deepEqual(ids(await search({ name: 'quartz' })), [])
    assert.deepEqual(ids(await search({ name: 'onyx' })), [user.id])
    assert.deepEqual(ids(await search({ name: 'sons' })), [user.id])
  })

  test('200 finds whole e-mail and mobile; every criterion must match', async () => {
    const user = await person({ email: 'Lina@Example.com', mobile: '+971501112233' })
    assert.deepEqual(ids(await search({ email: 'lina@example.COM' })), [user.id])
    for (const mobile of ['+971501112233', '00971 50 111 2233', '971501112233']) {
      assert.deepEqual(ids(await search({ mobile })), [user.id], mobile)
    }
    assert.deepEqual(ids(await search({ email: 'lina@example.com', name: 'omar' })), [user.id])
    assert.deepEqual(ids(await search({ email: 'lina@example.com', name: 'sara' })), [])
    assert.deepEqual(ids(await search({ email: 'lina@example.com', mobile: '+97150' })), [])
  })

  test('200 pages a name that few have and a name that thousands have', async () => {
    const tenant = await world.otherTenant()
    const key = { key: tenant.api_key }
    await insertNamesakes(tenant.id, 'rare', 7)
    await insertNamesakes(tenant.id, 'frequent', 5100)
    for (const [name, limit, pages] of [
      ['rare', 3, 3],
      ['freq', 200, 3],
    ] as const) {
      let after: string | undefined
      const listed: string[] = []
      for (let page = 0; page < pages; page++) {
        const { body } = await search({ name, limit, ...(after && { after }) }, key)
        listed.push(...body.data.map(({ id }: { id: string }) => id))
        after = body.after
      }
      const expected = await newestNamesakes(tenant.id, name)
      assert.deepEqual(listed, expected.slice(0, listed.length))
      assert.equal(listed.length, Math.min(expected.length, limit * pages))
    }
  })

  test('200 pages a name that thousands have, and none of the newest', async () => {
    const tenant = await world.otherTenant()
    const key = { key: tenant.api_key }
    await insertNamesakes(tenant.id, 'antique', 5100)
    await insertNamesakes(tenant.id, 'modern', 1000, '2031-01-01T00:00:00Z')
    const expected = await newestNamesakes(tenant.id, 'antique')
    const first = await search({ name: 'anti', limit: 2 }, key)
    assert.deepEqual(ids(first), expected.slice(0, 2))
    const second = await search({ name: 'anti', limit: 3, after: first.body.after }, key)
    assert.deepEqual(ids(second), expected.slice(2, 5))
  })

  test('200 finds each user once, however many of its names begin so', async () => {
    const tenant = await world.otherTenant()
    const key = { key: tenant.api_key }
    const names = { first_name: 'Ann Ann', middle_name: 'Anna', last_name: 'Annan Ann' }
    const made = [await person(names, key), await person(names, key), await person(names, key)]
    const first = await search({ name: 'ann', limit: 2 }, key)
    assert.deepEqual([ids(first), first.body.has_more], [[made[2].id, made[1].id], true])
  })

  test('200 without a criterion lists all, of this tenant only', async () => {
    const tenant = await world.otherTenant()
    const key = { key: tenant.api_key }
    const user = await person({ first_name: 'Hidden', email: 'h@example.com' }, key)
    assert.deepEqual(ids(await search({}, key)), [user.id])
    assert.deepEqual(ids(await search({ name: 'hidden' })), [])
    assert.deepEqual(ids(await search({ email: 'h@example.com' })), [])
  })

  test('400 for what a search does not know', async () => {
    for (const body of [{ name: '' }, { phone: 'x' }, { limit: '5' }, { after: 'x' }]) {
      assert.equal((await search(body)).status, 400, JSON.stringify(body))
    }
  })

  /** Written by SQL: thousands by requests would take minutes. */
  async function insertNamesakes(
    tenant_id: string,
    name: string,
    count: number,
    first = '2030-01-01T00:00:00Z',
  ) {
    const start = new Date(first).getTime()
    const rows = Array.from({ length: count }, (_row, at) => ({
      tenant_id,
      id: randomUUID(),
      created: new Date(start + at * 7),
    }))
    for (let from = 0; from < count; from += 1000) {
      const some = rows.slice(from, from + 1000)
      const state = { status: 'ACTIVE', status_reason_code: 'A0' } as const
      await world.db
        .insertInto('users')
        .values(
          some.map((row) => ({
            ...row,
            ...state,
            user_type: 'INDIVIDUAL',
            first_name: name,
            modified: row.created,
          })),
        )
        .execute()
      await world.db
        .insertInto('user_names')
        .values(some.map(({ id, ...row }) => ({ ...row, user_id: id, term: name })))
        .execute()
    }
  }

  async function newestNamesakes(tenant_id: string, name: string) {
    const rows = await world.db
      .selectFrom('users')
      .select('id')
      .where('tenant_id', '=', tenant_id)
      .where('first_name', 'like', `${name}%`)
      .orderBy('created', 'desc')
      .orderBy('id', 'desc')
      .execute()
    return rows.map(({ id }) => id)
  }
})

describe('PUT /v1/users/{id}:changeStatus', () => {
  const change = (id: string, status: string, status_reason_code: string) =>
    request('PUT', `/v1/users/${id}:changeStatus`, { status, status_reason_code })

  test('200 suspends and lifts, with history and one event each, by any spelling', async () => {
    const user = await person()
    const suspended = await request('PUT', `/v1/user/${user.id}:changestatus`, {
      status: 'SUSPENDED',
      status_reason_code: 'S0',
      note: 'lost phone',
    })
    assert.equal(suspended.status, 200, suspended.text)
    assert.equal(suspended.body.status, 'SUSPENDED')
    assert.equal((await change(user.id, 'ACTIVE', 'A0')).body.status, 'ACTIVE')

    const ctx = await world.ctx()
    const changes = ['USER_CREATED', 'USER_STATUS_CHANGE', 'USER_STATUS_CHANGE']
    assert.deepEqual(await eventsOf(ctx, user.id), changes)
    const { body } = await request('GET', `/v1/users/${user.id}/statuschanges`)
    assert.partialDeepStrictEqual(body.data[1], {
      user_id: user.id,
      old_status: 'ACTIVE',
      old_status_reason_code: 'A0',
      new_status: 'SUSPENDED',
      new_status_reason_code: 'S0',
      note: 'lost phone',
      changed_by: { kind: 'client' },
    })
    assert.equal(body.data.length, 2)
    const payload = (await payloadsOf(world, user.id))[1]
    assert.partialDeepStrictEqual(payload, {
      event: 'USER_STATUS_CHANGE',
      user_id: user.id,
      old_status: 'ACTIVE',
      new_status: 'SUSPENDED',
      user_type: 'INDIVIDUAL',
      note: 'lost phone',
      User_status_change: { id: user.id, first_name: 'Omar', status: 'SUSPENDED' },
    })
  })

  test('400 for a status or a reason that does not exist', async () => {
    const user = await person()
    assert.equal((await change(user.id, 'SLEEPING', 'S0')).status, 400)
    assert.equal((await change(user.id, 'SUSPENDED', 'X9')).status, 400)
  })

  test('404 for another tenant’s user as for none', async () => {
    const hidden = await person({}, theirs)
    assert.equal((await change(hidden.id, 'TERMINATED', 'T0')).status, 404)
    assert.equal((await request('GET', `/v1/users/${hidden.id}/statuschanges`)).status, 404)
  })

  test('409 names the present state, and writes nothing', async () => {
    const user = await person()
    await change(user.id, 'TERMINATED', 'T0')
    const answer = await change(user.id, 'ACTIVE', 'A0')
    assert.deepEqual([answer.status, answer.body.code], [409, 'user_status_move_refused'])
    assert.equal(answer.body.status_of_user, 'TERMINATED')
    assert.equal((await eventsOf(await world.ctx(), user.id)).length, 2)
  })

  test('of suspensions that race exactly one wins', async () => {
    const user = await person()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => change(user.id, 'SUSPENDED', 'S0')),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
  })
})

describe('requireActiveUser', () => {
  const ask = async (user_id: string) =>
    transact(await world.ctx(), (tx) => requireActiveUser(tx, user_id))

  test('returns an ACTIVE user; fails by status for others and by field for absent ones', async () => {
    const user = await person()
    assert.equal((await ask(user.id)).id, user.id)
    await assert.rejects(ask(randomUUID()), { code: 'validation_failed' })
    const body = { status: 'SUSPENDED', status_reason_code: 'S0' }
    await request('PUT', `/v1/users/${user.id}:changeStatus`, body)
    await assert.rejects(ask(user.id), { code: 'user_not_active', message: /SUSPENDED/ })
  })
})
