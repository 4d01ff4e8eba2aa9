/** Further checks of ACTIVE users: paced, resumed, and never more than a review and an event. */

import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { people, requiredOf } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { metrics } from '../metrics.ts'
import { type KybProvider, type KycProvider, type Match, ProviderFailure } from '../provider.ts'
import { claimDueRound } from './rounds_store.ts'

/** The answer about a user by its id; `fails` are those that it does not answer about. */
let found: Record<string, Partial<Match>[] | 'PENDING'> = {}
let fails: (id: string) => boolean = () => false
/** Runs during a call. */
let meanwhile = async () => {}
let asked: string[] = []
let references: string[] = []
const match = { list: 'un_csl', listed_id: 'UN.7', name: 'LEE', score: 90, reason: 'name' }

function answerOf(id: string, reference: string) {
  asked.push(id)
  references.push(reference)
  if (fails(id)) throw new ProviderFailure('it answered 503')
  const answer = found[id] ?? []
  return answer === 'PENDING'
    ? ({ result: 'PENDING', matches: [] } as const)
    : answer.map((more) => ({ ...match, subject_id: id, ...more }))
}
const kyc: KycProvider = {
  name: 'remote',
  outside: true,
  async decide(_ctx, { person, reference, purpose, kyc_policy }) {
    assert.deepEqual([purpose, kyc_policy], ['ONGOING', null])
    await meanwhile()
    const answer = answerOf(person.id, reference)
    // A refusal in a further check refuses nobody.
    return 'result' in answer ? answer : { result: 'FAILED', matches: answer }
  },
}
const kyb: KybProvider = {
  name: 'remote',
  outside: true,
  async check(_ctx, { business, reference, purpose }) {
    if (purpose === 'KYB') return { result: 'DONE', matches: [] }
    const answer = answerOf(business.id, reference)
    return 'result' in answer ? answer : { result: 'DONE', matches: answer }
  },
}

const world = await openWorld({
  adapters: [{ name: 'remote', provides: ['kyc', 'kyb'], open: () => ({ kyc, kyb }) }],
  env: { SCREENING_EVERY_DAYS: '30', SCREENING_A_MINUTE: '1' },
})
after(() => world[Symbol.asyncDispose]())

beforeEach(() => {
  found = {}
  fails = () => false
  asked = []
  references = []
})

/** A tenant of its own with so many ACTIVE users, in the order of a round. */
async function createTenant(users: number) {
  const they = people(world, await world.otherTenant({}))
  const ids: string[] = []
  for (let at = 0; at < users; at++) ids.push((await they.create()).id)
  const sweep = async (name: string) => {
    const one = world.sweeps.find((sweep) => sweep.name === name)
    assert.ok(one)
    return one.run(await world.ctx(they.tenant.id))
  }
  await sweep('screening starts')
  const round = async () => {
    const rows = await world.db
      .selectFrom('screening_rounds')
      .selectAll()
      .where('tenant_id', '=', they.tenant.id)
      .execute()
    assert.ok(rows[0])
    return rows[0]
  }
  const goOn = () => sweep('screening rounds')
  return { ...they, ids: ids.sort(), sweep, goOn, round }
}

test('all ACTIVE users are checked, ten at a time, at the pace of the setting', async () => {
  const { ids, goOn, advance, round } = await createTenant(23)
  await goOn()
  await goOn()
  assert.deepEqual(asked, ids.slice(0, 10), 'the next ten come ten minutes later')
  await advance('PT9M')
  await goOn()
  assert.equal(asked.length, 10)
  await advance('PT1M')
  await goOn()
  await advance('PT10M')
  await goOn()
  assert.deepEqual(asked, ids)
  assert.deepEqual([(await round()).checked, (await round()).last_user_id], [23, null])
})

test('a round begins again after the days of the setting, with who is ACTIVE then', async () => {
  const { ids, goOn, advance, create, change } = await createTenant(2)
  const another = await create({ first_name: 'Omar' })
  assert.equal(await change(String(ids[0]), 'SUSPENDED', 'S0'), 200)
  await goOn()
  await advance('P29D')
  await goOn()
  assert.deepEqual(asked, [ids[1], another.id].sort())
  const before = [...references]
  await advance('P1D')
  await goOn()
  assert.equal(asked.length, 4)
  assert.equal(new Set([...before, ...references]).size, 4, 'each round has references of its own')
})

test('a business is checked as one, and a sub-user by itself', async () => {
  const { create, createBusiness, review, goOn } = await createTenant(0)
  const { id } = await createBusiness()
  const director = { user_type: 'DIRECTOR', ...requiredOf.DIRECTOR, parent_user_id: id }
  const sub = await create(director)
  for (const one of [id, sub.id]) assert.equal((await review(one, 'approve')).status, 200)
  await goOn()
  assert.deepEqual([...asked].sort(), [id, sub.id].sort())
})

