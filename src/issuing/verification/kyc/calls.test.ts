/** KYC requests with a remote provider, and without any. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { people } from '#test/support/people.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type KycAnswer, type KycCase, type KycProvider, ProviderFailure } from '../provider.ts'
import { kycCalls } from './calls.ts'

/** A remote service that gives these answers one after the other, then the last one again. */
let answers: (KycAnswer | Error)[] = []
let asked: KycCase[] = []
const remote: KycProvider = {
  name: 'remote',
  outside: true,
  async decide(_ctx, request) {
    asked.push(request)
    const answer = (answers.length > 1 ? answers.shift() : answers[0]) ?? 'PENDING'
    if (answer instanceof Error) throw answer
    return answer
  },
}
const sweep = kycCalls(remote)

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
const run = async () => sweep.run(await world.ctx(they.tenant.id))
const statusOf = async (id: string) => (await they.kyc(id)).body.status

async function dueOf({ db }: World, id: string) {
  const rows = await db.selectFrom('kyc_requests').select('due').where('id', '=', id).execute()
  return rows[0]?.due
}

test('the provider receives the person and decides, not the simulated one', async () => {
  answers = ['OK']
  const { id, user_id } = await askKyc()
  await run()
  assert.deepEqual(asked, [
    {
      reference: id,
      kyc_policy: 'UAE_INDIVIDUAL_PRIMARY',
      person: { first_name: 'Ann', last_name: 'pass', date_of_birth: null, email: null },
    },
  ])
  assert.deepEqual([await statusOf(id), await they.state(user_id)], ['OK', 'ACTIVE/A0'])
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
  const deciding = { ...remote, decide: async () => decideMeanwhile(id) }
  await kycCalls(deciding).run(await world.ctx(they.tenant.id))
  assert.equal(await statusOf(id), 'FAILED')
})

async function decideMeanwhile(id: string): Promise<KycAnswer> {
  const answer = await they.asOperator(`kyc/${id}:reject`, { reason: 'not the person' })
  assert.equal(answer.status, 200)
  return 'OK'
}

test('while one process calls, no other claims the request', async () => {
  const { id } = await askKyc()
  let calls = 0
  const slow: KycProvider = {
    ...remote,
    async decide() {
      calls += 1
      await kycCalls(slow).run(await world.ctx(they.tenant.id))
      return 'OK'
    },
  }
  await kycCalls(slow).run(await world.ctx(they.tenant.id))
  assert.deepEqual([calls, await statusOf(id)], [1, 'OK'])
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
