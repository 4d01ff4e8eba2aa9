/** The status of a KYC request as a table (spec "KYC request status", D-22): each row is a test. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { people } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { kycStates, kycStatuses } from '../rules/kyc.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const they = people(world, await world.otherTenant({ require_kyc: true }))

/** Whom the sandbox's service leaves to people. */
const WAITING = 'Lee'

const deciders: Readonly<Record<string, (id: string) => Promise<{ status: number }>>> = {
  'the sandbox service': async () => {
    await they.runDueJobs()
    return { status: 200 }
  },
  'the operator approves': (id) => they.asOperator(`kyc/${id}:approve`),
  'the operator rejects': (id) => they.asOperator(`kyc/${id}:reject`, { reason: 'listed' }),
  'simulate OK': (id) => they.ask('POST', `/v1/simulate/kyc/${id}`, { result: 'OK' }),
  'simulate FAILED': (id) => they.ask('POST', `/v1/simulate/kyc/${id}`, { result: 'FAILED' }),
}

// who decides | last_name | from | to | status of the user
const table = `
  the sandbox service   | pass       | SUBMITTED | OK P0        | ACTIVE/A0
  the sandbox service   | fail       | SUBMITTED | FAILED F0    | PENDINGKYC/I0
  the sandbox service   | ${WAITING} | SUBMITTED | SUBMITTED I0 | PENDINGKYC/I0
  the operator approves | ${WAITING} | SUBMITTED | OK P0        | ACTIVE/A0
  the operator rejects  | ${WAITING} | SUBMITTED | FAILED F0    | PENDINGKYC/I0
  simulate OK           | ${WAITING} | SUBMITTED | OK P0        | ACTIVE/A0
  simulate FAILED       | ${WAITING} | SUBMITTED | FAILED F0    | PENDINGKYC/I0
  the operator approves | ${WAITING} | OK        | rejected     | ACTIVE/A0
  the operator rejects  | ${WAITING} | OK        | rejected     | ACTIVE/A0
  simulate OK           | ${WAITING} | OK        | rejected     | ACTIVE/A0
  simulate FAILED       | ${WAITING} | OK        | rejected     | ACTIVE/A0
  the sandbox service   | ${WAITING} | OK        | OK P0        | ACTIVE/A0
  the operator approves | ${WAITING} | FAILED    | rejected     | PENDINGKYC/I0
  the operator rejects  | ${WAITING} | FAILED    | rejected     | PENDINGKYC/I0
  simulate OK           | ${WAITING} | FAILED    | rejected     | PENDINGKYC/I0
  simulate FAILED       | ${WAITING} | FAILED    | rejected     | PENDINGKYC/I0
  the sandbox service   | ${WAITING} | FAILED    | FAILED F0    | PENDINGKYC/I0`

describe('who decides | last name | from | to | status of the user', () => {
  for (const line of table.trim().split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim())
    test(cells.join(' | '), async () => {
      const [who = '', last_name = '', from = '', to = '', state] = cells
      const { id: user_id } = await they.create({ first_name: 'Ann', last_name })
      const { id } = (await they.askKyc(user_id)).body
      if (from !== 'SUBMITTED') {
        const { status } = await they.ask('POST', `/v1/simulate/kyc/${id}`, { result: from })
        assert.equal(status, 200)
      }
      const before = (await they.events(user_id, 'KYC_RESULT')).length

      const answer = await deciders[who]?.(id)
      const { status, status_code, old_status } = (await they.kyc(id)).body
      assert.equal(await they.state(user_id), state)
      const reported = (await they.events(user_id, 'KYC_RESULT')).slice(before)
      if (to === 'rejected') {
        assert.partialDeepStrictEqual(answer, { status: 409, body: { code: 'kyc_decided' } })
        assert.equal(status, from)
        return assert.deepEqual(reported, [])
      }
      assert.equal(answer?.status, 200)
      assert.equal(`${status} ${status_code}`, to)
      if (status === from) return assert.deepEqual(reported, [])
      assert.equal(old_status, from)
      assert.deepEqual([reported.length, reported[0].status], [1, status])
      const passed = (await they.find(user_id)).kyc_policy_passed
      assert.equal(passed, status === 'OK' ? 'UAE_INDIVIDUAL_PRIMARY' : undefined)
    })
  }
})

test('a request has no status but these', () => {
  assert.deepEqual(Object.keys(kycStates), [...kycStatuses])
  for (const status of kycStatuses)
    assert.ok(table.includes(`| ${status} ${kycStates[status].status_code}`))
})
