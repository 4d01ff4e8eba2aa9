/** No sequence of calls leads a user where the table of transitions does not. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import {
  isKnownState,
  reasonCodes,
  transitions,
  userStatuses,
} from '#issuing/users/rules/status.ts'
import { type People, people } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { outcomes } from './provider.ts'

const IS_DEEP = process.env['TEST_DEEP'] === '1'
const SEED = IS_DEEP ? Date.now() % 2 ** 31 : 20_260_101
const RUNS = IS_DEEP ? 300 : 25
const CALLS_MAX = 12

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

type Call = (they: People, id: string) => Promise<unknown>

/** Moves that the table has for clients come more often than the many that it has not. */
const wantedState = fc.oneof(
  fc.constantFrom(
    ...transitions
      .filter(({ trigger }) => trigger === 'changeStatus')
      .map(({ to, reason }) => [to, reason] as const),
  ),
  fc.tuple(fc.constantFrom(...userStatuses), fc.constantFrom(...reasonCodes)),
)

const call: fc.Arbitrary<Call> = fc.oneof(
  wantedState.map(
    ([status, reason]): Call =>
      (they, id) =>
        they.change(id, status, reason),
  ),
  fc
    .record({
      outcome: fc.option(fc.constantFrom(...outcomes), { nil: undefined }),
      issuing_country: fc.constantFrom('ARE', 'FRA'),
    })
    .map(
      ({ outcome, issuing_country }): Call =>
        (they, id) =>
          they.report(id, { ...(outcome ? { outcome } : { result: 'CLEAR' }), issuing_country }),
    ),
  fc.constantFrom<Call[]>(
    (they, id) => they.handIn(id).catch(() => undefined),
    (they, id) => they.review(id, 'approve'),
    (they, id) => they.review(id, 'reject', { reason: 'x' }),
    (they, id) => they.askKyc(id),
    (they) => they.advance('P20D'),
    (they, id) => they.addIdentification(id, { expiration_date: they.inDays(25) }).catch(() => {}),
  ),
)

const settings = fc.record({
  require_document_verification: fc.boolean(),
  require_kyc: fc.boolean(),
  last_name: fc.constantFrom('pass', 'fail', 'Lee'),
})

test(`every state and every step of users is a row of the table (SEED=${SEED})`, async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      settings,
      fc.array(call, { minLength: 1, maxLength: CALLS_MAX }),
      async ({ last_name, ...required }, calls) => {
        const policy = { expired_idv_policy: { days_prior_expiration: 10 } }
        const allowed = { allowed_issuing_countries: ['ARE'] }
        const tenant = await world.otherTenant({ ...required, ...policy, ...allowed })
        const they = people(world, tenant)
        const { id } = await they.create({ first_name: 'Ann', last_name })
        for (const act of calls) {
          await act(they, id)
          await they.runDueJobs()
          const user = await they.find(id)
          assert.ok(isKnownState(user), they.stateOf(user))
          seen.add(they.stateOf(user))
        }
        await checkSteps(they, id)
      },
    ),
    { seed: SEED, numRuns: RUNS },
  )
  assert.ok(seen.size >= 8, `the calls lead somewhere: ${[...seen]}`)
})

async function checkSteps(they: People, id: string): Promise<void> {
  for (const moved of await they.events(id, 'USER_STATUS_CHANGE')) {
    const row = transitions.find(
      ({ from, from_reasons, to, reason }) =>
        to === moved.new_status &&
        reason === moved.new_status_reason_code &&
        from.includes(moved.old_status) &&
        (from_reasons === undefined || from_reasons.includes(moved.old_status_reason_code)),
    )
    assert.ok(row, JSON.stringify(moved))
  }
}
