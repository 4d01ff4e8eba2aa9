/**
 * Each row of the table of user statuses, from each state it starts from, through the API: the
 * user's state afterwards, and the contents of the event and the history.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { isKnownState, reasonCodes, transitions } from '#issuing/users/rules/status.ts'
import { auditUsers } from '#issuing/users/users.ts'
import { EVERY_STATE, everyState, expire, reach } from '#test/support/contract/states.ts'
import { people, requiredOf } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

type Row = (typeof transitions)[number]

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const tenantWith = async (settings: object) => people(world, await world.otherTenant(settings))
const they = await tenantWith(EVERY_STATE)

const caution = { result: 'CONSIDER', outcome: 'caution' }
const foreign = { issuing_country: 'FRA' }
const reports: Readonly<Record<string, object>> = {
  idv_clear: { result: 'CLEAR', issuing_country: 'ARE' },
  idv_not_verified: caution,
  idv_suspected: { outcome: 'suspected' },
  idv_rejected: { outcome: 'rejected' },
  idv_country: { result: 'CLEAR', ...foreign },
  idv_caution_and_country: { ...caution, ...foreign },
  idv_document_requested: { outcome: 'document_requested' },
  idv_abandoned: { outcome: 'abandoned' },
}

/** Does what pulls the trigger of a row. */
async function pull({ trigger, to, reason }: Row, id: string): Promise<unknown> {
  if (trigger === 'changeStatus') {
    if (reason.startsWith('B0')) await they.addFile(id)
    return they.change(id, to, reason)
  }
  if (trigger === 'review_approval') return they.review(id, 'approve')
  if (trigger === 'review_rejection') return they.review(id, 'reject', { reason: 'not legible' })
  if (trigger === 'document_expiry') return expire(they, id)
  if (trigger === 'kyc_ok') {
    const { body } = await they.askKyc(id)
    return they.asOperator(`kyc/${body.id}:approve`)
  }
  const report = reports[trigger]
  assert.ok(report, `nothing here pulls ${trigger}`)
  return they.report(id, report)
}

/** The states that a row starts from and that calls can reach. */
function startsOf({ from, from_reasons = reasonCodes, trigger }: Row): string[] {
  // Only a check that was begun again ends a user (D-214), and then the user is past I0.
  const ends = trigger === 'idv_suspected' || trigger === 'idv_rejected'
  return everyState.filter((state) => {
    const [status = '', reason = ''] = state.split('/')
    const starts = from.some((one) => one === status) && from_reasons.some((one) => one === reason)
    return starts && !(ends && reason === 'I0')
  })
}

/** Some states of each row, others for each next one; --deep takes all of them. */
const STARTS = process.env['TEST_DEEP'] ? Number.POSITIVE_INFINITY : 3
function someStartsOf(row: Row, at: number): string[] {
  const starts = startsOf(row)
  const apart = Math.max(1, Math.floor(starts.length / STARTS))
  return starts.filter((_start, index) => index % apart === at % apart).slice(0, STARTS)
}

const moves = transitions.filter(
  ({ from, trigger }) => from.length > 0 && trigger !== 'kyc_not_required',
)
for (const [at, row] of moves.entries()) {
  const { when, to, reason, effects = [] } = row
  describe(`${when}: ${to}/${reason}`, () => {
    for (const start of someStartsOf(row, at)) {
      test(`from ${start}`, async () => {
        const id = await reach(they, start)
        const before = await they.events(id, 'IDENTITY_VERIFICATION')
        await pull(row, id)
        assert.equal(await they.state(id), `${to}/${reason}`)

        const moved = (await they.events(id, 'USER_STATUS_CHANGE')).at(-1)
        const reported = `${moved.old_status}/${moved.old_status_reason_code}`
        assert.deepEqual(
          [reported, moved.new_status, moved.new_status_reason_code],
          [start, to, reason],
        )
        const { body } = await they.ask('GET', `/v1/users/${id}/statuschanges`)
        assert.equal(
          `${body.data[0].new_status}/${body.data[0].new_status_reason_code}`,
          `${to}/${reason}`,
        )

        const isUseful = effects.some((effect) => effect.includes('IDENTITY_VERIFICATION'))
        const sent = (await they.events(id, 'IDENTITY_VERIFICATION')).length - before.length
        assert.equal(sent, isUseful ? 1 : 0, effects.join())
      })
    }
  })
}

describe('creations', () => {
  for (const { creates, when, to, reason, condition = 'always' } of transitions) {
    if (!creates) continue
    const { types, ...settings } = creates
    for (const user_type of types) {
      test(`${when}, ${condition}: ${user_type} is ${to}/${reason}`, async () => {
        const tenant = await tenantWith(settings)
        const user = await tenant.create({ user_type, ...requiredOf[user_type] })
        assert.equal(tenant.stateOf(user), `${to}/${reason}`)
        const reported = await tenant.events(user.id, 'IDENTITY_VERIFICATION')
        assert.equal(reported.length, to === 'PENDINGIDVERIFICATION' ? 1 : 0)
        assert.equal((await tenant.events(user.id, 'USER_CREATED')).length, 1)
      })
    }
  }
})

test('where KYC is not required, identity verification leads on to ACTIVE at once', async () => {
  const tenant = await tenantWith({ ...EVERY_STATE, require_kyc: false })
  const { id } = await tenant.create()
  await tenant.report(id, { result: 'CLEAR' })
  assert.equal(await tenant.state(id), 'ACTIVE/A0')
  const reported = await tenant.events(id, 'USER_STATUS_CHANGE')
  assert.deepEqual(
    reported.map(({ old_status, new_status }: Record<string, string>) => [old_status, new_status]),
    [
      ['PENDINGIDVERIFICATION', 'PENDINGKYC'],
      ['PENDINGKYC', 'ACTIVE'],
    ],
  )
})

test('every state that the table knows is reached, and no other', () => {
  const known = new Set(transitions.map(({ to, reason }) => `${to}/${reason}`))
  assert.deepEqual([...everyState].sort(), [...known].sort())
  assert.ok(isKnownState({ status: 'ACTIVE', status_reason_code: 'A0' }))
})

/** Compliance: the results of approval and rejection; every other state is an error. */
const decisions: Readonly<Record<string, { approve?: string; reject?: string }>> = {
  'PENDINGKYB/I0': { approve: 'ACTIVE/A0', reject: 'SUSPENDED/S5' },
  'SUSPENDED/S5': { approve: 'ACTIVE/A0' },
  'SUSPENDED/S0': { reject: 'SUSPENDED/S5' },
}
const rejectable = /^(PENDING|ACTIVE)/

describe('review decisions', () => {
  for (const state of everyState) {
    const known = decisions[state] ?? {}
    const { reject = rejectable.test(state) ? 'SUSPENDED/S5' : undefined, approve } = known
    for (const [verb, expected] of [
      ['approve', approve],
      ['reject', reject],
    ] as const) {
      test(`${verb} ${state}: ${expected ?? 'rejected'}`, async () => {
        const id = await reach(they, state)
        const { status, body } = await they.review(id, verb, { reason: 'seen' })
        if (expected === undefined) {
          assert.deepEqual([status, body.code], [409, 'user_status_move_refused'])
        } else assert.equal(status, 200)
        assert.equal(await they.state(id), expected ?? state)
      })
    }
  }
})

test('the last event of each user has its status', async () => {
  assert.deepEqual(await auditUsers(world.db), [])
})
