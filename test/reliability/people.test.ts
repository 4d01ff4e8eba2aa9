/**
 * Concurrent requests for limited places: sub-users in the lists of a business, files of an
 * identification. And for one decision about a user: one is made.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { UserType } from '#issuing/users/rules/fields.ts'
import { form, pdf } from '#test/support/files.ts'
import { assertSound, faultsOfLog } from '#test/support/inspection/oracle.ts'
import { people, requiredOf } from '#test/support/people.ts'
import { liftRateLimit } from '#test/support/rate.ts'
import { type Answer, openWorld } from '#test/support/world.ts'

const ROUNDS = process.env['TEST_DEEP'] ? 200 : 2
const RACERS = 64
const DECIDERS = 8
const TRIES_MAX = 20
/** The number of members in a list of a business, and in an identification. */
const PLACES = 10

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
await liftRateLimit(world.db)
const they = people(world, await world.otherTenant({ require_kyc: true }))
const unverified = people(
  world,
  await world.otherTenant({ require_kyc: true, require_document_verification: true }),
)

const race = (action: (racer: number) => Promise<Answer>, racers = RACERS): Promise<Answer[]> =>
  Promise.all(Array.from({ length: racers }, (_none, racer) => insist(() => action(racer))))
/** A request that finds every connection in use gets 503 and is sent again. */
async function insist(action: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await action()
    if (answer.status !== 503 || tries === TRIES_MAX) return answer
  }
}
const decide = (action: (racer: number) => Promise<Answer>) => race(action, DECIDERS)

const typed = (user_type: UserType) => ({ user_type, ...requiredOf[user_type] })
const subUsers = {
  director_list: [typed('DIRECTOR')],
  signature_list: [typed('SIGNATURE')],
  // Two types share the places of one list (D-116).
  shareholder_list: [typed('SHAREHOLDER'), typed('SHAREHOLDER_BUSINESS')],
}

/** Ten have succeeded; the others answer that the list is full. */
async function assertFull(business_id: string, list: string, answers: readonly Answer[]) {
  const winners = answers.filter(({ status }) => status === 200)
  assert.equal(winners.length, PLACES)
  for (const { status, body, text } of answers) {
    if (status !== 200) assert.deepEqual([status, body.code], [400, 'validation_failed'], text)
  }
  const listed: string[] = (await they.find(business_id))[list]
  assert.deepEqual(listed.toSorted(), winners.map(({ body }) => body.id).toSorted())
  const { body } = await they.ask('GET', `/v1/users/${business_id}:getLinkedRelationships`)
  assert.equal(body.data.length, PLACES)
}

describe(`${RACERS} racers for ${PLACES} places, ${ROUNDS} times`, () => {
  for (const [list, kinds] of Object.entries(subUsers)) {
    test(`sub-users that are created for the ${list} of a business`, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const { id: parent_user_id } = await they.createBusiness()
        const answers = await race((racer) =>
          they.ask('POST', '/v1/users', { ...kinds[racer % kinds.length], parent_user_id }),
        )
        await assertFull(parent_user_id, list, answers)
      }
    })
  }

  test('sub-users that are there and move to one business', async () => {
    const directors = await race(() => they.ask('POST', '/v1/users', subUsers.director_list[0]))
    const ids = directors.map(({ body }): string => body.id)
    for (let round = 0; round < ROUNDS; round++) {
      const { id: parent_user_id } = await they.createBusiness()
      const answers = await race((racer) =>
        they.ask('PUT', `/v1/users/${ids[racer]}`, { parent_user_id }),
      )
      await assertFull(parent_user_id, 'director_list', answers)
      const empty = { director_list: [] }
      const left = await they.ask('PUT', `/v1/users/${parent_user_id}`, empty)
      assert.equal(left.status, 200, left.text)
    }
  })

  test('files of an identification, one a call', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { path, answers } = await uploads(() => 1)
      const winners = answers.filter(({ status }) => status === 200)
      assert.equal(winners.length, PLACES)
      const versions = winners.map(({ body }): number => body.document_version)
      assert.deepEqual(
        versions.toSorted((one, two) => one - two),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      )
      assert.equal((await they.ask('GET', path)).body.data.length, PLACES)
    }
  })

  test('files of an identification, up to five a call: never one over, each call whole', async () => {
    for (let round = 0; round < ROUNDS / 4; round++) {
      const { path, answers } = await uploads((racer) => 2 + (racer % 4))
      const taken = answers.flatMap(({ status, body }) => (status === 200 ? body.data : []))
      const { data } = (await they.ask('GET', path)).body
      assert.equal(data.length, taken.length)
      assert.ok(taken.length <= PLACES && taken.length > PLACES - 2, `${taken.length} files`)
    }
  })
})

