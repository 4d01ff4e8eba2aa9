/**
 * The promises of every adapter to the use cases. Each one of the registry runs here: a remote
 * service by a double on loopback. Add an adapter to `doubles`.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { inspect } from 'node:util'
import type { Scanner } from '#issuing/identifications/provider.ts'
import {
  type IdentityProvider,
  type KybProvider,
  type KycProvider,
  kycOutcomes,
  type Match,
  outcomes,
  ProviderFailure,
  TOKEN_MINUTES,
} from '#issuing/verification/provider.ts'
import type { Context } from '#kit/context.ts'
import { type Mailer, MailFailure } from '#portal/mails/provider.ts'
import { startSimulator } from '#sandbox/hsm/simulator.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { companyData, kybCase, kycCase, personData } from '#test/support/contract/screened.ts'
import { openBureau } from '#test/support/services/bureau.ts'
import { moduleSettings } from '#test/support/services/custody.ts'
import { openMailServer } from '#test/support/services/mail_server.ts'
import { misbehaviours } from '#test/support/services/misbehaviours.ts'
import { API_TOKEN, openOnfido } from '#test/support/services/onfido.ts'
import { openScanner } from '#test/support/services/scanner.ts'
import { listedCompany, listedPerson, openWatchman } from '#test/support/services/watchman.ts'
import { openWorld } from '#test/support/world.ts'
import { type Providers, readAdapters } from './adapter.ts'
import { registry } from './registry.ts'

/** A service of the outside world, as the tests steer it. */
type Double = {
  env: Record<string, string>
  /** Values that no message or description may contain. */
  secrets?: readonly string[]
  /** How often it was called, if that can be counted. */
  calls?: () => number
  /** A check that was started is done only after `finish`. */
  hold?: () => void
  finish?: () => void
  /** From now on it answers no call as it should, until it is mended. */
  fail?: () => void
  mend?: () => void
  /** From now on it answers each call with this. */
  answersOddly?: (body: object) => void
  /** The name of a person or company that is on a list. */
  listed?: string
  /** A file in which a scanner finds a virus. */
  infected?: Buffer
  close?: () => Promise<void>
}

const doubles: Record<string, () => Promise<Double>> = {
  async bureau() {
    const bureau = openBureau()
    return {
      env: bureau.env,
      secrets: [bureau.env['BUREAU_SIGNING_KEY'] ?? '', bureau.env['BUREAU_ZPK'] ?? ''],
      close: async () => bureau[Symbol.dispose](),
    }
  },
  async clamd() {
    const scanner = await openScanner()
    const { host, port } = scanner.address
    return {
      env: { CLAMD_ADDRESS: `${host}:${port}` },
      infected: Buffer.from(scanner.finds),
      fail: () => Object.assign(scanner, { away: true }),
      close: scanner.close,
    }
  },
  async onfido() {
    const onfido = await openOnfido()
    const { answers } = onfido
    const found = answers['GET /checks/{id}']
    return {
      env: { ...onfido.env, ONFIDO_WATCHLIST: 'standard' },
      listed: 'listed',
      secrets: [API_TOKEN],
      calls: () => onfido.calls.length,
      hold() {
        onfido.answers['GET /checks/{id}'] = () => [200, { ...onfido.checks[0] }]
      },
      finish() {
        if (found) onfido.answers['GET /checks/{id}'] = found
      },
      fail: () => Object.assign(onfido, { answers: {} }),
      mend: () => Object.assign(onfido, { answers }),
      answersOddly(body) {
        onfido.answers = new Proxy({}, { get: () => () => [200, body] })
      },
      close: onfido.close,
    }
  },
  async payshield() {
    const { port, close } = await startSimulator({ port: 0, header: 4, delay_ms: 0 })
    const env = moduleSettings(port)
    return { env, secrets: [env['HSM_TRANSPORT_KEY'] ?? ''], close }
  },
  async smtp() {
    const login = { user: 'bank', password: 'hidden-password' }
    const server = await openMailServer({ login })
    const address = `${login.user}:${login.password}@127.0.0.1:${server.port}`
    return {
      env: { SMTP_URL: `smtp://${address}`, MAIL_FROM: 'cards@bank.example' },
      secrets: [login.password],
      calls: () => server.mails.length,
      fail: () => Object.assign(server, { answer: 451 }),
      close: server.close,
    }
  },
  async watchman() {
    const service = await openWatchman()
    const listed = [listedPerson, listedCompany]
    service.listed = { listed }
    return {
      env: service.env,
      listed: 'listed',
      secrets: [service.env['WATCHMAN_URL'] ?? '', 'Lee', 'Acme'],
      calls: () => service.searches.length,
      fail: () => Object.assign(service, { misbehaves: misbehaviours['answers 500'] }),
      mend: () => Object.assign(service, { misbehaves: undefined }),
      close: service.close,
    }
  },
}

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

