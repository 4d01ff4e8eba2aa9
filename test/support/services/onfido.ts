/** Onfido's API on loopback: every call of it succeeds, and a test may answer another way. */

import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json, type Misbehaviour } from './misbehaviours.ts'

export const API_TOKEN = 'api_sandbox.a-token'
export const WEBHOOK_TOKEN = 'webhook-token'
/** The id of the first check. */
export const CHECK = '0190d5a0-0000-7000-8000-000000000001'

// biome-ignore lint/suspicious/noExplicitAny: requests are inspected member by member.
type Call = { what: string; body: any; authorization: string | undefined; query: URLSearchParams }
type Check = {
  id: string
  status: string
  tags: string[]
  applicant_id?: string
  report_names?: string[]
}
type Answered = [status: number, body: object]
type Answers = Record<string, (request: Call) => Answered | Promise<Answered>>

export type TestOnfido = {
  /** The settings of a program that uses it. */
  env: Record<string, string>
  calls: Call[]
  checks: Check[]
  /** The last names of applicants, by their ids. */
  applicants: Map<string, string>
  /** The records of a watchlist by the last name of an applicant, in lower case. */
  listed: Record<string, object[]>
  /** Answers by method and path, `GET /checks/{id}`. Others are 404. */
  answers: Answers
  /** In place of each answer. */
  misbehaves: Misbehaviour | undefined
  /** Forgets what it was sent, and answers as at first. */
  reset: () => void
  close: () => Promise<void>
}

export async function openOnfido(): Promise<TestOnfido> {
  const server = createServer((request, response) => void answer(onfido, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const onfido: TestOnfido = {
    env: {
      ONFIDO_API_TOKEN: API_TOKEN,
      ONFIDO_WEBHOOK_TOKEN: WEBHOOK_TOKEN,
      ONFIDO_BASE_URL: `http://127.0.0.1:${address.port}/v3.6`,
    },
    calls: [],
    checks: [],
    applicants: new Map(),
    listed: {},
    answers: {},
    misbehaves: undefined,
    reset() {
      onfido.misbehaves = undefined
      onfido.calls = []
      onfido.checks = []
      onfido.applicants = new Map()
      onfido.listed = { listed: [listedRecord] }
      onfido.answers = successes(onfido)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  onfido.reset()
  return onfido
}

/** A record as the reports of the variants but the enhanced one have it. */
const listedRecord = {
  id: 'N4EN9',
  name: 'Ann LISTED',
  entity_fields_dob: '1962-11-23',
  match_types: ['name_exact', 'year_of_birth'],
  types: ['sanction'],
  sources: ['OFAC SDN List'],
}

const successes = (onfido: TestOnfido): Answers => ({
  'POST /applicants': ({ body }) => {
    const id = `applicant-${onfido.applicants.size + 1}`
    onfido.applicants.set(id, body.last_name)
    return [201, { id, first_name: 'Ann' }]
  },
  'PUT /applicants/applicant-1': () => [200, { id: 'applicant-1', first_name: 'Ann' }],
  'POST /sdk_token': () => [200, { token: 'onfido.sdk.token' }],
  'GET /documents': () => [200, { documents: [] }],
  'POST /documents': ({ body }) => [201, { id: 'document-1', file_name: body.file.name }],
  'GET /checks': ({ query }) => {
    const of = query.get('applicant_id')
    return [200, { checks: onfido.checks.filter(({ applicant_id = of }) => applicant_id === of) }]
  },
  'POST /checks': ({ body: { tags, applicant_id, report_names } }) => {
    const id = onfido.checks.length === 0 ? CHECK : randomUUID()
    const check = { id, status: 'in_progress', tags, applicant_id, report_names }
    onfido.checks.push(check)
    return [201, check]
  },
  'GET /checks/{id}': ({ query }) => [200, { ...checkOf(onfido, query), status: 'complete' }],
  'GET /reports': ({ query }) => [200, { reports: reportsOf(onfido, checkOf(onfido, query)) }],
})

const checkOf = ({ checks }: TestOnfido, query: URLSearchParams): Check | undefined =>
  checks.find(({ id }) => id === query.get('check_id')) ?? checks[0]

function reportsOf({ applicants, listed }: TestOnfido, check: Check | undefined): object[] {
  const { report_names = ['document', 'facial_similarity_video'], applicant_id = '' } = check ?? {}
  const records = listed[applicants.get(applicant_id)?.toLowerCase() ?? ''] ?? []
  const result = records.length > 0 ? 'consider' : 'clear'
  const breakdown = { sanction: { result }, politically_exposed_person: { result: 'clear' } }
  return report_names.map((name) =>
    name.startsWith('watchlist')
      ? { name, status: 'complete', result, breakdown, properties: { records } }
      : { name, result: 'clear', ...(name === 'document' && document) },
  )
}

const document = { sub_result: 'clear', properties: { issuing_country: 'ARE' } }

/** A notification as Onfido signs it: the body and its headers. */
export function signed(event: object, secret = WEBHOOK_TOKEN) {
  const payload = JSON.stringify({ payload: event })
  const signature = createHmac('sha256', secret).update(payload).digest('hex')
  return {
    headers: { 'content-type': 'application/json', 'x-sha2-signature': signature },
    payload,
  }
}

async function answer(
  onfido: TestOnfido,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  response.on('error', () => {})
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://onfido')
  const [id] = /[0-9a-f-]{36}/.exec(pathname) ?? []
  if (id) query.set('check_id', id)
  const path = pathname.replace('/v3.6', '').replace(id ?? '', id ? '{id}' : '')
  const what = `${request.method} ${path}`
  const { authorization, 'content-type': type = '' } = request.headers
  const sent = await bodyOf(Buffer.concat(chunks), type)
  const reported = { what, body: sent, authorization, query }
  onfido.calls.push(reported)
  const { answers } = onfido
  const answering = answers[what] ?? answers[what.replace(/applicant-\d+$/, 'applicant-1')]
  const found = (await answering?.(reported)) ?? [404, { error: { type: 'not_found' } }]
  const [status, body] = found
  if (onfido.misbehaves) onfido.misbehaves(response, () => body)
  else response.writeHead(status, json).end(JSON.stringify(body))
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
