/** KYC requests with a remote provider, and without any. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { after, beforeEach, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { people } from '#test/support/people.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type KycAnswer, type KycCase, type KycProvider, ProviderFailure } from '../provider.ts'

type Result = KycAnswer['result']
/** A remote service that gives these answers one after the other, then the last one again. */
let answers: (Result | KycAnswer | Error | (() => Promise<Result>))[] = []
let asked: KycCase[] = []
let notify = async (_reference: string): Promise<void> => {}
const remote: KycProvider = {
  name: 'remote',
  outside: true,
  async decide(_ctx, request) {
    asked.push(request)
    const next = (answers.length > 1 ? answers.shift() : answers[0]) ?? 'PENDING'
    const answer = typeof next === 'function' ? await next() : next
    if (answer instanceof Error) throw answer
    return typeof answer === 'string' ? { result: answer, matches: [] } : answer
  },
  listen(_app, services, done) {
    notify = (reference) => done(services, reference)
  },
}

const world = await openWorld({
  adapters: [{ name: 'remote', provides: ['kyc'], open: () => ({ kyc: remote }) }],
})
after(() => world[Symbol.asyncDispose]())
const they = people(world, await world.otherTenant({ require_kyc: true }))
beforeEach(() => {
  asked = []
})

/** A request of a new user. Requests of tests before it are left to the operator. */
async function askKyc() {
  await world.db.updateTable('kyc_requests').set({ due: null }).execute()
  const { id } = await they.create({ first_name: 'Ann', last_name: 'pass' })
  const { status, body } = await they.askKyc(id)
  assert.deepEqual([status, body.status], [200, 'SUBMITTED'])
  return { user_id: id, id: String(body.id) }
}
const run = async () => {
  const sweep = world.sweeps.find(({ name }) => name === 'kyc provider')
  assert.ok(sweep)
  return sweep.run(await world.ctx(they.tenant.id))
}
const statusOf = async (id: string) => (await they.kyc(id)).body.status

async function dueOf({ db }: World, id: string) {
  const rows = await db.selectFrom('kyc_requests').select('due').where('id', '=', id).execute()
  return rows[0]?.due
}

test('the provider receives the person and decides, not the simulated one', async () => {
  answers = ['OK']
  const { id, user_id } = await askKyc()
  await run()
  assert.equal(asked.length, 1)
  assert.partialDeepStrictEqual(asked[0], {
    reference: id,
    purpose: 'KYC',
    kyc_policy: 'UAE_INDIVIDUAL_PRIMARY',
    person: { id: user_id, first_name: 'Ann', last_name: 'pass', nationality: null, documents: [] },
  })
  assert.deepEqual([await statusOf(id), await they.state(user_id)], ['OK', 'ACTIVE/A0'])
})

test('the provider receives names, birth, residence, addresses, documents and their files', async () => {
  answers = ['OK']
  const about = {
    ...{ first_name: 'Ann', middle_name: 'Mary', last_name: 'Lee', native_name: 'آن لي' },
    ...{ date_of_birth: '1990-02-28', place_of_birth: 'Oslo', nationality: 'NOR' },
    ...{ country_residence: 'ARE', country_tax_residence: 'NOR' },
    address: { address_line1: 'Street 1', city: 'Dubai', country: 'ARE' },
  }
  const user = await they.create(about)
  const passport = { type: 'PASSPORT', number: 'N123', issuance_authority: 'Police' }
  const sent = { ...passport, expiration_date: '2099-01-01' }
  await they.addFile(user.id, sent, 'PASSPORT_PAGE1')
  assert.equal((await they.askKyc(user.id)).status, 200)
  await run()
  assert.partialDeepStrictEqual(asked.at(-1)?.person, { ...about, id: user.id })
  const [document] = asked.at(-1)?.person.documents ?? []
  assert.partialDeepStrictEqual(document, passport)
  assert.equal(document?.expiration_date?.toISOString().slice(0, 10), '2099-01-01')
  const [file] = document?.files ?? []
  assert.ok(file)
  const bytes = await buffer(file.read())
  assert.deepEqual([file.content_type, bytes.length], ['application/pdf', file.size])
})

test('PENDING is asked again after a minute, and so is a provider that failed', async () => {
  answers = ['PENDING', new ProviderFailure('it did not answer'), 'FAILED']
  const { id } = await askKyc()
  await run()
  await run()
  assert.equal(asked.length, 1)
  await they.advance('PT1M')
  await assert.rejects(run(), /did not answer/)
  assert.equal(await statusOf(id), 'SUBMITTED')
  await they.advance('PT1M')
  await run()
  assert.deepEqual([asked.length, await statusOf(id)], [3, 'FAILED'])
})

