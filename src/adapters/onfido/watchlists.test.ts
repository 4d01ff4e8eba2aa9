/** Onfido's watchlist reports: its calls, the matches of the reviewer, and its notifications. */

import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { ProviderFailure } from '#issuing/verification/provider.ts'
import { readVariables } from '#kit/settings/read.ts'
import { kycCase } from '#test/support/contract/screened.ts'
import { keeper } from '#test/support/keeper.ts'
import { type People, people } from '#test/support/people.ts'
import { misbehaviours } from '#test/support/services/misbehaviours.ts'
import { API_TOKEN, openOnfido, signed } from '#test/support/services/onfido.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { settingsOf, variables } from './settings.ts'
import { onfidoWatchlists } from './watchlists.ts'

const keep = keeper()
const onfido = keep(await openOnfido())
const env = { ...onfido.env, ONFIDO_WATCHLIST: 'aml', SCREENING_EVERY_DAYS: '30' }
const world = keep(await openWorld({ env }))
const ctx = await world.ctx()
world.sweeper.start()
beforeEach(() => onfido.reset())

/** Shorter than the program's, so that an answer that never comes is awaited briefly. */
const PATIENCE_MS = 500

function provider(more: Record<string, string> = {}) {
  const read = readVariables(variables, { ...env, ...more })
  const settings = settingsOf(read.values, { faults: [], live: false })
  assert.ok(settings?.watchlist)
  return onfidoWatchlists({ ...settings, watchlist: settings.watchlist }, undefined, PATIENCE_MS)
}
const asked = (what: string) => onfido.calls.filter((call) => call.what === what)
const sent = (what: string) => asked(what).map(({ body }) => body)

const isPending = () => {
  const [first] = onfido.checks
  onfido.answers['GET /checks/{id}'] = () => [
    200,
    { ...(first ?? onfido.checks[0]), status: 'in_progress' },
  ]
}
const complete = onfido.answers['GET /checks/{id}']
const finishes = () => {
  if (complete) onfido.answers['GET /checks/{id}'] = complete
}

