/** Onfido's API on loopback: every call of it succeeds, and a test may answer another way. */

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export const API_TOKEN = 'api_sandbox.a-token'
export const WEBHOOK_TOKEN = 'webhook-token'
/** The id of every check. */
export const CHECK = '0190d5a0-0000-7000-8000-000000000001'

// biome-ignore lint/suspicious/noExplicitAny: requests are inspected member by member.
type Call = { what: string; body: any; authorization: string | undefined }
type Answers = Record<string, (request: Call) => [status: number, body: object]>

export type TestOnfido = {
  /** The settings of a program that uses it. */
  env: Record<string, string>
  calls: Call[]
  checks: { id: string; status: string; tags: string[] }[]
  /** Answers by method and path, `GET /checks/{id}`. Others are 404. */
  answers: Answers
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
    answers: {},
    reset() {
      onfido.calls = []
      onfido.checks = []
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

const successes = (onfido: TestOnfido): Answers => ({
  'POST /applicants': () => [201, { id: 'applicant-1', first_name: 'Ann' }],
  'PUT /applicants/applicant-1': () => [200, { id: 'applicant-1', first_name: 'Ann' }],
  'POST /sdk_token': () => [200, { token: 'onfido.sdk.token' }],
  'GET /documents': () => [200, { documents: [] }],
  'POST /documents': ({ body }) => [201, { id: 'document-1', file_name: body.file.name }],
  'GET /checks': () => [200, { checks: onfido.checks }],
  'POST /checks': ({ body }) => {
    onfido.checks = [{ id: CHECK, status: 'in_progress', tags: body.tags }]
    return [201, onfido.checks[0] ?? {}]
  },
  'GET /checks/{id}': () => [200, { ...onfido.checks[0], status: 'complete' }],
  'GET /reports': () => [200, reports({ result: 'clear', sub_result: 'clear' })],
})

/** The reports of a check; `document` are members of that on the document. */
const reports = (document: object) => ({
  reports: [
    { name: 'document', properties: { issuing_country: 'ARE' }, ...document },
    { name: 'facial_similarity_video', result: 'clear' },
  ],
})

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
  { calls, answers }: TestOnfido,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
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