function read(name: string, env: Record<string, string>, live = false) {
  const adapter = registry.filter((one) => one.name === name)
  const faults: string[] = []
  const configured = readAdapters(adapter, env, { faults, live })
  return { configured, faults, provides: adapter.flatMap(({ provides }) => provides) }
}

test('every registered adapter has a name of its own and a double', () => {
  assert.deepEqual(registry.map(({ name }) => name).sort(), Object.keys(doubles).sort())
})

for (const [name, openDouble] of Object.entries(doubles)) {
  describe(`the adapter ${name}`, async () => {
    const double = await openDouble()
    after(() => double.close?.())
    const { configured, faults, provides } = read(name, double.env)
    const providers: Providers = configured[0]?.open() ?? {}

    test('is configured by its variables, and in live by nothing else', () => {
      assert.deepEqual([configured.length, faults], [1, []])
      assert.deepEqual(read(name, {}, true).configured, [])
      assert.deepEqual(read(name, {}, true).faults, [])
    })

    test('opens what it provides, calls nothing then, and shows no secret', () => {
      const { slices: _slices, ...opened } = providers
      assert.deepEqual(Object.keys(opened).sort(), [...provides].sort())
      assert.equal(double.calls?.() ?? 0, 0)
      for (const secret of double.secrets ?? []) {
        assert.ok(!inspect(configured, { depth: null }).includes(secret))
      }
    })

    keepsPromises(providers, double)
  })
}

describe('the simulated providers of the sandbox', () => {
  assert.deepEqual(Object.keys(sandbox.providers), ['identity', 'kyc', 'kyb', 'bureau'])
  keepsPromises(sandbox.providers, { env: {}, listed: 'match' })
})

function keepsPromises({ identity, kyc, kyb, scanner, mailer }: Providers, double: Double): void {
  if (identity) verifiesIdentities(identity, double)
  if (kyc) decidesKyc(kyc, double)
  if (kyb) checksBusinesses(kyb, double)
  if (scanner) scansFiles(scanner, double)
  if (mailer) sendsMails(mailer, double)
}

const person = { first_name: 'Ann', last_name: 'Lee', date_of_birth: null, email: null }
const applicant = { person, checks: ['DOCUMENT'], consent_given: true } as const

