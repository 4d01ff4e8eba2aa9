/** The contract with Onfido's API, against a stub of it on loopback. */

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { bmp, type FormPart, form, jpeg, pdf, png } from '#test/support/files.ts'
import { people } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const TOKEN = 'api_sandbox.a-token'
const WEBHOOK_TOKEN = 'webhook-token'

// biome-ignore lint/suspicious/noExplicitAny: requests are inspected member by member.
type Call = { what: string; body: any; authorization: string | undefined }
type Check = { id: string; status: string; tags: string[] }

const calls: Call[] = []
let answers: Record<string, (request: Call) => [status: number, body: object]> = {}
let checks: Check[] = []

const stub = createServer((request, response) => void answer(request, response))
await new Promise<void>((listening) => stub.listen(0, '127.0.0.1', listening))
const { port } = stub.address() as AddressInfo

const world = await openWorld({
  env: {
    ONFIDO_API_TOKEN: TOKEN,
    ONFIDO_WEBHOOK_TOKEN: WEBHOOK_TOKEN,
    ONFIDO_BASE_URL: `http://127.0.0.1:${port}/v3.6`,
  },
})
world.sweeper.start()
after(async () => {
  await world[Symbol.asyncDispose]()
  stub.close()
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const [path = ''] = (request.url ?? '').replace('/v3.6', '').split('?')
  const what = `${request.method} ${path.replace(/[0-9a-f-]{36}/, '{id}')}`
  const { authorization, 'content-type': type = '' } = request.headers
  const reported = { what, body: await bodyOf(Buffer.concat(chunks), type), authorization }
  calls.push(reported)
  const [status, body] = answers[what]?.(reported) ?? [404, { error: { type: 'not_found' } }]
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** JSON, or the fields of a form with its file as `{name, type, bytes}`. */
async function bodyOf(bytes: Buffer, type: string): Promise<unknown> {
  if (bytes.length === 0) return undefined
  if (!type.startsWith('multipart/form-data')) return JSON.parse(bytes.toString())
  const form = new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
  const fields = [...(await form.formData())].map(async ([name, value]) => {
    if (typeof value === 'string') return [name, value]
    const file = { name: value.name, type: value.type, bytes: Buffer.from(await value.bytes()) }
    return [name, file]
  })
  return Object.fromEntries(await Promise.all(fields))
}

const CHECK = '0190d5a0-0000-7000-8000-000000000001'
const report = (properties: object) => ({
  reports: [
    { name: 'document', properties: { issuing_country: 'ARE' }, ...properties },
    { name: 'facial_similarity_video', result: 'clear' },
  ],
})

beforeEach(() => {
  calls.length = 0
  checks = []
  answers = {
    'POST /applicants': () => [201, { id: 'applicant-1', first_name: 'Ann' }],
    'PUT /applicants/applicant-1': () => [200, { id: 'applicant-1', first_name: 'Ann' }],
    'POST /sdk_token': () => [200, { token: 'onfido.sdk.token' }],
    'GET /documents': () => [200, { documents: [] }],
    'POST /documents': ({ body }) => [201, { id: 'document-1', file_name: body.file.name }],
    'GET /checks': () => [200, { checks }],
    'POST /checks': ({ body }) => {
      checks = [{ id: CHECK, status: 'in_progress', tags: body.tags }]
      return [201, checks[0] ?? {}]
    },
    'GET /checks/{id}': () => [200, { ...checks[0], status: 'complete' }],
    'GET /reports': () => [200, report({ result: 'clear', sub_result: 'clear' })],
  }
})

const tenantUnderIdv = async () =>
  people(
    world,
    await world.otherTenant({
      require_document_verification: true,
      privacy_notices_read_consent_given: true,
    }),
  )

async function until<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
  const end = Date.now() + 15_000
  while (Date.now() < end) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    await new Promise((resume) => setTimeout(resume, 25))
  }
  throw new Error(`not within 15 s: ${what}`)
}

const sentToken = (they: ReturnType<typeof people>, id: string) =>
  until('a token', async () => {
    const reported = await they.events(id, 'IDENTITY_VERIFICATION')
    return reported.find(({ sdk_token }) => sdk_token !== undefined)
  })