test('a new match is a review and an event, once, and changes no status', async () => {
  const { ids, goOn, advance, reviewOf, events, state } = await createTenant(1)
  const id = String(ids[0])
  found = { [id]: [{}] }
  await goOn()
  const { matches, user } = await reviewOf(id)
  assert.deepEqual([user.status, await state(id)], ['ACTIVE', 'ACTIVE/A0'])
  assert.partialDeepStrictEqual(matches, [{ ...match, purpose: 'ONGOING', status: 'OPEN' }])
  const sent = await events(id, 'SCREENING_MATCH')
  assert.partialDeepStrictEqual(sent, [
    { user_id: id, match_id: matches[0].id, purpose: 'ONGOING', list: 'un_csl', score: 90 },
  ])
  assert.doesNotMatch(JSON.stringify(sent), /LEE|UN\.7/, 'the entry itself is the operator’s')
  await advance('P30D')
  await goOn()
  assert.equal((await events(id, 'SCREENING_MATCH')).length, 1)
  found = { [id]: [{ score: 95 }] }
  await advance('P30D')
  await goOn()
  assert.equal((await events(id, 'SCREENING_MATCH')).length, 2)
  assert.equal((await events(id, 'USER_STATUS_CHANGE')).length, 0)
})

test('a round goes on at the user whose check failed, after longer and longer waits', async () => {
  const { ids, goOn, advance, round } = await createTenant(12)
  fails = (id) => id === ids[4]
  await assert.rejects(goOn(), /it answered 503/)
  assert.deepEqual(asked, ids.slice(0, 5))
  const { last_user_id, failure, attempts } = await round()
  assert.deepEqual([last_user_id, failure, attempts], [ids[3], 'it answered 503', 1])
  for (const minutes of [1, 2, 4]) {
    await advance(`PT${minutes * 60 - 30}S`)
    await goOn()
    await advance('PT30S')
    await assert.rejects(goOn(), /it answered 503/)
  }
  assert.equal(asked.length, 8)
  assert.equal(new Set(references.slice(4)).size, 1, 'the same reference each time')
  fails = () => false
  await advance('PT8M')
  await goOn()
  assert.deepEqual(asked.slice(8), ids.slice(4))
})

test('calls of a provider are counted by their result', async () => {
  const { ids, goOn } = await createTenant(2)
  const counted = async (result: string) => {
    const { values } = await metrics.calls.get()
    const [own] = values.filter(
      ({ metricName, labels }) =>
        metricName?.endsWith('_count') && labels.call === 'decide' && labels.result === result,
    )
    return own?.value ?? 0
  }
  const before = [await counted('answered'), await counted('failed')]
  fails = (id) => id === ids[1]
  await assert.rejects(goOn())
  const after = [await counted('answered'), await counted('failed')]
  assert.deepEqual(
    after.map((value, at) => value - (before[at] ?? 0)),
    [1, 1],
  )
})

test('a user whose check always fails is set aside, checked on its own, and visible', async () => {
  const { ids, goOn, sweep, advance, reviewOf } = await createTenant(3)
  const bad = String(ids[0])
  fails = (id) => id === bad
  for (let at = 1; at < 10; at++) {
    await assert.rejects(goOn(), /it answered 503/)
    await advance('PT1H')
  }
  await goOn()
  assert.deepEqual(asked.slice(9), ids, 'the tenth failure lets the round go on')
  found = { [bad]: [{}] }
  fails = () => false
  await advance('PT1H')
  await sweep('screening')
  assert.equal(asked.at(-1), bad)
  assert.equal((await reviewOf(bad)).matches.length, 1)
})

test('a provider that answers later is asked again on its own, with the same reference', async () => {
  const { ids, goOn, sweep, advance, events, round } = await createTenant(2)
  const [slow] = ids
  found = { [String(slow)]: 'PENDING' }
  await goOn()
  assert.deepEqual(asked, ids)
  assert.equal((await round()).last_user_id, null)
  found = { [String(slow)]: [{}] }
  await advance('PT1M')
  await sweep('screening')
  assert.deepEqual([asked.at(-1), references.at(-1)], [slow, references[0]])
  assert.equal((await events(String(slow), 'SCREENING_MATCH')).length, 1)
})

test('while one process checks a portion, no other does', async () => {
  const { ids, goOn } = await createTenant(3)
  meanwhile = async () => {
    meanwhile = async () => {}
    await goOn()
  }
  await goOn()
  assert.deepEqual(asked, ids)
})

test('a round whose process ended goes on in another one', async () => {
  const { ids, tenant, goOn, advance } = await createTenant(3)
  const ctx = await world.ctx(tenant.id)
  assert.ok(await claimDueRound(ctx, new Date(ctx.now.getTime() + 900_000)))
  await goOn()
  assert.deepEqual(asked, [])
  await advance('PT15M')
  await goOn()
  assert.deepEqual(asked, ids)
})

test('without the setting nobody is checked, and a round that is under way ends', async () => {
  await using other = await openWorld({
    adapters: [{ name: 'remote', provides: ['kyc', 'kyb'], open: () => ({ kyc, kyb }) }],
  })
  const they = people(other, await other.otherTenant({}))
  await they.create()
  const sweep = (name: string) => other.sweeps.find((one) => one.name === name)
  const starts = sweep('screening starts')
  assert.deepEqual(
    await starts?.dueTenants(other.db, '00000000-0000-0000-0000-000000000000', 9),
    [],
  )
  await starts?.run(await other.ctx(they.tenant.id))
  await sweep('screening rounds')?.run(await other.ctx(they.tenant.id))
  const left = await other.db.selectFrom('screening_rounds').selectAll().execute()
  assert.deepEqual([asked, left], [[], []])
})