function verifiesIdentities(provider: IdentityProvider, double: Double): void {
  test('identity: an applicant has a token for 90 minutes of the tenant’s clock', async () => {
    const ctx = await world.ctx()
    const id = await provider.createApplicant(ctx, applicant)
    assert.match(id, /^.{1,100}$/)
    await provider.updateApplicant?.(ctx, id, applicant)
    const { sdk_token, expires } = await provider.issueToken(ctx, id)
    assert.notEqual(sdk_token, '')
    assert.equal(expires.getTime() - ctx.now.getTime(), TOKEN_MINUTES * 60_000)
  })

  test('identity: an applicant without a file has no documents', async () => {
    const ctx = await world.ctx()
    const id = await provider.createApplicant(ctx, applicant)
    assert.equal((await provider.hasDocuments?.(ctx, id)) ?? false, false)
    await provider.uploadDocuments?.(ctx, id, [])
  })

  test('identity: a check has no report until it is done', async () => {
    const ctx = await world.ctx()
    const applicant_id = await provider.createApplicant(ctx, applicant)
    const check = { ...applicant, applicant_id, reference: randomUUID() }
    double.hold?.()
    const check_id = (await provider.startCheck(ctx, check)) ?? ''
    assert.match(check_id, /^.{1,100}$/)
    assert.equal(await provider.fetchReport(ctx, check_id), undefined)
    if (!provider.outside) return
    assert.equal(await provider.startCheck(ctx, check), check_id, 'a repeat starts no second one')
    double.finish?.()
    const report = await provider.fetchReport(ctx, check_id)
    assert.ok(report?.result === 'CLEAR' || outcomes.some((known) => known === report?.outcome))
  })

  if (provider.outside) {
    failsPlainly(provider, double)
    failsOddly(provider, double)
  }
}

function failsPlainly(provider: IdentityProvider, double: Double): void {
  test('identity: a service that fails is a ProviderFailure without a secret', async () => {
    assert.ok(double.fail, 'a remote service can fail')
    double.fail()
    const ctx = await world.ctx()
    for (const call of callsOf(provider, ctx)) {
      await assert.rejects(call, (error) => {
        assert.ok(error instanceof ProviderFailure)
        const text = `${error.message}${error.stack}${JSON.stringify(error)}`
        assert.ok(!double.secrets?.some((secret) => text.includes(secret)))
        return true
      })
    }
    double.mend?.()
  })
}

const callsOf = (provider: IdentityProvider, ctx: Context) => [
  () => provider.createApplicant(ctx, applicant),
  () => provider.issueToken(ctx, 'someone'),
  () => provider.startCheck(ctx, { ...applicant, applicant_id: 'x', reference: randomUUID() }),
  () => provider.fetchReport(ctx, randomUUID()),
]

/** An answer of another form is no answer: neither an id nor a clear report is made of it. */
function failsOddly(provider: IdentityProvider, double: Double): void {
  for (const body of [{}, [], { id: 7, token: null, checks: {} }]) {
    test(`identity: the answer ${JSON.stringify(body)} is a ProviderFailure`, async () => {
      assert.ok(double.answersOddly, 'a remote service can answer anything')
      double.answersOddly(body)
      const ctx = await world.ctx()
      for (const call of callsOf(provider, ctx)) await assert.rejects(call, ProviderFailure)
      double.mend?.()
    })
  }
}

function decidesKyc(provider: KycProvider, double: Double): void {
  test('kyc: a request has one answer, however often it is sent', async () => {
    const ctx = await world.ctx()
    for (const last_name of ['pass', 'fail', 'Lee', '', double.listed ?? 'Lee']) {
      for (const purpose of ['KYC', 'ONGOING'] as const) {
        const request = kycCase({ last_name }, purpose)
        const answer = await provider.decide(ctx, request)
        assert.ok(kycOutcomes.includes(answer.result), answer.result)
        assert.deepEqual(await provider.decide(ctx, request), answer)
      }
    }
  })

  test('kyc: a listed person has a match with list, score, name and reason', async () => {
    assert.ok(double.listed)
    const request = kycCase({ last_name: double.listed })
    const { result, matches } = await provider.decide(await world.ctx(), request)
    assert.notEqual(result, 'OK')
    assert.ok(matches.length > 0)
    for (const match of matches) isWhole(match, [request.person.id])
  })

  if (provider.outside) failsLater(double, async (ctx) => provider.decide(ctx, kycCase({})))
}