describe('a person', () => {
  test('is sent with birth and address, and its check names the report and the case', async () => {
    const request = kycCase({
      ...{ first_name: 'Ann', middle_name: 'Mary', last_name: 'Lee', date_of_birth: '1990-02-28' },
      address: {
        ...{ address_line1: `${'1'.repeat(40)} Street`, city: 'Dubai', state: 'Dubai' },
        ...{ postal_code: '00000', country: 'ARE' },
      },
    })
    await provider().decide(ctx, request)
    assert.deepEqual(sent('POST /applicants'), [
      {
        ...{ first_name: 'Ann Mary', last_name: 'Lee', dob: '1990-02-28' },
        address: { postcode: '00000', country: 'ARE', line1: '1'.repeat(32), town: 'Dubai' },
        consents: [{ name: 'privacy_notices_read', granted: true }],
      },
    ])
    assert.deepEqual(sent('POST /checks'), [
      {
        ...{ applicant_id: 'applicant-1', report_names: ['watchlist_aml'] },
        ...{ tags: [request.reference], privacy_notices_read_consent_given: true },
      },
    ])
  })

  test('of one name has it as both, and one without a name is left to people unasked', async () => {
    const of = (last_name: string | null, first_name: string | null) =>
      provider({ ONFIDO_WATCHLIST_CLEAR: 'pass' }).decide(ctx, kycCase({ first_name, last_name }))
    assert.equal((await of(null, 'Suharto')).result, 'OK')
    const [{ first_name, last_name }] = sent('POST /applicants')
    assert.deepEqual([first_name, last_name], ['Suharto', 'Suharto'])
    onfido.reset()
    assert.equal((await of(null, ' ')).result, 'COMPLIANCE')
    assert.deepEqual(onfido.calls, [])
  })

  test('that is clear is left to people, or passes where the setting says so', async () => {
    const clear = { matches: [] }
    const decide = (more = {}) => provider(more).decide(ctx, kycCase({}))
    assert.deepEqual(await decide(), { ...clear, result: 'COMPLIANCE' })
    const passing = { ONFIDO_WATCHLIST_CLEAR: 'pass' }
    assert.deepEqual(await decide(passing), { ...clear, result: 'OK' })
  })

  test('that is listed has each record as a match, with what matched', async () => {
    const enhanced = {
      ...{ full_name: 'Ann L. Listed', date_of_birth: ['1962-11-23', '1962'] },
      alias: [{ alias_name: 'A. L.', alias_type: 'aka' }],
      source: [{ source_name: 'UN Consolidated List' }],
    }
    const request = () => kycCase({ id: 'me', last_name: 'Listed' })
    onfido.listed['listed'] = [...(onfido.listed['listed'] ?? []), enhanced, enhanced]
    const { result, matches } = await provider({ ONFIDO_WATCHLIST_CLEAR: 'pass' }).decide(
      ctx,
      request(),
    )
    assert.equal(result, 'COMPLIANCE')
    const [first, second, ...more] = matches
    assert.deepEqual(more, [])
    const about = { subject_id: 'me', list: 'watchlist_aml', score: 100 }
    assert.deepEqual(first, {
      ...{ ...about, listed_id: 'N4EN9', name: 'Ann LISTED' },
      reason: 'sanction; by name_exact, year_of_birth; born 1962-11-23; from OFAC SDN List',
    })
    assert.equal(second?.name, 'Ann L. Listed')
    assert.equal(
      second?.reason,
      'sanction; born 1962-11-23, 1962; also A. L.; from UN Consolidated List',
    )
    const again = await provider().decide(ctx, request())
    assert.deepEqual(again.matches, matches, 'an entry has the same id each time')
  })

  test('that is to be considered has a match also without a record', async () => {
    onfido.listed = { listed: [{}] }
    onfido.answers['GET /reports'] = () => {
      const breakdown = { sanction: { result: 'consider' }, adverse_media: { result: 'clear' } }
      return [200, { reports: [{ name: 'watchlist_aml', result: 'consider', breakdown }] }]
    }
    const { matches } = await provider().decide(ctx, kycCase({ id: 'me', last_name: 'Listed' }))
    assert.deepEqual(matches, [
      {
        ...{ subject_id: 'me', list: 'watchlist_aml', listed_id: 'sanction', score: 100 },
        ...{ name: 'Ann Listed', reason: 'sanction; the report has no records' },
      },
    ])
  })

  test('whose check is started again after a lost answer has one applicant and one check', async () => {
    const request = kycCase({})
    const begun = onfido.answers['POST /checks']
    onfido.answers['POST /checks'] = async (call) => {
      await begun?.(call)
      return [500, {}]
    }
    await assert.rejects(provider().decide(ctx, request), ProviderFailure)
    assert.equal((await provider().decide(ctx, request)).result, 'COMPLIANCE')
    assert.equal(asked('POST /applicants').length, 1)
    assert.equal(asked('POST /checks').length, 1)
  })
})

describe('a service that', () => {
  for (const [name, misbehaves] of Object.entries(misbehaviours)) {
    test(`${name} has the check made later, and its error shows nobody`, async () => {
      onfido.misbehaves = misbehaves
      for (const kept of [null, 'applicant-1']) {
        const request = { ...kycCase({ last_name: 'Hidden' }), kept }
        await assert.rejects(provider().decide(ctx, request), (error: Error) => {
          assert.ok(error instanceof ProviderFailure, String(error))
          const text = `${error.message}${error.stack}${JSON.stringify(error)}`
          return !text.includes(API_TOKEN) && !text.includes('Hidden')
        })
      }
    })
  }

  for (const [name, change] of [
    ['has withdrawn the check', { 'GET /checks/{id}': { id: 'x', status: 'withdrawn' } }],
    ['has no report of the kind', { 'GET /reports': { reports: [{ name: 'document' }] } }],
    ['has a report without a result', { 'GET /reports': { reports: [{ name: 'watchlist_aml' }] } }],
  ] as const) {
    test(`${name} passes nobody`, async () => {
      for (const [what, body] of Object.entries(change)) onfido.answers[what] = () => [200, body]
      const passing = provider({ ONFIDO_WATCHLIST_CLEAR: 'pass' })
      await assert.rejects(passing.decide(ctx, kycCase({})), ProviderFailure)
    })
  }
})

const webhook = { method: 'POST', url: '/identity/onfido/webhook' } as const
async function notify(secret?: string): Promise<number> {
  const object = { id: onfido.checks[0]?.id }
  const event = { resource_type: 'check', action: 'check.completed', object }
  return (await world.app.inject({ ...webhook, ...signed(event, secret) })).statusCode
}

