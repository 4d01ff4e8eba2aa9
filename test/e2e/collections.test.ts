/** The requests of the collection against the program, with the keys that its start writes. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { SandboxFile } from '#sandbox/seed/file.ts'
import { openPostman, postmanFiles } from '#test/support/collections/postman.ts'
import {
  type CollectionCall,
  isStep,
  type Jar,
  type OpenedCollection,
  type Reply,
  send,
  type Variables,
} from '#test/support/collections/send.ts'
import { dataFolder, type Launched, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'

let database: TestDatabase
let program: Launched
let sandbox: SandboxFile
before(async () => {
  database = await createTestDatabase()
  const DATA_DIR = dataFolder()
  program = launch({ DATA_DIR, DATABASE_URL: database.url })
  await program.ready
  sandbox = sandboxIn(DATA_DIR)
})
after(async () => {
  program.kill('SIGTERM')
  await program.ended
  await database.drop()
})

/** Variables as a reader sets them up: those of the file, with the keys of sandbox.json. */
function variablesOf({ variables, environment, secrets }: OpenedCollection): Variables {
  const { base_url, operator_key, tenant, merchant } = sandbox
  const { public_key, private_key } = merchant
  const keys = { api_key: tenant.api_key, operator_key, public_key, private_key }
  assert.deepEqual(Object.keys(keys), secrets)
  return new Map([...variables, ...environment, ...Object.entries({ ...keys, base_url })])
}

/** Sends them one after the other, as a runner does; `failed` are expectations of the file. */
async function sendAll(calls: readonly CollectionCall[], variables: Variables) {
  const [jar, replies, failed]: [Jar, Sent[], string[]] = [{}, [], []]
  for (const call of calls) {
    const reply = await send(call.outgoing(filled(call, variables)), jar)
    replies.push({ ...reply, call })
    failed.push(...call.afterwards(reply, variables).map((text) => `${call.name}: ${text}`))
  }
  return { replies, failed }
}

type Sent = Reply & { call: CollectionCall }

/**
 * The variables of a request. One that no earlier request has set is an id of nothing, so that the
 * route is reached.
 */
function filled(call: CollectionCall, variables: Variables): Variables {
  if (isStep(call)) return variables
  return new Map(
    [...variables].map(([name, value]) => [name, value || NOTHING[name] || randomUUID()]),
  )
}
const NOTHING: Readonly<Record<string, string>> = { one_time_code: '000000' }

test('Getting started runs in order in a fresh sandbox', async () => {
  const collection = openPostman()
  const variables = variablesOf(collection)
  const steps = collection.calls.filter(isStep)
  const { replies, failed } = await sendAll(steps, variables)
  assert.deepEqual(failed, [])
  assert.deepEqual(
    replies.filter(({ status }) => status !== 200),
    [],
  )
  const kept = ['user_id', 'kyc_request_id', 'card_id', 'account_id', 'transaction_id']
  assert.deepEqual(
    kept.filter((name) => variables.get(name) === collection.variables.get(name)),
    [],
  )
})

test('the program serves the collection and its environment as files', async () => {
  const files = ['/docs/collections', '/docs/collections/environment'].map(async (path) => {
    const answer = await fetch(`${sandbox.base_url}${path}`)
    assert.match(
      answer.headers.get('content-disposition') ?? '',
      /^attachment; filename="\w+\.postman/,
    )
    return answer.text()
  })
  const [collection, environment] = await Promise.all(files)
  const expected = postmanFiles(sandbox.base_url)
  assert.deepEqual([collection, environment], expected)
})

test('every request reaches its operation with a body that is accepted', async () => {
  const { calls, ...collection } = openPostman()
  const variables = variablesOf({ calls, ...collection })
  await sendAll(calls.filter(isStep), variables)
  // A transfer needs a second account; the requests below make one.
  variables.set('recipient_account_id', variables.get('account_id') ?? '')
  // Calls that suspend or delete come last, since the others need the objects.
  const ordered = calls.filter((call) => !isStep(call)).toSorted((a, b) => endOf(a) - endOf(b))
  const again = calls.filter(({ operation }) => operation === SIGN_IN)
  const { replies } = await sendAll(
    [...ordered.slice(0, -1), ...again, ...ordered.slice(-1)],
    variables,
  )
  const refused = replies.filter(
    ({ status, body }) =>
      status >= 500 ||
      (REFUSED.includes(status) && !ACCEPTED.includes(codeOf(body)) && !namesNothing(body)),
  )
  assert.deepEqual(
    refused.map(({ call, body }) => [call.operation, body]),
    [],
  )
  // A path that no route has is not found, also without a key; a route asks for the key first.
  for (const { call, status } of replies) {
    if (status !== 404) continue
    const { headers, ...outgoing } = call.outgoing(filled(call, variables))
    const { apikey, authorization, ...others } = headers
    const { status: without } = await send({ ...outgoing, headers: others }, {})
    assert.equal(without, 401, call.operation)
  }
  const succeeded = replies.filter(({ status }) => status < 300)
  assert.ok(succeeded.length > replies.length * SUCCEEDING, `${succeeded.length} succeeded`)
})

/**
 * Statuses of a request that the operation does not take, or of one with a key that it does not
 * take.
 */
const REFUSED = [400, 401, 403, 405, 415, 429]
/** Faults of values that only a mail, an authenticator, a passkey or a PIN of the card has. */
const ACCEPTED = [
  'token_invalid',
  'code_wrong',
  'passkey_invalid',
  'pin_block_refused',
  'credentials_wrong',
]
/** The others name what no request of the API makes, as an order paid in a browser, or its dispute. */
const SUCCEEDING = 7 / 10

const codeOf = (body: unknown): string =>
  body !== null && typeof body === 'object' && 'code' in body ? String(body.code) : ''

/** As 404 of a path: a member names an object that no request has made. */
const namesNothing = (body: unknown): boolean => {
  const { errors } = Object(body)
  return Array.isArray(errors) && errors.every(({ message }) => /^names no /.test(message))
}

const SIGN_IN = 'POST /portal/v1/sessions'

/** Ending the listed session ends the client's own, so that it signs in again to sign out. */
function endOf({ operation }: CollectionCall): number {
  if (operation === 'DELETE /portal/v1/session') return 4
  if (operation === 'DELETE /portal/v1/sessions/{}') return 3
  if (operation.startsWith('DELETE')) return 2
  return /:(statuschange|changeStatus)$/.test(operation) ? 1 : 0
}
