import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { openWorld } from '#test/support/world.ts'
import { hasStoredDocuments, reviewIdentification } from './identifications.ts'
import { IDENTIFICATIONS_MAX } from './rules/documents.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { request } = world
const other = await world.otherTenant()
const theirs = { key: other.api_key }

async function make(path: string, body: object): Promise<{ id: string; [name: string]: unknown }> {
  const answer = await request('POST', path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const user = await make('/v1/users', { first_name: 'Omar' })
const all = `/v1/users/${user.id}/identifications`
const passport = (more: object = {}) => make(all, { type: 'PASSPORT', number: 'P1', ...more })
const paths = (answer: { body: { errors: { path: string }[] } }) =>
  answer.body.errors.map(({ path }) => path)

describe('POST /v1/users/{user_id}/identifications', () => {
  test('200 an identification of an individual starts PENDING with I0; dates answer as instants', async () => {
    const made = await make(all, {
      type: 'PASSPORT',
      number: 'A1234567',
      issuance_authority: 'Interior',
      place_of_issuance: 'Dubai',
      issuance_date: '2020-02-03',
      expiration_date: '2030-02-03T04:00:00+04:00',
      identification_note: 'first',
    })
    assert.deepEqual(
      [made['user_id'], made['document_status'], made['document_status_reason']],
      [user.id, 'PENDING', 'I0'],
    )
    assert.deepEqual(
      [made['issuance_date'], made['expiration_date']],
      ['2020-02-03T00:00:00.000Z', '2030-02-03T00:00:00.000Z'],
    )
    assert.deepEqual((await request('GET', `${all}/${made.id}`)).body, made)
  })

  test('200 identifications of a business and of its sub-users start PENDINGKYB', async () => {
    for (const body of [
      { user_type: 'BUSINESS', business_legal_name: 'A', business_dba_name: 'A' },
      { user_type: 'DIRECTOR', first_name: 'D', last_name: 'R', designation: 'CEO' },
    ]) {
      const { id } = await make('/v1/users', body)
      const made = await make(`/v1/users/${id}/identifications`, { type: 'TRADE_LICENSE' })
      assert.equal(made['document_status'], 'PENDINGKYB')
      assert.deepEqual(made['number'], undefined)
    }
  })

  test('400 names every fault: type, dates, members of answers alone', async () => {
    const bad = { type: 'DIPLOMA', issuance_date: '2020-02-30', document_status: 'VERIFIED', x: 1 }
    const answer = await request('POST', all, bad)
    assert.equal(answer.status, 400)
    assert.deepEqual(paths(answer).sort(), ['document_status', 'issuance_date', 'type', 'x'])
    assert.deepEqual(paths(await request('POST', all, {})), ['type'])
  })

  test('400 expiration_date is after issuance_date', async () => {
    for (const expiration_date of ['2020-01-01', '2019-12-31']) {
      const dates = { issuance_date: '2020-01-01', expiration_date }
      const answer = await request('POST', all, { type: 'VISA', ...dates })
      assert.deepEqual([answer.status, paths(answer)], [400, ['expiration_date']])
    }
  })

  test('409 an id that exists, also one of another user', async () => {
    const { id } = await passport({ id: randomUUID() })
    const answer = await request('POST', all, { id, type: 'VISA' })
    assert.deepEqual([answer.status, answer.body.code], [409, 'id_taken'])
  })

  test('404 a user that is not there, or another tenant’s', async () => {
    const body = { type: 'VISA' }
    const absent = await request('POST', `/v1/users/${randomUUID()}/identifications`, body)
    const foreign = await request('POST', all, body, theirs)
    assert.deepEqual([absent.status, foreign.status], [404, 404])
  })

  test('409 a TERMINATED user gets no more identifications', async () => {
    const gone = await make('/v1/users', { first_name: 'Gone' })
    const path = `/v1/users/${gone.id}/identifications`
    const { id } = await make(path, { type: 'VISA' })
    const wanted = { status: 'TERMINATED', status_reason_code: 'T0' }
    await request('PUT', `/v1/users/${gone.id}:changeStatus`, wanted)
    for (const [method, url] of [
      ['POST', path],
      ['PUT', `${path}/${id}`],
    ] as const) {
      const answer = await request(method, url, { type: 'VISA' })
      assert.deepEqual([answer.status, answer.body.code], [409, 'user_terminated'])
    }
  })

  test('409 a user has at most a hundred identifications', async () => {
    const { id } = await make('/v1/users', { first_name: 'Many' })
    const path = `/v1/users/${id}/identifications`
    const ctx = await world.ctx()
    await ctx.db
      .insertInto('identifications')
      .values(
        Array.from({ length: IDENTIFICATIONS_MAX - 1 }, () => ({
          tenant_id: ctx.tenant_id,
          id: randomUUID(),
          user_id: id,
          type: 'VISA' as const,
          document_status: 'PENDING' as const,
          document_status_reason: 'I0',
          created: ctx.now,
          modified: ctx.now,
        })),
      )
      .execute()
    const answers = await Promise.all([1, 2, 3].map(() => request('POST', path, { type: 'VISA' })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
    assert.ok(answers.some(({ body }) => body.code === 'identification_limit_reached'))
  })

  test('one effect per idempotency key', async () => {
    const headers = { 'x-bezant-idempotency-key': 'paper-1' }
    const send = (number: string) => request('POST', all, { type: 'PASSPORT', number }, { headers })
    const [first, again, another] = [await send('K1'), await send('K1'), await send('K2')]
    assert.equal(first.text, again.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual([another.status, another.body.code], [409, 'idempotency_key_reused'])
  })
})

describe('GET and PUT', () => {
  test('200 a list is of one user, newest first, in pages', async () => {
    const { id } = await make('/v1/users', { first_name: 'List' })
    const path = `/v1/users/${id}/identifications`
    const made: string[] = []
    for (const type of ['PASSPORT', 'VISA', 'NATIONAL_ID']) {
      made.unshift((await make(path, { type })).id)
    }
    const first = (await request('GET', `${path}?limit=2`)).body
    const second = (await request('GET', `${path}?limit=2&after=${first.after}`)).body
    const ids = [...first.data, ...second.data].map((row: { id: string }) => row.id)
    assert.deepEqual([ids, first.has_more, second.has_more], [made, true, false])
    assert.equal((await request('GET', `${path}?after=nonsense`)).status, 400)
    assert.equal((await request('GET', path, undefined, theirs)).status, 404)
  })

  test('404 an identification under another user, or of another tenant', async () => {
    const { id } = await passport()
    const neighbour = await make('/v1/users', { first_name: 'N' })
    const under = `/v1/users/${neighbour.id}/identifications/${id}`
    for (const [method, body] of [['GET'], ['PUT', { number: 'X' }]] as const) {
      assert.equal((await request(method, under, body)).status, 404)
      assert.equal((await request(method, `${all}/${id}`, body, theirs)).status, 404)
      assert.equal((await request(method, `${all}/${randomUUID()}`, body)).status, 404)
    }
  })

  test('200 only what is sent changes, null clears', async () => {
    const made = await passport({ issuance_date: '2020-01-01', place_of_issuance: 'Dubai' })
    const sent = { number: 'P2', place_of_issuance: null, type: 'PASSPORT' }
    const { body } = await request('PUT', `${all}/${made.id}`, sent)
    const { place_of_issuance: _gone, ...stays } = made
    assert.deepEqual(body, { ...stays, number: 'P2', modified: body.modified })
  })

  test('400 a date that does not fit the stored one', async () => {
    const { id } = await passport({ issuance_date: '2020-01-01', expiration_date: '2030-01-01' })
    const answer = await request('PUT', `${all}/${id}`, { issuance_date: '2031-01-01' })
    assert.deepEqual([answer.status, paths(answer)], [400, ['expiration_date']])
    const cleared = { issuance_date: '2031-01-01', expiration_date: null }
    assert.equal((await request('PUT', `${all}/${id}`, cleared)).status, 200)
  })
})

test('a review is valid until the identification changes', async () => {
  const { id } = await passport()
  const ctx = await world.ctx()
  for (const document_status of ['VERIFIED', 'REJECTED'] as const) {
    const found = { document_status, document_status_reason: 'not legible' }
    await reviewIdentification(ctx, user.id, id, { found })
    const { body } = await request('GET', `${all}/${id}`)
    assert.equal(body.document_status_reason, 'not legible')
    const changed = await request('PUT', `${all}/${id}`, { number: document_status })
    assert.deepEqual(
      [changed.body.document_status, changed.body.document_status_reason],
      ['PENDING', 'I0'],
    )
  }
  const found = { document_status: 'VERIFIED', document_status_reason: 'A0' } as const
  const absent = reviewIdentification(ctx, user.id, randomUUID(), { found })
  await assert.rejects(absent, { code: 'not_found' })
  assert.equal(await hasStoredDocuments(ctx, user.id), false)
})
