/** Each row of the specification's table of user statuses, by its own words. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { type People, people, requiredOf } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const ROWS = specificationRows()
const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const IDV = { require_document_verification: true, require_kyc: true }
const DAY = 86_400_000

/** A tenant of its own for each test. */
const tenantWith = async (settings: object) => people(world, await world.otherTenant(settings))

const proofs: Record<string, () => Promise<unknown>> = {
  'Create INDIVIDUAL user | require_document_verification is true': async () => {
    const they = await tenantWith(IDV)
    const user = await they.create()
    assert.equal(they.stateOf(user), 'PENDINGIDVERIFICATION/I0')
    const [event] = await they.events(user.id, 'IDENTITY_VERIFICATION')
    assert.equal(event.status_reason_code, 'I0')
    assert.match(event.sdk_token, /^sdk_/)
    assert.ok(event.applicant_id)
  },
  'Create DIRECTOR, SIGNATURE, SHAREHOLDER or BUSINESS user | always': async () => {
    const they = await tenantWith(IDV)
    for (const user_type of ['DIRECTOR', 'SIGNATURE', 'SHAREHOLDER', 'BUSINESS'] as const) {
      const user = await they.create({ user_type, ...requiredOf[user_type] })
      assert.equal(they.stateOf(user), 'PENDINGKYB/I0')
      const document = await they.addIdentification(user.id)
      assert.equal(document.document_status, 'PENDINGKYB')
    }
  },
  'Operator compliance review | approved': async () => {
    const they = await tenantWith({})
    const { id } = await they.createBusiness()
    const { status, body } = await they.review(id, 'approve')
    assert.equal(status, 200)
    assert.equal(they.stateOf(body), 'ACTIVE/A0')
  },
  'Operator compliance review | documents not verified': async () => {
    const they = await tenantWith({})
    const { id } = await they.createBusiness()
    const { body } = await they.review(id, 'reject', { reason: 'The license is not readable' })
    assert.equal(they.stateOf(body), 'SUSPENDED/S5')
    await they.addIdentification(id, { type: 'ADDITIONAL' })
    assert.equal(they.stateOf((await they.review(id, 'approve')).body), 'ACTIVE/A0')
  },
  'changeStatus to PENDINGIDVERIFICATION with B2 | used to re-initiate from PENDINGIDVERIFICATION with B1, B5 or B6':
    async () => {
      const they = await tenantWith(IDV)
      for (const [outcome, reason] of [
        ['caution', 'B1'],
        ['document_requested', 'B5'],
        ['abandoned', 'B6'],
      ] as const) {
        const { id } = await they.create()
        const first = await they.token(id)
        const reported = await they.report(id, { result: 'CONSIDER', outcome })
        assert.equal(they.stateOf(reported.body), `PENDINGIDVERIFICATION/${reason}`)
        assert.equal(await they.change(id, 'PENDINGIDVERIFICATION', 'B2'), 200)
        assert.equal(await they.state(id), 'PENDINGIDVERIFICATION/B2')
        assert.notEqual(await they.token(id), first)
      }
    },
  'changeStatus to PENDINGIDVERIFICATION with B0 | documents uploaded': async () => {
    const they = await tenantWith(IDV)
    const { id } = await they.create()
    assert.equal(await they.change(id, 'PENDINGIDVERIFICATION', 'B0'), 409)
    await they.handIn(id)
    assert.equal(await they.change(id, 'PENDINGIDVERIFICATION', 'B0'), 200)
    assert.equal(await they.state(id), 'PENDINGIDVERIFICATION/B0')
    assert.equal(they.stateOf((await they.report(id, { result: 'CLEAR' })).body), 'PENDINGKYC/I0')
  },
  'IDV completes successfully |': async () => {
    const they = await tenantWith(IDV)
    const { id } = await they.create()
    const { body } = await they.report(id, { result: 'CLEAR' })
    assert.equal(they.stateOf(body), 'PENDINGKYC/I0')
    const [event] = await they.events(id, 'USER_STATUS_CHANGE')
    assert.equal(event.old_status, 'PENDINGIDVERIFICATION')
    assert.equal(event.new_status, 'PENDINGKYC')
    assert.equal(event.User_status_change.id, id)
  },
  'IDV finds user not verified |': async () => {
    const they = await tenantWith(IDV)
    const { id } = await they.create()
    const { body } = await they.report(id, { result: 'CONSIDER', outcome: 'caution' })
    assert.equal(they.stateOf(body), 'PENDINGIDVERIFICATION/B1')
    const event = (await they.events(id, 'IDENTITY_VERIFICATION')).at(-1)
    assert.equal(event.status_reason_code, 'B1')
    assert.equal(event.old_status_reason_code, 'I0')
    assert.equal(event.status_description, 'User not verified')
  },
  'Re-initiated IDV gets SUSPECTED or REJECTED from the verification provider |': async () => {
    const they = await tenantWith(IDV)
    for (const [outcome, reason] of [
      ['suspected', 'T13'],
      ['rejected', 'T12'],
    ] as const) {
      const { id } = await they.create()
      await they.report(id, { result: 'CONSIDER', outcome: 'caution' })
      await they.change(id, 'PENDINGIDVERIFICATION', 'B2')
      const { body } = await they.report(id, { result: 'CONSIDER', outcome })
      assert.equal(they.stateOf(body), `TERMINATED/${reason}`)
    }
  },
  'Sandbox KYC processing | require_kyc true, user PENDINGKYC, KYC request SUBMITTED': async () => {
    const they = await tenantWith({ require_kyc: true })
    for (const [last_name, result, state] of [
      ['pass', 'OK', 'ACTIVE/A0'],
      ['fail', 'FAILED', 'PENDINGKYC/I0'],
    ] as const) {
      const { id } = await they.create({ first_name: 'Ann', last_name })
      const request = await they.askKyc(id)
      assert.equal(request.body.status, 'SUBMITTED')
      await they.runDueJobs()
      assert.equal((await they.kyc(request.body.id)).body.status, result)
      assert.equal(await they.state(id), state)
    }
  },
  'Expiry job (periodic) | INDIVIDUAL user in an applicable status whose document expired or expires within days_prior_expiration days':
    async () => {
      const they = await tenantWith({ expired_idv_policy: { days_prior_expiration: 10 } })
      const { id } = await they.create()
      await they.addIdentification(id, { expiration_date: they.inDays(30) })
      await they.advance('P15D')
      assert.equal(await they.state(id), 'ACTIVE/A0')
      await they.advance('P6D')
      assert.equal(await they.state(id), 'ACTIVE/A6')
      assert.equal((await they.events(id, 'USER_STATUS_CHANGE')).length, 1)
      const [alert] = await they.events(id, 'USER_DOCUMENT_ALERT')
      assert.equal(alert.document_type, 'PASSPORT')
    },
  'changeStatus to B2E | user ACTIVE with A6 (or A8)': async () => {
    const they = await expired()
    assert.equal(await they.change(they.id, 'ACTIVE', 'B2E'), 200)
    assert.equal(await they.state(they.id), 'ACTIVE/B2E')
    assert.match(await they.token(they.id), /^sdk_/)
  },
  'changeStatus to B0E | documents re-uploaded': async () => {
    const they = await expired()
    await they.change(they.id, 'ACTIVE', 'B2E')
    assert.equal(await they.change(they.id, 'ACTIVE', 'B0E'), 409)
    await they.handIn(they.id)
    assert.equal(await they.change(they.id, 'ACTIVE', 'B0E'), 200)
    assert.equal(await they.state(they.id), 'ACTIVE/B0E')
    assert.equal((await they.report(they.id, { result: 'CLEAR' })).status, 200)
  },
  'Re-verification report CLEAR |': () => reVerified({ result: 'CLEAR' }, 'ACTIVE/A7'),
  'Re-verification report CONSIDER, caution |': async () => {
    const they = await reVerified({ result: 'CONSIDER', outcome: 'caution' }, 'ACTIVE/A8')
    assert.equal(await they.change(they.id, 'ACTIVE', 'B2E'), 200)
    assert.equal(await they.state(they.id), 'ACTIVE/B2E')
  },
  'Re-verification CONSIDER, terminated outcome |': () =>
    reVerified({ result: 'CONSIDER', outcome: 'terminated' }, 'TERMINATED/T12E'),
  'Re-verification CONSIDER, suspected outcome |': () =>
    reVerified({ result: 'CONSIDER', outcome: 'suspected' }, 'TERMINATED/T13E'),
  'Issuing country of document not allowed |': async () => {
    const they = await tenantWith({ ...IDV, allowed_issuing_countries: ['ARE'] })
    for (const [outcome, reason] of [
      [undefined, 'B9'],
      ['caution', 'B10'],
    ] as const) {
      const { id } = await they.create()
      const result = outcome === undefined ? 'CLEAR' : 'CONSIDER'
      const report = { result, ...(outcome && { outcome }), issuing_country: 'FRA' }
      const { body } = await they.report(id, report)
      assert.equal(they.stateOf(body), `PENDINGIDVERIFICATION/${reason}`)
    }
    const country = { issuing_country: 'FR' }
    await reVerified({ result: 'CLEAR', ...country }, 'ACTIVE/B9E')
    await reVerified({ result: 'CONSIDER', outcome: 'caution', ...country }, 'ACTIVE/B10E')
  },
}

