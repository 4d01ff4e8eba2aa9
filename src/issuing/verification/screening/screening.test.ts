/** Checks of businesses with a remote provider, and what the operator sees and does of them. */

import assert from 'node:assert/strict'
import { after, beforeEach, describe, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { people, requiredOf } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { type KybCase, type KybProvider, type Match, ProviderFailure } from '../provider.ts'

/** A remote service; `found` are its matches, or why it does not answer. */
let found: (asked: KybCase) => readonly Match[] | 'PENDING'
let asked: KybCase[] = []
let notify = async (_reference: string): Promise<void> => {}
const remote: KybProvider = {
  name: 'remote',
  outside: true,
  async check(_ctx, request) {
    asked.push(request)
    const matches = found(request)
    return matches === 'PENDING' ? { result: 'PENDING', matches: [] } : { result: 'DONE', matches }
  },
  listen(_app, services, done) {
    notify = (reference) => done(services, reference)
  },
}

const world = await openWorld({
  adapters: [{ name: 'remote', provides: ['kyb'], open: () => ({ kyb: remote }) }],
})
after(() => world[Symbol.asyncDispose]())
const they = people(world, await world.otherTenant({}))
beforeEach(async () => {
  found = () => []
  await they.runDueJobs()
  asked = []
})

const run = async () => {
  for (const name of ['kyb checks', 'screening']) {
    const sweep = world.sweeps.find((one) => one.name === name)
    assert.ok(sweep)
    await sweep.run(await world.ctx(they.tenant.id))
  }
}
const entry = {
  list: 'eu_csl',
  listed_id: 'EU.42',
  name: 'LEE, Ann',
  score: 91,
  reason: 'name',
}
const person = { first_name: 'Ann', last_name: 'Lee' }
const judge = (id: string, verb: 'dismiss' | 'confirm', reason = 'born later') =>
  they.asOperator(`matches/${id}:${verb}`, { reason })

/** A company with three directors and two shareholders, one of whom is a company. */
async function createCompany() {
  const sub = async (user_type: 'DIRECTOR' | 'SHAREHOLDER' | 'SHAREHOLDER_BUSINESS', more = {}) =>
    (await they.create({ user_type, ...requiredOf[user_type], ...more })).id
  const director_list = [
    await sub('DIRECTOR', { nationality: 'NOR', date_of_birth: '1980-05-06' }),
    await sub('DIRECTOR'),
    await sub('DIRECTOR'),
  ]
  const shareholder_list = [
    await sub('SHAREHOLDER', { shares_percentage: '60' }),
    await sub('SHAREHOLDER_BUSINESS', { business_legal_name: 'Holding', tin: 'T-1' }),
  ]
  const business = await they.create({
    user_type: 'BUSINESS',
    ...{ business_legal_name: 'Acme Ltd', business_dba_name: 'Acme', entity_registered_no: 'R-7' },
    ...{ incorporation_type: 'LLC', date_established: '2001-02-03', director_list },
    shareholder_list,
  })
  return { id: String(business.id), director_list, shareholder_list }
}

test('the provider receives the registration, the licence and each director and shareholder', async () => {
  const { id, director_list, shareholder_list } = await createCompany()
  await they.addFile(id, { type: 'TRADE_LICENSE', number: 'L-1', issuance_authority: 'DED' })
  await run()
  assert.equal(asked.length, 1)
  const business = asked[0]?.business
  assert.partialDeepStrictEqual(business, {
    ...{ id, business_legal_name: 'Acme Ltd', entity_registered_no: 'R-7', signatories: [] },
    ...{ incorporation_type: 'LLC', date_established: '2001-02-03' },
    documents: [{ type: 'TRADE_LICENSE', number: 'L-1', issuance_authority: 'DED' }],
  })
  assert.equal(business?.documents[0]?.files.length, 1)
  assert.deepEqual(
    business?.directors.map((one) => one.id),
    director_list,
  )
  assert.partialDeepStrictEqual(business?.directors[0], {
    ...person,
    ...{ nationality: 'NOR', date_of_birth: '1980-05-06', designation: 'CEO' },
  })
  assert.deepEqual(
    business?.shareholders.map((one) => one.id),
    shareholder_list,
  )
  assert.partialDeepStrictEqual(business?.shareholders, [
    { user_type: 'SHAREHOLDER', last_name: 'Lee', shares_percentage: '60' },
    { user_type: 'SHAREHOLDER_BUSINESS', business_legal_name: 'Holding', tin: 'T-1' },
  ])
  assert.equal(await they.state(id), 'PENDINGKYB/I0', 'a check approves nobody')
})

test('a business is checked once, and again when it or one of its people changed', async () => {
  const { id, director_list } = await createCompany()
  await run()
  await run()
  assert.equal(asked.length, 1)
  await they.advance('PT1S')
  await they.ask('PUT', `/v1/users/${director_list[1]}`, { last_name: 'Leigh' })
  await run()
  assert.deepEqual([asked.length, asked[1]?.business.directors[1]?.last_name], [2, 'Leigh'])
  await they.advance('PT1S')
  await they.ask('PUT', `/v1/users/${id}`, { business_legal_name: 'Acme Inc' })
  await run()
  await run()
  assert.deepEqual([asked.length, asked[2]?.business.business_legal_name], [3, 'Acme Inc'])
})

test('matches of a business and its people are in its review, the most alike first', async () => {
  const { id, director_list } = await createCompany()
  const subject_id = String(director_list[0])
  found = () => [
    { ...entry, subject_id },
    { ...entry, subject_id: id, name: 'ACME', score: 99 },
    { ...entry, subject_id },
  ]
  await run()
  const { matches, checks } = await they.reviewOf(id)
  assert.partialDeepStrictEqual(matches, [
    { user_id: id, name: 'ACME', score: 99, purpose: 'KYB', provider: 'remote', status: 'OPEN' },
    { ...entry, user_id: subject_id, status: 'OPEN' },
  ])
  assert.equal(matches.length, 2)
  assert.partialDeepStrictEqual(checks, [{ purpose: 'KYB', status: 'DONE', attempts: 0 }])
  assert.deepEqual(
    (await they.reviewOf(subject_id)).matches.map((one: { id: string }) => one.id),
    [matches[1].id],
  )
})

test('an approval waits until each match is judged, and a rejection does not', async () => {
  const { id, director_list } = await createCompany()
  found = () => [{ ...entry, subject_id: String(director_list[2]) }]
  await run()
  const { matches } = await they.reviewOf(id)
  const early = await they.review(id, 'approve')
  assert.deepEqual([early.status, early.body.code], [409, 'matches_open'])
  assert.equal((await they.review(id, 'reject', { reason: 'x' })).status, 200)
  const { status, body } = await judge(matches[0].id, 'dismiss')
  assert.deepEqual([status, body.status, body.note], [200, 'DISMISSED', 'born later'])
  assert.equal((await they.review(id, 'approve')).body.status, 'ACTIVE')
})

test('PENDING is asked again after a minute or a notification, and the check is visible', async () => {
  found = () => 'PENDING'
  const { id } = await createCompany()
  await run()
  assert.partialDeepStrictEqual((await they.reviewOf(id)).checks, [{ status: 'WAITING' }])
  await run()
  assert.equal(asked.length, 1)
  await notify(String(asked[0]?.reference))
  await notify(newId())
  await run()
  assert.equal(asked.length, 2)
  assert.equal(asked[1]?.reference, asked[0]?.reference)
  found = () => []
  await they.advance('PT1M')
  await run()
  await run()
  assert.equal(asked.length, 3)
})

test('a provider that fails is asked again after longer and longer, however long it fails', async () => {
  found = () => {
    throw new ProviderFailure('it answered 500')
  }
  const { id } = await createCompany()
  for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
    await assert.rejects(run(), /it answered 500/)
    await they.advance(`PT${minutes - 1}M`)
    await run()
    await they.advance('PT1M')
  }
  assert.equal(asked.length, 8)
  assert.partialDeepStrictEqual((await they.reviewOf(id)).checks, [
    { status: 'WAITING', attempts: 8, failure: 'it answered 500' },
  ])
  assert.equal(await they.state(id), 'PENDINGKYB/I0')
  found = () => []
  await run()
  assert.partialDeepStrictEqual((await they.reviewOf(id)).checks, [{ status: 'DONE' }])
})

