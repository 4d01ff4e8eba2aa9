/** Watchman: its settings, what it is asked, what its answers mean, and how badly it may answer. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, beforeEach, describe, test } from 'node:test'
import { ProviderFailure } from '#issuing/verification/provider.ts'
import { readVariables } from '#kit/settings/read.ts'
import { readConfig } from '#src/config/config.ts'
import { companyData, kybCase, kycCase, personData } from '#test/support/contract/screened.ts'
import { people } from '#test/support/people.ts'
import { misbehaviours } from '#test/support/services/misbehaviours.ts'
import { listedCompany, listedPerson, openWatchman } from '#test/support/services/watchman.ts'
import { openWorld } from '#test/support/world.ts'
import { watchmanScreeners } from './screening.ts'
import { settingsOf, variables } from './settings.ts'

const service = await openWatchman()
after(() => service.close())
const world = await openWorld({ env: service.env })
after(() => world[Symbol.asyncDispose]())
const ctx = await world.ctx()
beforeEach(() => {
  service.searches = []
  service.listed = { listed: [listedPerson, listedCompany] }
  service.lists = { us_ofac: 17_646, eu_csl: 4_000 }
  service.misbehaves = undefined
})

/** Shorter than the program's, so that an answer that never comes is awaited briefly. */
const PATIENCE_MS = 1_500

const read = (env: Record<string, string>, faults: string[] = []) =>
  settingsOf(readVariables(variables, env).values, { faults, live: false })

function screenersWith(env: Record<string, string> = {}) {
  const settings = read({ ...service.env, ...env })
  assert.ok(settings)
  return watchmanScreeners(settings, PATIENCE_MS)
}
const decide = (known = {}, env = {}) => screenersWith(env).kyc.decide(ctx, kycCase(known))

describe('settings', () => {
  test('without an address Watchman is not configured, and other settings are a fault', () => {
    assert.equal(read({}), undefined)
    for (const env of [{ WATCHMAN_LISTS: 'us_ofac' }, { WATCHMAN_CLEAR: 'pass' }]) {
      const faults: string[] = []
      assert.equal(read(env, faults), undefined)
      assert.match(faults.join(), /^WATCHMAN_URL is missing/)
    }
  })

  test('an address alone searches all lists, from 80 per cent, and passes nobody', () => {
    assert.deepEqual(read({ WATCHMAN_URL: 'http://watchman:8084/' }), {
      ...{ url: 'http://watchman:8084', least: 0.8, lists: null, clear: 'COMPLIANCE' },
    })
  })

  for (const [name, value, message] of [
    ['WATCHMAN_URL', 'watchman', /^WATCHMAN_URL must be an http or https address/],
    ['WATCHMAN_URL', 'http://ann:hidden@watchman', /^WATCHMAN_URL must be an http or https/],
    ['WATCHMAN_MIN_MATCH', '0.8', /^WATCHMAN_MIN_MATCH must be a whole number from 50 to 100/],
    ['WATCHMAN_LISTS', 'us_ofac, eu csl', /^WATCHMAN_LISTS must be up to 10 names/],
    ['WATCHMAN_CLEAR', 'yes', /^WATCHMAN_CLEAR must be review or pass/],
  ] as const) {
    test(`rejects ${name}=${value} in one line without the account`, () => {
      const env = { WATCHMAN_URL: 'http://watchman:8084', [name]: value }
      assert.throws(
        () => readConfig(env),
        (error: Error) => message.test(error.message) && !/hidden/.test(error.message),
      )
    })
  }
})

