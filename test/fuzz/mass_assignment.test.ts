/**
 * Clients set only what they may set: every write, with every response-only member at its top and
 * in each of its objects, with members that lead to every object's prototype, and with duplicate
 * members and query parameters. Generated from the documents.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Belongings, createBelongings } from '#test/support/contract/belongings.ts'
import { memberNames, objectsOf } from '#test/support/contract/members.ts'
import { type Document, documentsOf, type Operation } from '#test/support/contract/operations.ts'
import { withText } from '#test/support/contract/places.ts'
import { callerOf, contentOf, sampleOf, urlOf } from '#test/support/contract/samples.ts'
import { belongingsFor } from '#test/support/contract/sharing.ts'
import { form, pdf } from '#test/support/files.ts'
import { tablesThatHold } from '#test/support/inspection/traces.ts'
import { keeper } from '#test/support/keeper.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { liftRateLimit } from '#test/support/rate.ts'
import { type Answer, openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
keep(await listenForCards(world))
await liftRateLimit(world.db)
const shared = await createBelongings(world, { orders: true })

/** Stands wherever a client may not write; nothing may ever hold it. */
const PLANTED = `planted-${randomUUID()}`
/** A checkout keeps the shop's request whole; only what is named is ever read of it. */
const KEPT_AS_SENT = ['public.checkouts']
const NEVER_FITS = '[[[[]]]]'
/** Fewer than an error names. */
const FAULTS_A_REQUEST = 40
/** Members of rows that no answer names. */
const HIDDEN = ['tenant_id', 'created', 'modified', 'balance', 'held', 'blob_key', 'sealed_key']

const documents = documentsOf(world.config)
const writes = documents.flatMap((document) =>
  document.operations
    .filter(({ method, body }) => method !== 'GET' && body)
    .map((operation) => ({ operation, document })),
)
const uploads = documents.flatMap(({ operations }) =>
  operations.filter(({ method, name }) => method !== 'GET' && /files$/.test(name)),
)

/** Orders ignore what they do not know, for shops send their own (D-82). */
const refusesUnknown = ({ prefix }: Operation) => prefix === '/v1'

function askerOf(operation: Operation, belongings: Belongings) {
  const { params, body = {} } = sampleOf(operation, belongings) ?? {}
  const { key, headers } = callerOf(operation, world, belongings)
  const json = { ...headers, 'content-type': 'application/json' }
  const ask = (payload: string | undefined, query = '') =>
    world.request(operation.method, `${urlOf(operation, params)}${query}`, payload, {
      key,
      headers: payload === undefined ? headers : json,
    })
  return { ask, good: body }
}

/** Members of this API's responses that this request does not have. */
function foreignMembers({ body }: Operation, { operations, resolve }: Document): string[] {
  const own = new Set(body ? Object.keys(resolve(body).properties ?? {}) : [])
  const reported = operations.flatMap(({ responses, success }) =>
    Object.values(responses[success]?.content ?? {}).flatMap(({ schema }) =>
      memberNames(schema, resolve),
    ),
  )
  return [...new Set([...reported, ...HIDDEN])].filter((name) => !own.has(name))
}

describe('response-only members are rejected, or ignored, in every write', {
  concurrency: 4,
}, () => {
  for (const { operation, document } of writes) {
    test(operation.name, async () => {
      const isRejected = refusesUnknown(operation)
      const belongings = isRejected ? shared : await belongingsFor(world, operation, shared)
      const { ask, good } = askerOf(operation, belongings)
      const names = foreignMembers(operation, document)
      assert.ok(names.length > 10)
      for (let at = 0; at < names.length; at += FAULTS_A_REQUEST) {
        const some = names.slice(at, at + FAULTS_A_REQUEST)
        const planted = Object.fromEntries(some.map((name) => [name, PLANTED]))
        const answer = await ask(JSON.stringify({ ...good, ...planted }))
        assert.ok(!answer.text.includes(PLANTED), answer.text)
        if (isRejected) assertNamed(answer, some)
        else assert.ok(answer.status < 500, answer.text)
      }
    })
  }
})

/** Every one of the members is rejected by its name. */
function assertNamed({ status, text, body }: Answer, names: readonly string[]): void {
  assert.equal(status, 400, text)
  const faults = new Set(body.errors.map(({ path }: { path: string }) => path))
  const unnamed = names.filter((name) => !faults.has(name))
  assert.deepEqual(unnamed, [])
}