describe('POST /v1/operator/matches/{id}:dismiss and :confirm', () => {
  async function createMatch(more: Partial<Match> = {}) {
    const { id } = await createCompany()
    found = ({ business }) => [{ ...entry, subject_id: business.id, ...more }]
    await run()
    const [match] = (await they.reviewOf(id)).matches
    return { user_id: id, id: String(match.id) }
  }
  const againWith = async (user_id: string, score: number) => {
    await they.advance('PT1S')
    found = ({ business }) => [{ ...entry, subject_id: business.id, score }]
    await they.ask('PUT', `/v1/users/${user_id}`, { website: `https://${newId()}.example` })
    await run()
    return (await they.reviewOf(user_id)).matches
  }

  test('200 once, then 409 match_decided', async () => {
    for (const verb of ['dismiss', 'confirm'] as const) {
      const { id } = await createMatch()
      assert.equal((await judge(id, verb)).status, 200)
      for (const late of ['dismiss', 'confirm'] as const) {
        const { status, body } = await judge(id, late)
        assert.deepEqual([status, body.code], [409, 'match_decided'])
      }
    }
  })

  test('a confirmed match stays in the review, and leaves the user as it is', async () => {
    const { id, user_id } = await createMatch()
    await judge(id, 'confirm', 'it is she')
    const { matches } = await they.reviewOf(user_id)
    assert.partialDeepStrictEqual(matches, [{ id, status: 'CONFIRMED', note: 'it is she' }])
    assert.equal(await they.state(user_id), 'PENDINGKYB/I0')
  })

  test('a dismissed match is open again when it is more alike, and not otherwise', async () => {
    const { id, user_id } = await createMatch()
    await judge(id, 'dismiss')
    assert.deepEqual(await againWith(user_id, entry.score), [])
    assert.deepEqual(await againWith(user_id, entry.score - 1), [])
    assert.partialDeepStrictEqual(await againWith(user_id, 99), [{ id, score: 99, status: 'OPEN' }])
    await judge(id, 'confirm')
    assert.partialDeepStrictEqual(await againWith(user_id, 100), [{ score: 99 }])
  })

  test('400 without a reason, 403 for a client, 404 for no match', async () => {
    const { id } = await createMatch()
    assert.equal((await they.asOperator(`matches/${id}:dismiss`, {})).status, 400)
    const client = await they.ask('POST', `/v1/operator/matches/${id}:dismiss`, { reason: 'x' })
    assert.equal(client.status, 403)
    assert.equal((await judge(newId(), 'confirm')).status, 404)
  })

  test('GET /v1/operator/matches lists them with their judgement, newest first', async () => {
    const one = await createMatch()
    await judge(one.id, 'dismiss')
    await they.advance('PT1S')
    const other = await createMatch()
    const list = async (query: string) => {
      const path = `/v1/operator/matches?tenant_id=${they.tenant.id}&${query}`
      const answer = await world.request('GET', path, undefined, { key: world.operator_key })
      assert.equal(answer.status, 200)
      return answer.body.data.map((match: { id: string }) => match.id)
    }
    assert.deepEqual(await list('limit=2'), [other.id, one.id])
    assert.deepEqual(await list(`user_id=${one.user_id}`), [one.id])
    assert.deepEqual(await list(`user_id=${one.user_id}&status=OPEN`), [])
  })
})