describe('a person', () => {
  test('is searched by each name, birth and gender, and beside it by the numbers of documents', async () => {
    const document = personData({}).documents
    const passport = { id: 'x', type: 'PASSPORT', number: 'Y5391', files: [] } as const
    const unknown = { issuance_authority: null, place_of_issuance: null, issuance_date: null }
    await decide({
      ...{ first_name: 'Ann', middle_name: 'Mary', last_name: 'Lee', native_name: 'آن' },
      ...{ date_of_birth: '1990-02-28', gender: 'FEMALE', nationality: 'NOR' },
      documents: [
        ...document,
        { ...passport, ...unknown, expiration_date: null, document_status: 'PENDING' },
      ],
    })
    const facts = {
      ...{ type: 'person', birthDate: '1990-02-28', gender: 'female' },
      ...{ minMatch: '0.8', limit: '20' },
    }
    const names = ['Ann Mary Lee', 'Ann Lee', 'آن']
    const order = (one: object) => JSON.stringify(Object.entries(one).sort())
    assert.deepEqual(
      service.searches.map((search) => order(Object.fromEntries(search))).sort(),
      names
        .flatMap((name) => [
          { ...facts, name },
          { ...facts, name, gov_passport: 'NO:Y5391' },
        ])
        .map(order)
        .sort(),
    )
  })

  test('that is listed has the entry as a match, once, whatever the setting', async () => {
    for (const WATCHMAN_CLEAR of ['review', 'pass']) {
      const known = { id: 'me', last_name: 'Listed', middle_name: 'Mary' }
      assert.deepEqual(await decide(known, { WATCHMAN_CLEAR }), {
        result: 'COMPLIANCE',
        matches: [
          {
            ...{ subject_id: 'me', list: 'us_ofac', listed_id: '22790', name: 'Ann LISTED' },
            score: 94,
            reason:
              'found as “Ann Mary Listed”; the entry is a person, born 1962-11-23, of SDGT, IRGC',
          },
        ],
      })
    }
  })

  test('that is not listed is left to people, or passes where the setting says so', async () => {
    assert.deepEqual(await decide(), { result: 'COMPLIANCE', matches: [] })
    assert.deepEqual(await decide({}, { WATCHMAN_CLEAR: 'pass' }), { result: 'OK', matches: [] })
  })

  test('without a name never passes', async () => {
    const nameless = { first_name: ' ', last_name: null }
    const { result } = await decide(nameless, { WATCHMAN_CLEAR: 'pass' })
    assert.equal(result, 'COMPLIANCE')
    assert.equal(service.searches.length, 0)
  })

  test('an entry that is less alike than the setting, or of another list, is no match', async () => {
    const found = async (env: object) => (await decide({ last_name: 'Listed' }, env)).matches.length
    assert.equal(await found({ WATCHMAN_MIN_MATCH: '94' }), 1)
    assert.equal(await found({ WATCHMAN_MIN_MATCH: '95' }), 0)
    assert.equal(await found({ WATCHMAN_LISTS: 'eu_csl,us_ofac' }), 1)
    assert.equal(await found({ WATCHMAN_LISTS: 'eu_csl' }), 0)
  })

  test('what the service writes is one bounded line', async () => {
    const name = `A\n\u0000${'x'.repeat(5_000)}`
    service.listed = { listed: [{ ...listedPerson, name, person: null, sanctionsInfo: null }] }
    const [match] = (await decide({ last_name: 'Listed' })).matches
    assert.match(match?.name ?? '', /^A x{298}$/)
  })
})

test('a business is searched as one and as an organization, with its people', async () => {
  const holding = companyData({ id: 'holding', business_legal_name: 'Listed' })
  const business = {
    ...{ business_dba_name: 'Acme', tin: 'T1', tax_residence_country: 'NOR' },
    directors: [personData({ id: 'director', last_name: 'Listed' }), personData({})],
    shareholders: [{ ...holding, user_type: 'SHAREHOLDER_BUSINESS' as const }],
  }
  const { result, matches } = await screenersWith().kyb.check(ctx, kybCase(business))
  assert.equal(result, 'DONE')
  assert.deepEqual(
    matches.map(({ subject_id, score }) => [subject_id, score]),
    [
      ['holding', 100],
      ['director', 94],
    ],
  )
  const ofAcme = service.searches.filter((search) => search.get('name') === 'Acme')
  assert.deepEqual(
    ofAcme.map((search) => `${search.get('type')} ${search.get('gov_tax')}`).sort(),
    ['business NO:T1', 'business null', 'organization NO:T1', 'organization null'],
  )
})