/** A KYC request of a person with this last name. */
async function request(last_name: string): Promise<{ they: People; id: string; kyc: string }> {
  const they = people(world, await world.otherTenant({ require_kyc: true }))
  const { id } = await they.create({ first_name: 'Ann', last_name })
  const { status, body } = await they.askKyc(id)
  assert.equal(status, 200, JSON.stringify(body))
  return { they, id, kyc: body.id }
}
const started = () => until('a check', async () => onfido.checks[0])
const isFound = ({ they, id }: { they: People; id: string }) =>
  until('a match', async () => {
    const { body } = await world.request(
      'GET',
      `/v1/operator/matches?tenant_id=${they.tenant.id}&user_id=${id}`,
      undefined,
      { key: world.operator_key },
    )
    return body.data[0]
  })

test('a match goes to the reviewer with what matched, at once after a notification', async () => {
  isPending()
  const who = await request('Listed')
  await started()
  await until('the question', async () => asked('GET /checks/{id}')[0])
  assert.equal(await notify('another secret'), 403)
  finishes()
  await until('the match', async () => {
    assert.equal(await notify(), 200)
    const { body } = await world.request('GET', '/v1/operator/matches', undefined, {
      key: world.operator_key,
    })
    return body.data.find(({ user_id }: { user_id: string }) => user_id === who.id)
  })
  const match = await isFound(who)
  assert.deepEqual([match.list, match.name, match.score], ['watchlist_aml', 'Ann LISTED', 100])
  assert.match(match.reason, /^sanction; by name_exact/)
  const review = await who.they.reviewOf(who.id)
  assert.equal(review.matches.length, 1)
  assert.equal((await who.they.kyc(who.kyc)).body.status, 'SUBMITTED')
  assert.equal(asked('POST /applicants').length, 1)
})

test('a notification ahead of the answer of the start, and none, both come to a match', async () => {
  const begun = onfido.answers['POST /checks']
  let early = 0
  onfido.answers['POST /checks'] = async (call) => {
    const answer = (await begun?.(call)) ?? [500, {}]
    early = await notify()
    isPending()
    return answer
  }
  const who = await request('Listed')
  await until('the question', async () => early || undefined)
  finishes()
  await until('the match', async () => {
    await who.they.advance('PT1M')
    const events = await who.they.events(who.id, 'SCREENING_MATCH')
    return events[0]
  })
  assert.equal(early, 200)
  assert.equal((await who.they.events(who.id, 'SCREENING_MATCH')).length, 1)
  assert.equal(asked('POST /checks').length, 1)
})

test('an hour of 500 is tried at doubled intervals, and then answered once', async () => {
  onfido.misbehaves = misbehaviours['answers 500']
  const who = await request('Listed')
  const tries = () => asked('POST /applicants').length
  await until('the first try', async () => tries() === 1 || undefined)
  for (const minutes of [1, 2, 4, 8, 16, 32]) {
    const before = tries()
    await who.they.advance(`PT${minutes}M`)
    await until('a further try', async () => tries() > before || undefined)
  }
  assert.ok(tries() <= 8, `${tries()} tries`)
  const [check] = (await who.they.reviewOf(who.id)).checks
  assert.equal(check.failure, 'Onfido answered 500')
  onfido.misbehaves = undefined
  await until('the match', async () => {
    await who.they.advance('PT1H')
    return (await who.they.events(who.id, 'SCREENING_MATCH'))[0]
  })
  assert.equal(asked('POST /checks').length, 1)
})

test('a further check of an ACTIVE person is one check at Onfido, however late it answers', async () => {
  isPending()
  const they = people(world, await world.otherTenant({}))
  const { id } = await they.create({ first_name: 'Ann', last_name: 'Listed' })
  await until('a check', async () => {
    await they.advance('PT1M')
    return onfido.checks[0]
  })
  for (const minutes of [1, 2, 3]) await they.advance(`PT${minutes}M`)
  assert.equal(asked('POST /applicants').length, 1)
  assert.equal(asked('POST /checks').length, 1)
  finishes()
  await until('the match', async () => {
    await they.advance('PT1M')
    return (await they.events(id, 'SCREENING_MATCH'))[0]
  })
  assert.equal(await they.state(id), 'ACTIVE/A0')
})