const inState = (they: ReturnType<typeof people>, id: string, state: string) =>
  until(state, async () => (await they.state(id)) === state || undefined)

const sendEvent = (event: object, secret = WEBHOOK_TOKEN) => {
  const payload = JSON.stringify({ payload: event })
  return world.app.inject({
    method: 'POST',
    url: '/identity/onfido/webhook',
    headers: {
      'content-type': 'application/json',
      'x-sha2-signature': createHmac('sha256', secret).update(payload).digest('hex'),
    },
    payload,
  })
}

const done = { resource_type: 'check', action: 'check.completed', object: { id: CHECK } }

test('an applicant, a token, a check and its report: the user passes', async () => {
  const they = await tenantUnderIdv()
  const { id } = await they.create({ first_name: 'Ann', last_name: 'Lee', email: 'ann@lee.ae' })
  const reported = await sentToken(they, id)
  assert.equal(reported.sdk_token, 'onfido.sdk.token')
  assert.equal(reported.applicant_id, 'applicant-1')
  const [applicant, token] = calls
  assert.equal(applicant?.what, 'POST /applicants')
  assert.equal(applicant?.authorization, `Token token=${TOKEN}`)
  assert.deepEqual(applicant?.body, {
    first_name: 'Ann',
    last_name: 'Lee',
    email: 'ann@lee.ae',
    consents: [{ name: 'privacy_notices_read', granted: true }],
  })
  assert.deepEqual(token?.body, { applicant_id: 'applicant-1', referrer: '*://*/*' })

  assert.equal(await they.change(id, 'PENDINGIDVERIFICATION', 'B0'), 200)
  await until('a check', async () => checks[0])
  const started = calls.find(({ what }) => what === 'POST /checks')
  assert.deepEqual(started?.body.report_names, ['document', 'facial_similarity_video'])
  assert.equal(started?.body.privacy_notices_read_consent_given, true)

  await until('the webhook finds the check', async () => {
    assert.equal((await sendEvent(done)).statusCode, 200)
    return (await they.state(id)) === 'ACTIVE/A0' || undefined
  })
})

/** Uploads a file to an identification of the user and answers its id. */
async function store(
  they: ReturnType<typeof people>,
  id: string,
  document: string,
  shown: FormPart,
) {
  const { id: identification } = await they.addIdentification(id, { type: document })
  const path = `/v1/users/${id}/identifications/${identification}/files`
  const type = `${document}${document === 'PASSPORT' ? '_PAGE1' : document === 'VISA' ? '' : '_BACK'}`
  const field = document === 'ADDITIONAL' ? 'NOT APPLICABLE' : type
  const { headers, payload } = form({ name: 'identification_document_type', value: field }, shown)
  const key = they.tenant.api_key
  const answer = await world.request('PUT', path, payload, { key, headers })
  assert.equal(answer.status, 200, answer.text)
  return String(answer.body.id)
}
const shown = (value: Buffer, file_name: string) => ({ name: 'file', value, file_name })

test('B0 uploads the stored identity documents, each once and nothing else', async () => {
  const they = await tenantUnderIdv()
  const { id } = await they.create()
  await sentToken(they, id)
  await store(they, id, 'PASSPORT', shown(pdf('an older scan'), 'old.pdf'))
  const passport = await store(they, id, 'PASSPORT', shown(pdf('a scan'), 'mine.pdf'))
  const national = await store(they, id, 'NATIONAL_ID', shown(png(), 'mine.png'))
  const visa = await store(they, id, 'VISA', shown(jpeg(), 'mine.jpg'))
  await store(they, id, 'ADDITIONAL', shown(pdf(), 'letter.pdf'))
  answers['GET /documents'] = () => [200, { documents: [{ id: 'd', file_name: `${visa}.jpg` }] }]

  assert.equal(await they.change(id, 'PENDINGIDVERIFICATION', 'B0'), 200)
  await until('a check', async () => checks[0])
  const uploaded = calls.filter(({ what }) => what === 'POST /documents').map(({ body }) => body)
  assert.deepEqual(
    uploaded.map(({ file, ...fields }) => [fields, file.name, file.bytes]),
    [
      [
        { type: 'national_identity_card', side: 'back', applicant_id: 'applicant-1' },
        `${national}.png`,
        png(),
      ],
      [{ type: 'passport', applicant_id: 'applicant-1' }, `${passport}.pdf`, pdf('a scan')],
    ],
  )
  const order = calls.map(({ what }) => what)
  assert.ok(order.indexOf('POST /documents') < order.indexOf('POST /checks'))
})

