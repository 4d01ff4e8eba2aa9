/** KYC requests by status code, their races, and the search with the specification's body. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { people } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const they = people(world, await world.otherTenant({ require_kyc: true }))
const others = people(world, await world.otherTenant({ require_kyc: true }))
const named = (last_name: string, more: object = {}) =>
  they.create({ first_name: 'Ann', last_name, ...more })
const decide = (id: string, result: string) =>
  they.ask('POST', `/v1/simulate/kyc/${id}`, { result })

describe('POST /v1/users/{id}/kyc', () => {
  test('200 is SUBMITTED and sent; the service decides by last name', async () => {
    const { id } = await named(' Pass ')
    const { status, body } = await they.askKyc(id)
    assert.equal(status, 200)
    assert.equal(body.status, 'SUBMITTED')
    assert.equal(body.user_id, id)
    await they.runDueJobs()
    const decided = (await they.kyc(body.id)).body
    assert.deepEqual([decided.status, decided.status_code, decided.old_status], [
      'OK',
      'P0',
      'SUBMITTED',
    ]) // biome-ignore format: one line reads best.
    const reported = await they.events(id, 'KYC_RESULT')
    assert.deepEqual(
      reported.map(({ status, kyc_id, kyc_policy }) => [status, kyc_id, kyc_policy]),
      [
        ['SUBMITTED', body.id, 'UAE_INDIVIDUAL_PRIMARY'],
        ['OK', body.id, 'UAE_INDIVIDUAL_PRIMARY'],
      ],
    )
    const user = await they.find(id)
    assert.equal(they.stateOf(user), 'ACTIVE/A0')
    assert.equal(user.kyc_policy_passed, 'UAE_INDIVIDUAL_PRIMARY')
  })

  test('200 again after a failure', async () => {
    const { id } = await named('fail')
    await they.askKyc(id)
    await they.runDueJobs()
    assert.equal(await they.state(id), 'PENDINGKYC/I0')
    assert.equal((await they.askKyc(id)).status, 200)
  })

  test('200 other names wait for people, through any number of sweeps', async () => {
    const { id } = await named('Lee')
    const { body } = await they.askKyc(id)
    await they.runDueJobs()
    await they.runDueJobs()
    assert.equal((await they.kyc(body.id)).body.status, 'SUBMITTED')
    assert.equal((await decide(body.id, 'OK')).status, 200)
    assert.equal(await they.state(id), 'ACTIVE/A0')
  })

  test('a child follows its parent’s KYC: 409 before, 200 after', async () => {
    const parent = await named('pass')
    const child = await named('pass', { parent_user_id: parent.id })
    const policy = 'UAE_INDIVIDUAL_SECONDARY'
    const early = await they.askKyc(child.id, policy)
    assert.deepEqual([early.status, early.body.code], [409, 'parent_kyc_missing'])
    await they.askKyc(parent.id)
    await they.runDueJobs()
    assert.equal((await they.askKyc(child.id, policy)).status, 200)
    await they.runDueJobs()
    assert.equal((await they.find(child.id)).kyc_policy_passed, policy)
    const alone = await named('pass')
    assert.equal((await they.askKyc(alone.id, policy)).body.code, 'parent_kyc_missing')
  })

  test('400 for a policy that does not exist, 404 for no user', async () => {
    const { id } = await named('Lee')
    assert.equal((await they.askKyc(id, 'MOON')).status, 400)
    assert.equal((await they.askKyc(randomUUID())).status, 404)
    assert.equal((await others.askKyc(id)).status, 404)
  })

  test('409 for a user who does not wait for KYC', async () => {
    const { id } = await they.createBusiness()
    const { status, body } = await they.askKyc(id)
    assert.deepEqual([status, body.code], [409, 'kyc_not_awaited'])
    assert.equal(body.status_of_user, 'PENDINGKYB')
  })

  test('409 for all but one of requests that race', async () => {
    const { id } = await named('Lee')
    const answers = await Promise.all(Array.from({ length: 8 }, () => they.askKyc(id)))
    const codes = answers.map(({ status, body }) => `${status} ${body.code ?? ''}`).sort()
    assert.deepEqual(codes, ['200 ', ...Array(7).fill('409 kyc_in_progress')])
  })
})

describe('results', () => {
  test('409 for a second one, and of those that race exactly one counts', async () => {
    const { id } = await named('Lee')
    const { body } = await they.askKyc(id)
    const results = Array.from({ length: 8 }, (_, at) => decide(body.id, at % 2 ? 'OK' : 'FAILED'))
    const answers = await Promise.all(results)
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await decide(body.id, 'OK')).body.code, 'kyc_decided')
    assert.equal((await they.events(id, 'KYC_RESULT')).length, 2)
  })

  test('a user who was terminated meanwhile stays so', async () => {
    const { id } = await named('Lee')
    const { body } = await they.askKyc(id)
    await they.change(id, 'TERMINATED', 'T0')
    assert.equal((await decide(body.id, 'OK')).status, 200)
    const user = await they.find(id)
    assert.deepEqual([they.stateOf(user), user.kyc_policy_passed], ['TERMINATED/T0', undefined])
  })

  test('a user who was suspended and approved meanwhile has passed, as its children see', async () => {
    const { id } = await named('Lee')
    const { body } = await they.askKyc(id)
    assert.equal((await they.review(id, 'reject', { reason: 'a copy' })).status, 200)
    assert.equal((await decide(body.id, 'OK')).status, 200)
    assert.equal(await they.state(id), 'SUSPENDED/S5')
    assert.equal((await they.review(id, 'approve')).status, 200)
    const user = await they.find(id)
    assert.deepEqual(
      [they.stateOf(user), user.kyc_policy_passed],
      ['ACTIVE/A0', 'UAE_INDIVIDUAL_PRIMARY'],
    )
    const child = await they.create({ first_name: 'Bo', last_name: 'Lee', parent_user_id: id })
    assert.equal((await they.askKyc(child.id, 'UAE_INDIVIDUAL_SECONDARY')).status, 200)
  })

  test('400 for a result that is none, 404 for another tenant’s request', async () => {
    const { id } = await named('Lee')
    const { body } = await they.askKyc(id)
    assert.equal((await decide(body.id, 'MAYBE')).status, 400)
    assert.equal(
      (await others.ask('POST', `/v1/simulate/kyc/${body.id}`, { result: 'OK' })).status,
      404,
    )
    assert.equal((await others.kyc(body.id)).status, 404)
    assert.equal((await they.kyc(randomUUID())).status, 404)
  })

  test('the operator ends requests that wait, by name of the request alone', async () => {
    for (const [verb, result] of [
      ['approve', 'OK'],
      ['reject', 'FAILED'],
    ] as const) {
      const { id } = await named('Lee')
      const { body } = await they.askKyc(id)
      const answer = await they.asOperator(`kyc/${body.id}:${verb}`, { reason: 'seen in person' })
      assert.deepEqual([answer.status, answer.body.status], [200, result])
      assert.equal(answer.body.note, 'seen in person')
      assert.equal((await they.asOperator(`kyc/${body.id}:${verb}`, { reason: 'x' })).status, 409)
    }
    assert.equal((await they.asOperator(`kyc/${randomUUID()}:approve`)).status, 404)
    assert.equal((await they.asOperator(`kyc/${randomUUID()}:reject`, {})).status, 400)
  })
})

describe('POST /v1/users/kyc:search', async () => {
  const seekers = people(world, await world.otherTenant({ require_kyc: true }))
  const search = (body: object) => seekers.ask('POST', '/v1/users/kyc:search', body)
  const ids = async (body: object): Promise<string[]> => {
    const answer = await search(body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.data.map((row: { id: string }) => row.id)
  }
  const made: { id: string; user_id: string; created: string }[] = []
  for (const last_name of ['pass', 'fail', 'Lee', 'Nasser', 'pass']) {
    const { id } = await seekers.create({ first_name: 'Ann', last_name })
    made.push((await seekers.askKyc(id)).body)
    await seekers.advance('PT1M')
  }
  const [a = '', b = '', c = '', d = '', e = ''] = made.map(({ id }) => id)
  const is = (field: string, operator: string, ...values: string[]) => ({ field, operator, values })

  const table: [name: string, body: object, expected: string[]][] = [
    ['everything, newest first', {}, [e, d, c, b, a]],
    ['oldest first', { order_by: 'asc' }, [a, b, c, d, e]],
    ['eq', { filters: [is('status', 'eq', 'OK')] }, [e, a]],
    ['any_of', { filters: [is('status', 'any_of', 'OK', 'FAILED')] }, [e, b, a]],
    ['any_of nothing', { filters: [is('status', 'any_of')] }, []],
    ['contains, whatever the case', { filters: [is('status', 'contains', 'submit')] }, [d, c]],
    ['contains accepts no pattern', { filters: [is('status', 'contains', '%')] }, []],
    ['gte', { filters: [is('created', 'gte', made[3]?.created ?? '')] }, [e, d]],
    ['lte', { filters: [is('created', 'lte', made[1]?.created ?? '')] }, [b, a]],
    ['a field that was never set', { filters: [is('old_status', 'eq', 'SUBMITTED')] }, [e, b, a]],
    [
      'all must match',
      { matcher: ['and'], filters: [is('status', 'eq', 'OK'), is('id', 'any_of', a, b)] },
      [a],
    ],
    [
      'one must match',
      { matcher: ['or'], filters: [is('status', 'eq', 'FAILED'), is('id', 'eq', a)] },
      [b, a],
    ],
    [
      'from left to right',
      {
        matcher: ['or', 'and'],
        filters: [is('id', 'eq', a), is('id', 'eq', b), is('status', 'eq', 'FAILED')],
      },
      [b],
    ],
    ['by name of the user', { query: 'ann nass' }, [d]],
    ['by the status description', { query: 'not passed' }, [b]],
    ['by id of the user', { query: made[2]?.user_id ?? '' }, [c]],
    ['nothing found', { query: "'; drop table users --" }, []],
  ]
  for (const [name, body, expected] of table) {
    test(`200 ${name}`, async () => assert.deepEqual(await ids(body), expected))
  }

  test('200 pages follow each other by their cursors, in both orders', async () => {
    for (const [order_by, expected] of [
      ['desc', [e, d, c, b, a]],
      ['asc', [a, b, c, d, e]],
    ] as const) {
      for (const sort_by of ['created', 'modified']) {
        const found: string[] = []
        let cursors: { after?: string; has_more?: boolean } = {}
        do {
          const { body } = await search({ sort_by, order_by, limit: 2, cursors })
          found.push(...body.data.map((row: { id: string }) => row.id))
          cursors = body.cursors
        } while (cursors.has_more)
        assert.deepEqual(found.toSorted(), expected.toSorted())
        if (sort_by === 'created') assert.deepEqual(found, expected)
      }
    }
  })

  const faults: [name: string, body: object, path: string][] = [
    ['an unknown field', { filters: [is('tenant_id', 'eq', a)] }, 'filters.0.field'],
    ['an unknown operator', { filters: [is('id', 'like', a)] }, 'filters.0.operator'],
    ['an operator of other fields', { filters: [is('id', 'gte', a)] }, 'filters.0.operator'],
    ['two values', { filters: [is('status', 'eq', 'OK', 'FAILED')] }, 'filters.0.values'],
    ['no id', { filters: [is('id', 'eq', 'x')] }, 'filters.0.values.0'],
    ['no instant', { filters: [is('created', 'lte', 'soon')] }, 'filters.0.values.0'],
    ['an unknown sort', { sort_by: 'tenant_id; --' }, 'sort_by'],
    ['an unknown order', { order_by: 'up' }, 'order_by'],
    ['an unknown matcher', { matcher: ['xor'] }, 'matcher.0'],
    [
      'too many matchers',
      { matcher: ['or', 'or'], filters: [is('id', 'eq', a), is('id', 'eq', b)] },
      'matcher',
    ],
    ['an unknown member', { sql: 'x' }, 'sql'],
  ]
  for (const [name, body, path] of faults) {
    test(`400 for ${name}`, async () => {
      const answer = await search(body)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.errors[0].path, path)
    })
  }

  test('400 for a cursor that no page has given', async () => {
    const { status, body } = await search({ cursors: { after: 'x' } })
    assert.deepEqual([status, body.code], [400, 'cursor_invalid'])
    assert.equal(body.errors[0].path, 'cursors.after')
  })

  test('400 for a cursor of another sort, and of another list', async () => {
    const first = await search({ limit: 1 })
    const { after } = first.body.cursors
    assert.equal((await search({ cursors: { after } })).status, 200)
    for (const other of [{ sort_by: 'modified' }, { order_by: 'asc' }]) {
      const { status, body } = await search({ ...other, cursors: { after } })
      assert.deepEqual([status, body.code], [400, 'cursor_invalid'])
    }
    const users = await they.ask('GET', '/v1/users?limit=1')
    assert.ok(users.body.after)
    const mixed = await search({ cursors: { after: users.body.after } })
    assert.deepEqual([mixed.status, mixed.body.code], [400, 'cursor_invalid'])
    const strange = await they.ask('GET', `/v1/users?after=${after}`)
    assert.deepEqual([strange.status, strange.body.code], [400, 'cursor_invalid'])
    // Other filters of one list have its cursors.
    const suspended = `/v1/users?status=SUSPENDED&after=${users.body.after}`
    assert.equal((await they.ask('GET', suspended)).status, 200)
  })

  test('another tenant finds nothing of it', async () => {
    const { body } = await others.ask('POST', '/v1/users/kyc:search', { query: a })
    assert.deepEqual(body.data, [])
  })
})
