/**
 * Onfido's notifications in a wrong order, again, and forged, and its API while it is down: each
 * user has one report all the same.
 */

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { type People, people } from '#test/support/people.ts'
import { misbehaviours } from '#test/support/services/misbehaviours.ts'
import { CHECK, openOnfido, signed } from '#test/support/services/onfido.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const onfido = keep(await openOnfido())
const world = keep(await openWorld({ env: onfido.env }))
world.sweeper.start()
beforeEach(() => onfido.reset())

const done = { resource_type: 'check', action: 'check.completed', object: { id: CHECK } }
const send = async ({ headers, payload } = signed(done)) => {
  const url = '/identity/onfido/webhook'
  return (await world.app.inject({ method: 'POST', url, headers, payload })).statusCode
}
const asked = (what: string) => onfido.calls.filter((call) => call.what === what).length
const reportsAsked = () => asked('GET /checks/{id}')

/** A person whose check is about to start. */
async function applicant(): Promise<{ they: People; id: string }> {
  const they = people(world, await world.otherTenant({ require_document_verification: true }))
  const { id } = await they.create()
  await until('a token', async () =>
    (await they.events(id, 'IDENTITY_VERIFICATION')).find(({ sdk_token }) => sdk_token),
  )
  return { they, id }
}
const start = ({ they, id }: { they: People; id: string }) =>
  they.change(id, 'PENDINGIDVERIFICATION', 'B0')
const isRunning = (id: string) =>
  until('the check runs', () =>
    world.db
      .selectFrom('identity_checks')
      .select('id')
      .where('user_id', '=', id)
      .where('status', '=', 'RUNNING')
      .executeTakeFirst(),
  )
const hasPassed = async ({ they, id }: { they: People; id: string }) =>
  (await they.state(id)) === 'ACTIVE/A0' || undefined

test('a notification that comes before the answer of the start is made up for in a minute', async () => {
  const who = await applicant()
  const begun = onfido.answers['POST /checks']
  assert.ok(begun)
  let early = 0
  onfido.answers['POST /checks'] = async (call) => {
    const answer = await begun(call)
    early = await send()
    return answer
  }
  await start(who)
  await isRunning(who.id)
  assert.equal(early, 200)
  await who.they.advance('PT1M')
  await until('the report', () => hasPassed(who))
})

test('notifications at once, and again afterwards, have one report received once', async () => {
  const who = await applicant()
  await start(who)
  await isRunning(who.id)
  assert.deepEqual(await Promise.all([send(), send(), send()]), [200, 200, 200])
  await until('the report', () => hasPassed(who))
  assert.deepEqual([await send(), await send()], [200, 200])
  await who.they.advance('PT1H')
  await who.they.runDueJobs()
  const changes = await who.they.events(who.id, 'USER_STATUS_CHANGE')
  assert.equal(changes.filter(({ new_status }) => new_status === 'ACTIVE').length, 1)
})

test('a forged notification is rejected: by another key, of another body, without a signature', async () => {
  const who = await applicant()
  await start(who)
  await isRunning(who.id)
  const { headers, payload } = signed(done)
  const { 'x-sha2-signature': _signature, ...unsigned } = headers
  const forged = [
    signed(done, 'another secret'),
    { headers, payload: payload.replace('check.completed', 'check.started') },
    { headers: { ...headers, 'x-sha2-signature': '0'.repeat(64) }, payload },
    { headers: unsigned as typeof headers, payload },
  ]
  for (const one of forged) assert.equal(await send(one), 403)
  assert.equal(reportsAsked(), 0)
  assert.equal(await who.they.state(who.id), 'PENDINGIDVERIFICATION/B0')
})

test('a notification of a check that is not done changes nothing', async () => {
  const who = await applicant()
  onfido.answers['GET /checks/{id}'] = () => [200, { ...onfido.checks[0], status: 'in_progress' }]
  await start(who)
  await isRunning(who.id)
  await send()
  await until('the question', async () => reportsAsked() > 0 || undefined)
  await isRunning(who.id)
  assert.equal(await who.they.state(who.id), 'PENDINGIDVERIFICATION/B0')
})

for (const name of ['answers 429', 'stops after half an answer', 'answers nothing', 'hangs up']) {
  test(`a service that ${name} is asked again, and nobody has a report of it`, async () => {
    const who = await applicant()
    await start(who)
    await isRunning(who.id)
    onfido.misbehaves = misbehaviours[name]
    const before = reportsAsked()
    await send()
    await until('a call that fails', async () => reportsAsked() > before || undefined)
    await isRunning(who.id)
    onfido.misbehaves = undefined
    await until('the report', async () => {
      await who.they.advance('PT1M')
      return hasPassed(who)
    })
  })
}

test('an hour of 500: the start is tried at doubled intervals, and made once afterwards', async () => {
  const who = await applicant()
  onfido.misbehaves = misbehaviours['answers 500']
  onfido.answers['GET /checks'] = () => [200, { checks: [] }]
  await start(who)
  const tries = () => asked('PUT /applicants/applicant-1')
  await until('the first try', async () => tries() === 1 || undefined)
  // 5 s, doubled: the tenth try is over 40 minutes after the first.
  for (let more = 1, wait = 5; more < 10; more += 1, wait *= 2) {
    await who.they.advance(`PT${wait}S`)
    await until(`try ${more + 1}`, async () => tries() > more || undefined)
  }
  assert.ok(tries() <= 12, `${tries()} tries`)
  assert.equal(asked('POST /checks'), 0)
  onfido.misbehaves = undefined
  await who.they.advance('PT1H')
  await isRunning(who.id)
  assert.equal(asked('POST /checks'), 1)
  assert.equal(asked('POST /applicants'), 1)
  await send()
  await until('the report', () => hasPassed(who))
})