for (const row of ROWS) {
  test(row, async () => {
    const proof = proofs[row]
    assert.ok(proof, 'the row has a proof')
    await proof()
  })
}

test('every proof is of a row that the specification has', () => {
  assert.deepEqual(
    Object.keys(proofs).filter((name) => !ROWS.includes(name)),
    [],
  )
})

/** A user whose passport is about to end, in a tenant that allows documents of ARE. */
async function expired(): Promise<People & { id: string }> {
  const they = await tenantWith({
    expired_idv_policy: { days_prior_expiration: 30 },
    allowed_issuing_countries: ['ARE'],
  })
  const { id } = await they.create()
  await they.addIdentification(id, { expiration_date: new Date(Date.now() + 10 * DAY) })
  await they.runDueJobs()
  assert.equal(await they.state(id), 'ACTIVE/A6')
  return { ...they, id }
}

async function reVerified(report: object, state: string): Promise<People & { id: string }> {
  const they = await expired()
  await they.change(they.id, 'ACTIVE', 'B2E')
  assert.equal(they.stateOf((await they.report(they.id, report)).body), state)
  return they
}

/** `trigger | condition` of each row. */
function specificationRows(): string[] {
  const text = readFileSync('docs/specs/card-issuing.md', 'utf8')
  const [, section = ''] = text.split('### User status')
  const [table = ''] = section.slice(section.indexOf('| Trigger')).split('\n\n')
  return table
    .split('\n')
    .slice(2)
    .map((line) => {
      const [, trigger = '', condition = ''] = line.split('|').map((cell) => cell.trim())
      return `${trigger} | ${condition}`.trim()
    })
}