describe('so it is in every object within', { concurrency: 4 }, () => {
  for (const { operation, document } of writes) {
    const objects = operation.body ? objectsOf(operation.body, document.resolve) : []
    if (objects.length === 0 || !refusesUnknown(operation)) continue
    test(operation.name, async () => {
      const { ask, good } = askerOf(operation, shared)
      for (const steps of objects) {
        const at = steps.join('.')
        const planted = await ask(withText(good, steps, `{"tenant_id":"${PLANTED}"}`))
        assert.equal(planted.status, 400, `${at}: ${planted.text}`)
        const path = `${at.replaceAll('[]', '0')}.tenant_id`
        const faults = planted.body.errors.map((fault: { path: string }) => fault.path)
        assert.ok(faults.includes(path), `${path}: ${planted.text}`)
        const polluted = await ask(withText(good, steps, '{"__proto__":{"planted":true}}'))
        assert.deepEqual([polluted.status, polluted.body.code], [400, 'body_invalid'], at)
      }
    })
  }
})

describe('prototypes cannot be written; of a duplicate member the last counts', {
  concurrency: 4,
}, () => {
  for (const { operation } of writes) {
    test(operation.name, async () => {
      const { ask, good } = askerOf(operation, await belongingsFor(world, operation, shared))
      const inner = JSON.stringify(good).slice(1, -1)
      const more = (members: string) => [inner, members].filter(Boolean).join()

      const polluted = await ask(`{${more('"__proto__":{"planted":true}')}}`)
      assert.equal(polluted.status, 400, polluted.text)
      const led = `{${more('"constructor":{"prototype":{"planted":true}}')}}`
      const wrong = Object.keys(good).map((name) => `${JSON.stringify(name)}:${NEVER_FITS}`)
      if (refusesUnknown(operation)) {
        assert.equal((await ask(led)).status, 400)
        if (wrong.length > 0) assert.equal((await ask(`{${more(wrong.join())}}`)).status, 400)
      }
      const last = await ask(`{${[...wrong, inner].filter(Boolean).join()}}`)
      assert.equal(last.status, operation.success, last.text)
    })
  }
})

describe('a duplicate query parameter is rejected', { concurrency: 4 }, () => {
  for (const operation of documents.flatMap((document) => document.operations)) {
    const names = operation.parameters.filter(({ in: where }) => where === 'query')
    if (names.length === 0) continue
    test(operation.name, async () => {
      const { ask, good } = askerOf(operation, shared)
      const payload = operation.body ? JSON.stringify(good) : undefined
      for (const { name } of names) {
        const twice = await ask(payload, `?${name}=1&${name}=1`)
        assert.equal(twice.status, 400, `${name}: ${twice.text}`)
      }
    })
  }
})

describe('response-only members are rejected beside a file', () => {
  for (const operation of uploads) {
    test(operation.name, async () => {
      const sample = sampleOf(operation, shared)
      assert.ok(sample?.form, 'it has a form')
      const url = urlOf(operation, sample.params)
      const caller = callerOf(operation, world, shared)
      const file = { name: 'file', value: pdf(), file_name: 'a.pdf' }
      for (const name of [...HIDDEN, 'document_version', 'scan_status', 'sha256', 'user_id']) {
        for (const reported of [
          { name, value: PLANTED },
          { name: 'metadata', value: JSON.stringify({ [name]: PLANTED }) },
          { name: 'metadata', value: `{"__proto__":{"${name}":"${PLANTED}"}}` },
        ]) {
          const { payload, headers } = contentOf({ form: form(reported, file) })
          const options = { ...caller, headers: { ...caller.headers, ...headers } }
          const answer = await world.request(operation.method, url, payload, options)
          assert.equal(answer.status, 400, `${name}: ${answer.text}`)
        }
      }
    })
  }
})

test('nothing of it was stored, and nothing has reached every object', async () => {
  assert.deepEqual(await tablesThatHold(world.db, PLANTED), KEPT_AS_SENT)
  assert.deepEqual(Object.keys(Object.prototype), [])
  assert.equal('planted' in {}, false)
})