/** Racers that upload to a new identification, with `count` files each. */
async function uploads(count: (racer: number) => number) {
  const { id: user_id } = await they.create()
  const { id } = await they.addIdentification(user_id, { type: 'ADDITIONAL' })
  const path = `/v1/users/${user_id}/identifications/${id}/files`
  const answers = await race((racer) => {
    const files = Array.from({ length: count(racer) }, () => file(count(racer)))
    const { headers, payload } = form(...files)
    return world.request('PUT', path, payload, { key: they.tenant.api_key, headers })
  })
  for (const { status, body, text } of answers) {
    if (status !== 200) assert.deepEqual([status, body.code], [409, 'file_limit_reached'], text)
  }
  return { path, answers }
}

const file = (of: number) => ({
  name: of === 1 ? 'file' : 'files',
  value: pdf(),
  file_name: 'a.pdf',
})

describe(`${DECIDERS} racers for one decision, ${ROUNDS} times`, () => {
  const oneWins = async (answers: readonly Answer[], code: string) => {
    for (const { status, body, text } of answers) {
      if (status !== 200) assert.deepEqual([status, body.code], [409, code], text)
    }
    const winners = answers.filter(({ status }) => status === 200)
    assert.equal(winners.length, 1)
  }

  test('a KYC request is created once, and ends once: OK or FAILED', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await they.create({ first_name: 'Ann', last_name: 'Slow' })
      await oneWins(await decide(() => they.askKyc(id)), 'kyc_in_progress')
      const { body } = await they.ask('POST', '/v1/users/kyc:search', { limit: 1 })
      const request = body.data[0]
      assert.equal(request.user_id, id)
      const end = (racer: number) =>
        racer % 2 === 0
          ? they.asOperator(`kyc/${request.id}:approve`)
          : they.asOperator(`kyc/${request.id}:reject`, { reason: 'listed' })
      await oneWins(await decide(end), 'kyc_decided')
      const ended = (await they.kyc(request.id)).body.status
      assert.equal(await they.state(id), ended === 'OK' ? 'ACTIVE/A0' : 'PENDINGKYC/I0')
    }
  })

  test('a report on a user is taken once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await unverified.create()
      const answers = await decide((racer) =>
        unverified.report(
          id,
          racer % 2 === 0 ? { result: 'CLEAR' } : { result: 'CONSIDER', outcome: 'caution' },
        ),
      )
      await oneWins(answers, 'verification_not_awaited')
      const { body } = await unverified.ask('GET', `/v1/users/${id}/statuschanges`)
      assert.equal(body.data.length, 1)
    }
  })

  test('approvals and rejections of a business follow each other; none is lost or doubled', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id } = await they.createBusiness()
      const answers = await decide((racer) =>
        racer % 2 === 0
          ? they.review(id, 'approve')
          : they.review(id, 'reject', { reason: 'the license is not readable' }),
      )
      for (const { status, text } of answers) assert.ok(status === 200 || status === 409, text)
      const { data } = (await they.ask('GET', `/v1/users/${id}/statuschanges?limit=200`)).body
      const winners = answers.filter(({ status }) => status === 200)
      assert.equal(data.length, winners.length)
      // Racers came at one instant; the ids of their changes were made in turn.
      const turns = data.toSorted((one: { id: string }, two: { id: string }) =>
        one.id < two.id ? -1 : 1,
      )
      let present = 'PENDINGKYB'
      for (const { old_status, new_status } of turns) {
        assert.equal(old_status, present)
        assert.notEqual(old_status, new_status)
        present = new_status
      }
      assert.equal((await they.find(id)).status, present)
    }
  })
})

test('the database is sound, and nothing of this was logged as an error', async () => {
  await assertSound(world.db)
  assert.deepEqual(faultsOfLog(world.logged), [])
})