describe('a service that', () => {
  for (const [name, misbehaves] of Object.entries(misbehaviours)) {
    test(`${name} has the check made later, and its error shows no person`, async () => {
      service.misbehaves = misbehaves
      await assert.rejects(screenersWith().kyb.check(ctx, kybCase()), isPlain)
      assert.equal(service.searches.length, 0)
      service.misbehaves = (response, healthy) => {
        const answer = healthy()
        const isSearch = JSON.stringify(answer).includes('entities')
        if (isSearch) misbehaves(response, healthy)
        else response.writeHead(200).end(JSON.stringify(answer))
      }
      await assert.rejects(decide({ last_name: 'Listed' }, { WATCHMAN_CLEAR: 'pass' }), isPlain)
      assert.ok(service.searches.length > 0)
    })
  }

  for (const [name, lists] of [
    ['has loaded no list', {}],
    ['lacks one that counts', { us_ofac: 17_646 }],
    ['has one that counts without entries', { us_ofac: 17_646, eu_csl: 0 }],
    ['counts in words', { us_ofac: 'many' }],
  ] as const) {
    test(`${name} has the check made later`, async () => {
      service.lists = lists
      const env = { WATCHMAN_CLEAR: 'pass', WATCHMAN_LISTS: 'us_ofac,eu_csl' }
      await assert.rejects(decide({}, env), isPlain)
      assert.equal(service.searches.length, 0)
    })
  }

  for (const [name, entry] of [
    ['a match beyond the whole', { match: 1.5 }],
    ['a match below none', { match: -0.1 }],
    ['a match in words', { match: '0.9' }],
    ['no name', { name: '' }],
    ['a list of names', { name: ['Ann'] }],
    ['no id', { sourceID: undefined }],
    ['programs in words', { sanctionsInfo: { programs: 'SDGT' } }],
  ] as const) {
    test(`answers with an entry of ${name} has the check made later`, async () => {
      // The service breaks the promise of its type.
      const listed = { ...listedPerson, ...entry } as typeof listedPerson
      service.misbehaves = (response, healthy) => {
        const answer = Object.assign({ entities: [listedPerson, listed] }, healthy())
        const entities = 'lists' in answer ? {} : { entities: [listedPerson, listed] }
        response.writeHead(200).end(JSON.stringify({ ...answer, ...entities }))
      }
      await assert.rejects(decide({ last_name: 'Listed' }), isPlain)
    })
  }
})

function isPlain(error: unknown): boolean {
  assert.ok(error instanceof ProviderFailure)
  const text = `${error.message}${error.stack}${JSON.stringify(error)}`
  assert.doesNotMatch(text, /Listed|Lee|127\.0\.0\.1/)
  assert.match(error.message, /^Watchman .{1,100}$/)
  return true
}

describe('a program with Watchman', () => {
  test('in live checks a user, keeps the match for the reviewer, and refuses nobody', async () => {
    const env = { ...service.env, MODE: 'live', MASTER_KEY: randomBytes(32).toString('hex') }
    await using live = await openWorld({ env })
    const they = people(live, await live.otherTenant({ require_kyc: true }))
    const { id } = await they.create({ first_name: 'Ann', last_name: 'Listed' })
    const request = (await they.askKyc(id)).body
    const sweep = live.sweeps.find(({ name }) => name === 'kyc provider')
    const run = async () => sweep?.run(await live.ctx(they.tenant.id))
    service.misbehaves = misbehaviours['answers 500']
    await assert.rejects(run(), /Watchman answered 500/)
    assert.equal((await they.kyc(request.id)).body.status, 'SUBMITTED')
    assert.partialDeepStrictEqual((await they.reviewOf(id)).checks, [
      { purpose: 'KYC', status: 'WAITING', attempts: 1, failure: 'Watchman answered 500' },
    ])
    service.misbehaves = undefined
    const { now } = await live.ctx(they.tenant.id)
    await live.db.updateTable('kyc_requests').set({ due: now }).execute()
    await run()
    const { matches } = await they.reviewOf(id)
    assert.partialDeepStrictEqual(matches, [
      { user_id: id, provider: 'watchman', list: 'us_ofac', score: 94, status: 'OPEN' },
    ])
    assert.equal(await they.state(id), 'PENDINGKYC/I0')
  })
})
