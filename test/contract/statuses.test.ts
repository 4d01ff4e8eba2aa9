/** Every operation gives each of the answers that its kind of operation gives. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { BODY_LIMIT_BYTES } from '#kit/http/bodies/body.ts'
import { CALLERS } from '#kit/http/callers/caller_cache.ts'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { type Belongings, createBelongings } from '#test/support/contract/belongings.ts'
import { documentsOf, type Operation } from '#test/support/contract/operations.ts'
import {
  anonymous,
  bySession,
  type Credential,
  callerOf,
  contentOf,
  isOfMembers,
  sampleOf,
  straySamples,
  urlOf,
  wrongCallerOf,
} from '#test/support/contract/samples.ts'
import { belongingsFor } from '#test/support/contract/sharing.ts'
import { keeper } from '#test/support/keeper.ts'
import { listenForCards, newCheckout } from '#test/support/network/purchases.ts'
import { PASSWORD } from '#test/support/portal/browser.ts'
import { type Answer, openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
keep(await listenForCards(world))
const { request } = world
const operations = documentsOf(world.config).flatMap((document) => document.operations)
const shared = await createBelongings(world, { orders: true })

type Asking = {
  as?: Credential
  headers?: Record<string, string>
  payload?: unknown
  /** The address that it comes from. */
  from?: string
}

const GUESSER = '203.0.113.7'
const GUESSES = 500

/** The operation's own sample, with the given changes. */
function ask(operation: Operation, belongings: Belongings, url: string, asking: Asking = {}) {
  const content = contentOf(sampleOf(operation, belongings))
  const { payload = content.payload } = asking
  const { key, headers } = asking.as ?? callerOf(operation, world, belongings)
  return request(operation.method, url, payload, {
    key,
    headers: { ...headers, ...content.headers, ...asking.headers },
    ...(asking.from !== undefined && { from: asking.from }),
  })
}
const sampleUrl = (operation: Operation, belongings = shared) =>
  urlOf(operation, sampleOf(operation, belongings)?.params)

/** Unknown members are rejected; orders ignore them (D-82), but no total is so long. */
const WRONG_QUERY = `?no_such_parameter=1&total=${'9'.repeat(50)}`

/** A request that leads to each status, of any operation that documents it. */
const makers: Readonly<Record<number, (operation: Operation) => Promise<Answer>>> = {
  400: (operation) => ask(operation, shared, sampleUrl(operation) + WRONG_QUERY),
  401: (operation) => {
    const asking =
      operation.permission === 'open' ? { payload: wrongGuess(operation) } : { as: anonymous }
    return ask(operation, shared, sampleUrl(operation), asking)
  },
  403: (operation) => {
    // Members may call it: another site is rejected.
    const headers = {
      ...bySession(world, shared.member.cookie).headers,
      origin: 'https://a.example',
    }
    const isForeign = ['member', 'open'].includes(operation.permission)
    const as = isForeign ? { key: null, headers } : wrongCallerOf(operation, world, shared)
    return ask(operation, shared, sampleUrl(operation), { as })
  },
  404: (operation) => {
    const { params: own = {}, body = {} } = sampleOf(operation, shared) ?? {}
    const params = Object.fromEntries(Object.keys(own).map((name) => [name, randomUUID()]))
    if (operation.path.includes('{')) return ask(operation, shared, urlOf(operation, params))
    // Its body names its objects.
    const others = Object.keys(body).filter((name) => name.endsWith('_id'))
    const payload = { ...body, ...Object.fromEntries(others.map((name) => [name, randomUUID()])) }
    return ask(operation, shared, urlOf(operation, params), { payload })
  },
  409: reuseOfKey,
  413: (operation) => {
    if (sampleOf(operation, shared)?.form) {
      const headers = { 'content-length': String(2 ** 40) }
      return ask(operation, shared, sampleUrl(operation), { headers })
    }
    const headers = { 'content-type': 'application/json' }
    const payload = ' '.repeat(BODY_LIMIT_BYTES + 1)
    return ask(operation, shared, sampleUrl(operation), { headers, payload })
  },
  415: (operation) => {
    // A request with a session and another type is taken for another site's (D-136).
    const type = isOfMembers(operation.permission)
      ? 'application/json; charset=utf-16'
      : 'text/plain'
    const headers = { 'content-type': type }
    return ask(operation, shared, sampleUrl(operation), { headers, payload: 'text' })
  },
  429: withEmptyBucket,
}

const codes: Readonly<Record<number, string>> = {
  400: 'validation_failed',
  401: 'unauthenticated',
  403: 'permission_missing',
  404: 'not_found',
  409: 'idempotency_key_reused',
  413: 'too_large',
  415: 'content_type_unsupported',
  429: 'rate_limited',
}