test('a provider that fails is asked after twice the time, up to an hour, and decides nothing', async () => {
  answers = [new ProviderFailure('it answered 500')]
  const { id, user_id } = await askKyc()
  for (const [minutes, waited] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
    await assert.rejects(run(), /it answered 500/)
    const calls = asked.length
    await they.advance(`PT${waited - 1}M`)
    await run()
    assert.equal(asked.length, calls, `not before ${waited} minutes, at call ${minutes}`)
    await they.advance('PT1M')
  }
  assert.deepEqual([await statusOf(id), await they.state(user_id)], ['SUBMITTED', 'PENDINGKYC/I0'])
  const { checks } = await they.reviewOf(user_id)
  assert.partialDeepStrictEqual(checks, [
    { purpose: 'KYC', status: 'WAITING', attempts: 8, failure: 'it answered 500' },
  ])
  answers = ['OK']
  await run()
  assert.equal(await they.state(user_id), 'ACTIVE/A0')
})

test('the text of an error that is no ProviderFailure is shown to nobody', async () => {
  answers = [new Error('token=hidden')]
  const { user_id } = await askKyc()
  await assert.rejects(run())
  const review = await they.reviewOf(user_id)
  assert.equal(review.checks[0].failure, 'the check could not be made')
})

const match = {
  list: 'us_ofac',
  listed_id: '22790',
  name: 'LEE, Ann',
  score: 94,
  reason: 'name and date of birth',
}

test('a match leaves an OK to people, who see what matched', async () => {
  answers = ['OK']
  const { id, user_id } = await askKyc()
  answers = [{ result: 'OK', matches: [{ ...match, subject_id: user_id }] }]
  await run()
  assert.deepEqual([await statusOf(id), await dueOf(world, id)], ['SUBMITTED', null])
  const { matches } = await they.reviewOf(user_id)
  assert.partialDeepStrictEqual(matches, [
    { ...match, user_id, purpose: 'KYC', provider: 'remote', status: 'OPEN' },
  ])
  const early = await they.asOperator(`kyc/${id}:approve`, { reason: 'seen' })
  assert.deepEqual([early.status, early.body.code], [409, 'matches_open'])
  const dismissed = await they.asOperator(`matches/${matches[0].id}:dismiss`, { reason: 'older' })
  assert.equal(dismissed.status, 200)
  assert.equal((await they.asOperator(`kyc/${id}:approve`, { reason: 'seen' })).status, 200)
  assert.equal(await they.state(user_id), 'ACTIVE/A0')
})

test('a match of somebody else’s id is stored nowhere', async () => {
  const { user_id } = await askKyc()
  answers = [{ result: 'FAILED', matches: [{ ...match, subject_id: newId() }] }]
  await run()
  const found = await world.db.selectFrom('screening_matches').selectAll().execute()
  assert.deepEqual(
    found.filter((row) => row.user_id === user_id),
    [],
  )
})

test('a notification has the provider asked at once, also twice, and decides nothing itself', async () => {
  answers = ['PENDING']
  const { id } = await askKyc()
  await notify(id)
  await run()
  assert.equal(asked.length, 1)
  await run()
  assert.equal(asked.length, 1, 'not before a minute')
  await notify(id)
  await notify(id)
  await run()
  assert.deepEqual([asked.length, await statusOf(id)], [2, 'SUBMITTED'])
  answers = ['OK']
  await notify(id)
  await run()
  assert.equal(await statusOf(id), 'OK')
})

test('a notification of no check, of one that has ended, and of nonsense, does nothing', async () => {
  answers = ['FAILED']
  const { id } = await askKyc()
  await run()
  for (const reference of [newId(), id, 'x', '']) await notify(reference)
  await run()
  assert.deepEqual([asked.length, await statusOf(id)], [1, 'FAILED'])
})

test('a request that is not decided within three days is left to the operator', async () => {
  answers = ['PENDING']
  const { id } = await askKyc()
  await run()
  assert.ok(await dueOf(world, id))
  await they.advance('PT72H')
  await run()
  assert.equal(await dueOf(world, id), null)
  assert.equal((await they.asOperator(`kyc/${id}:approve`, { reason: 'seen' })).status, 200)
})

test('what the operator decides during a call stays', async () => {
  const { id } = await askKyc()
  answers = [
    async () => {
      const answer = await they.asOperator(`kyc/${id}:reject`, { reason: 'not the person' })
      assert.equal(answer.status, 200)
      return 'OK'
    },
  ]
  await run()
  assert.equal(await statusOf(id), 'FAILED')
})

test('while one process calls, no other claims the request', async () => {
  const { id } = await askKyc()
  answers = [
    async () => {
      await run()
      return 'OK'
    },
  ]
  await run()
  assert.deepEqual([asked.length, await statusOf(id)], [1, 'OK'])
})

test('without a provider, as in live, a request waits for the operator', async () => {
  const env = { MODE: 'live', MASTER_KEY: randomBytes(32).toString('hex') }
  await using live = await openWorld({ env })
  const others = people(live, await live.otherTenant({ require_kyc: true }))
  const user = await others.create({ first_name: 'Ann', last_name: 'pass' })
  const { id } = (await others.askKyc(user.id)).body
  assert.equal(await dueOf(live, id), null)
  assert.equal((await others.asOperator(`kyc/${id}:approve`, { reason: 'seen' })).status, 200)
  assert.equal(await others.state(user.id), 'ACTIVE/A0')
})