function checksBusinesses(provider: KybProvider, double: Double): void {
  test('kyb: directors, signatories and shareholders are checked, also one that is a company', async () => {
    assert.ok(double.listed)
    const listed = { last_name: double.listed }
    const people = {
      directors: [personData({}), personData(listed), personData({})],
      signatories: [personData(listed)],
      shareholders: [
        personData({ user_type: 'SHAREHOLDER' }),
        companyData({ user_type: 'SHAREHOLDER_BUSINESS', business_legal_name: double.listed }),
      ],
    }
    const business = { ...companyData({ business_legal_name: double.listed }), ...people }
    const expected = [business, people.directors[1], people.signatories[0], people.shareholders[1]]
    const request = { reference: randomUUID(), purpose: 'KYB', business } as const
    const { result, matches } = await provider.check(await world.ctx(), request)
    assert.equal(result, 'DONE')
    const ids = expected.map((one) => one?.id ?? '')
    for (const match of matches) isWhole(match, ids)
    assert.deepEqual([...new Set(matches.map(({ subject_id }) => subject_id))].sort(), ids.sort())
  })

  test('kyb: a business without people, of which little is known, has an answer', async () => {
    const answer = await provider.check(await world.ctx(), kybCase())
    assert.deepEqual(answer, { result: 'DONE', matches: [] })
  })

  if (provider.outside) failsLater(double, async (ctx) => provider.check(ctx, kybCase()))
}

function isWhole(match: Match, subjects: readonly string[]): void {
  const { subject_id, score, ...texts } = match
  assert.ok(subjects.includes(subject_id))
  assert.ok(Number.isInteger(score) && score >= 0 && score <= 100, String(score))
  assert.deepEqual(Object.keys(texts).sort(), ['list', 'listed_id', 'name', 'reason'])
  for (const text of Object.values(texts)) assert.match(text, /^[^\n]{1,300}$/)
}

/** An outage is a ProviderFailure, which has the check made later: no pass and no refusal. */
function failsLater(double: Double, call: (ctx: Context) => Promise<unknown>): void {
  test('a service that fails is a ProviderFailure without a secret', async () => {
    assert.ok(double.fail, 'a remote service can fail')
    double.fail()
    await assert.rejects(call(await world.ctx()), (error) => {
      assert.ok(error instanceof ProviderFailure)
      const text = `${error.message}${error.stack}${JSON.stringify(error)}`
      assert.ok(!double.secrets?.some((secret) => text.includes(secret)))
      return true
    })
    double.mend?.()
  })
}

async function* bytes(...chunks: Buffer[]) {
  yield* chunks
}

function scansFiles(scanner: Scanner, double: Double): void {
  test('scanner: a file is CLEAN or INFECTED, in chunks of any size', async () => {
    assert.equal(await scanner(bytes(Buffer.from('a letter'))), 'CLEAN')
    assert.equal(await scanner(bytes()), 'CLEAN')
    const infected = double.infected ?? Buffer.alloc(0)
    const halves = [infected.subarray(0, 2), Buffer.alloc(0), infected.subarray(2)]
    assert.equal(await scanner(bytes(...halves)), 'INFECTED')
  })

  test('scanner: an error of the bytes is the caller’s', async () => {
    async function* broken() {
      yield Buffer.from('a')
      throw new Error('unreadable')
    }
    await assert.rejects(scanner(broken()), /unreadable/)
  })

  test('scanner: a service that fails makes a file UNKNOWN', async () => {
    assert.ok(double.fail, 'a scanner can fail')
    double.fail()
    assert.equal(await scanner(bytes(Buffer.from('a letter'))), 'UNKNOWN')
  })
}

function sendsMails(mailer: Mailer, double: Double): void {
  const mail = {
    id: randomUUID(),
    to: 'ann@shop.example',
    subject: 'A',
    text: 'B',
    html: '<p>B</p>',
  }

  test('mailer: a mail that is accepted is sent once', async () => {
    await mailer(mail)
    assert.equal(double.calls?.() ?? 1, 1)
  })

  test('mailer: a service that fails is a MailFailure without a secret', async () => {
    assert.ok(double.fail, 'a remote service can fail')
    double.fail()
    await assert.rejects(mailer(mail), (error) => {
      assert.ok(error instanceof MailFailure)
      assert.ok(![...(double.secrets ?? []), mail.to].some((one) => inspect(error).includes(one)))
      return true
    })
  })
}