/** The sample with a wrong credential in its body. */
function wrongGuess(operation: Operation, guess = 0): Record<string, unknown> {
  const body = sampleOf(operation, shared)?.body ?? {}
  const members = ['private_key', 'password', 'code'].filter((name) => name in body)
  const wrong = Object.fromEntries(members.map((name) => [name, `wrong ${guess}`]))
  const id = `wrong-${guess}`
  const credential = 'credential' in body && {
    credential: { ...Object(body.credential), id, rawId: id },
  }
  // The address is what has failed too often, not the member.
  return {
    ...body,
    ...wrong,
    ...credential,
    ...('email' in body && { email: `guess-${guess}@bank.example` }),
  }
}

/** The key is used for another request first. */
async function reuseOfKey(operation: Operation): Promise<Answer> {
  const { key, headers } = callerOf(operation, world, shared)
  const reused = { [String(operation.idempotencyHeader)]: randomUUID() }
  const [url, body] = anotherRequest(operation)
  const first = await request('POST', url, body, { key, headers: { ...headers, ...reused } })
  assert.ok(first.status < 300, first.text)
  return ask(operation, shared, sampleUrl(operation), { headers: reused })
}

function anotherRequest({ permission, name }: Operation): [url: string, body?: object] {
  // Each API keeps its keys apart, and of the portal the operator has this one operation.
  if (name === 'POST /portal/v1/operators:invite')
    return ['/portal/v1/operators:invite', { email: 'other@operator.example' }]
  if (permission === 'operator') return ['/v1/operator/tenants', { name: 'The first' }]
  if (permission === 'keys' || permission === 'team')
    return ['/portal/v1/keys', { name: 'Other', permissions: ['read'] }]
  if (name === 'POST /portal/v1/passkeys') {
    const { attestation: credential } = shared.access
    return ['/portal/v1/passkeys:confirm', { name: 'Phone', credential }]
  }
  if (permission === 'member') return ['/portal/v1/passkeys', { password: PASSWORD }]
  if (permission === 'merchant') return ['/api/v1.0/checkouts', newCheckout()]
  return ['/v1/users:search', { name: 'The first' }]
}

/** Every bucket is empty, and fills only in a minute. */
async function withEmptyBucket(operation: Operation): Promise<Answer> {
  if (operation.permission === 'open') return afterManyGuesses(operation)
  await ask(operation, shared, sampleUrl(operation) + WRONG_QUERY)
  const filled = new Date(Date.now() + 60_000)
  await world.db.updateTable('rate_buckets').set({ tokens: 0, filled }).execute()
  world.services.notify(CALLERS)
  try {
    return await ask(operation, shared, sampleUrl(operation))
  } finally {
    await world.db.deleteFrom('rate_buckets').execute()
  }
}

/** An operation that takes credentials has no bucket: its brake is on the address (D-361). */
async function afterManyGuesses(operation: Operation): Promise<Answer> {
  if (operation.name === 'POST /portal/v1/registrations') return afterManySignUps(operation)
  for (let guess = 0; guess < GUESSES; guess += 1) {
    const payload = wrongGuess(operation, guess)
    const answer = await ask(operation, shared, sampleUrl(operation), { payload, from: GUESSER })
    if (answer.status === 429) return answer
  }
  return assert.fail(`${GUESSES} guesses were looked up`)
}

/** An address of the network has signed up as often as it may (D-886). */
async function afterManySignUps(operation: Operation): Promise<Answer> {
  const send = () =>
    ask(operation, shared, sampleUrl(operation), { payload: wrongGuess(operation), from: GUESSER })
  await send()
  const failed = Array.from({ length: PROFILES.sandbox.sign_ups_most }, () => new Date())
  await world.db.updateTable('sign_in_failures').set({ failed }).execute()
  try {
    return await send()
  } finally {
    await world.db.deleteFrom('sign_in_failures').execute()
  }
}

test('every operation has a sample, and every sample an operation', () => {
  const without = operations.filter((operation) => !sampleOf(operation, shared))
  assert.deepEqual(
    without.map(({ name }) => name),
    [],
    'add a request that succeeds to test/support/contract/samples.ts',
  )
  assert.deepEqual(straySamples(operations), [])
})

for (const operation of operations) {
  describe(operation.name, () => {
    for (const [status, make] of Object.entries(makers)) {
      const isKeyless = status === '409' && operation.idempotencyHeader === undefined
      if (operation.responses[status] === undefined || isKeyless) continue
      test(`${status} ${codes[Number(status)]}`, async () => {
        const answer = await make(operation)
        assert.equal(answer.status, Number(status), answer.text)
        if (operation.prefix === '/v1') assert.equal(answer.body.code, codes[answer.status])
      })
    }
    test(`${operation.success} for its sample`, async () => {
      const belongings = await belongingsFor(world, operation, shared)
      const answer = await ask(operation, belongings, sampleUrl(operation, belongings))
      assert.equal(answer.status, operation.success, answer.text)
    })
  })
}