test('a document that Onfido rejects, or does not accept, is skipped', async () => {
  answers['POST /documents'] = () => [422, { error: { type: 'validation_error' } }]
  const they = await tenantUnderIdv()
  const { id } = await they.create()
  await sentToken(they, id)
  await store(they, id, 'PASSPORT', shown(pdf(), 'mine.pdf'))
  await store(they, id, 'VISA', shown(bmp(), 'mine.bmp'))
  assert.equal(await they.change(id, 'PENDINGIDVERIFICATION', 'B0'), 200)
  await until('a check', async () => checks[0])
  assert.equal(calls.filter(({ what }) => what === 'POST /documents').length, 1)
})

test('a corrected name is sent before the next check', async () => {
  const they = await tenantUnderIdv()
  const { id } = await they.create({ first_name: 'Ann', last_name: 'Le' })
  await sentToken(they, id)
  const corrected = await they.ask('PUT', `/v1/users/${id}`, { last_name: 'Lee' })
  assert.equal(corrected.status, 200)
  await they.change(id, 'PENDINGIDVERIFICATION', 'B0')
  await until('a check', async () => checks[0])
  const reported = calls.find(({ what }) => what === 'PUT /applicants/applicant-1')
  assert.equal(reported?.body.last_name, 'Lee')
  assert.equal(calls.filter(({ what }) => what === 'POST /applicants').length, 1)
})

test('nothing to be checked: another document is requested', async () => {
  answers['POST /checks'] = () => [422, { error: { type: 'validation_error' } }]
  const they = await tenantUnderIdv()
  const { id } = await they.create()
  await sentToken(they, id)
  await they.change(id, 'PENDINGIDVERIFICATION', 'B0')
  await inState(they, id, 'PENDINGIDVERIFICATION/B5')
})

test('a start that is repeated finds the check it made before', async () => {
  let starts = 0
  answers['POST /checks'] = ({ body }) => {
    starts += 1
    checks = [{ id: CHECK, status: 'in_progress', tags: body.tags }]
    // It was made, but the answer is lost.
    return [500, {}]
  }
  const they = await tenantUnderIdv()
  const { id } = await they.create()
  await sentToken(they, id)
  await they.change(id, 'PENDINGIDVERIFICATION', 'B0')
  await until('the first start', async () => starts === 1 || undefined)
  await until('the check is found', async () => {
    await they.advance('PT10S')
    const rows = await world.db
      .selectFrom('identity_checks')
      .select(['status', 'check_id'])
      .where('user_id', '=', id)
      .execute()
    return rows.find(({ status }) => status === 'RUNNING')
  })
  assert.equal(starts, 1)
  await inState(they, id, 'PENDINGIDVERIFICATION/B0')
})

test('an event that Onfido did not sign is rejected and causes no call', async () => {
  assert.equal((await sendEvent(done, 'another secret')).statusCode, 403)
  const plain = await world.app.inject({
    method: 'POST',
    url: '/identity/onfido/webhook',
    headers: { 'content-type': 'application/json', 'x-sha2-signature': 'short' },
    payload: '{}',
  })
  assert.equal(plain.statusCode, 403)
  assert.deepEqual(calls, [])
})

test('an event about a check that is not known, or about something else, is accepted', async () => {
  const unknown = { ...done, object: { id: 'someone else’s' } }
  assert.equal((await sendEvent(unknown)).statusCode, 200)
  assert.equal(
    (await sendEvent({ resource_type: 'workflow_run', object: { id: 'x' } })).statusCode,
    200,
  )
})

test('the API token never comes into the log, also when Onfido fails', async () => {
  answers['POST /applicants'] = () => [401, { error: { type: 'authorization_error' } }]
  const they = await tenantUnderIdv()
  await they.create()
  await until('a failure', async () =>
    world.logged.find((line) => line.includes('Onfido answered 401')),
  )
  assert.ok(!world.logged.some((line) => line.includes(TOKEN)))
})
