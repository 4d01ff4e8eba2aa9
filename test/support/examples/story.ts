/** The requests of the examples: each operation is sent once on record, by a caller who may. */

import assert from 'node:assert/strict'
import { EVENT_STREAM } from '#kit/http/answers/event_stream.ts'
import type { OperationExample } from '#kit/http/openapi/examples.ts'
import { documentsOf, type Operation } from '#test/support/contract/operations.ts'
import {
  anonymous,
  byKey,
  bySession,
  byToken,
  type Credential,
  isOfMembers,
  urlOf,
} from '#test/support/contract/samples.ts'
import type { Form } from '#test/support/files.ts'
import { cookieOf } from '#test/support/portal/browser.ts'
import type { Answer, TestTenant, World } from '#test/support/world.ts'

export type Sent = {
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: unknown
  /** A multipart body, and how an example shows its parts. */
  form?: Form & { shown: Record<string, unknown> }
  /** The media type to ask for. */
  accept?: string
}

// biome-ignore lint/suspicious/noExplicitAny: the chapters look into answers member by member.
export type Body = any

export type Story = {
  world: World
  /** Sends a request; its example is kept. An operation has one for each media type. */
  call: (id: string, sent?: Sent) => Promise<Body>
  /** Sends a request that is no example. */
  prepare: (id: string, sent?: Sent) => Promise<Body>
  /** The same of an answer without an end: its example is the beginning, with the first event. */
  stream: (id: string, sent?: Sent) => Promise<void>
  /** From now on requests are of this tenant. */
  as: (tenant: TestTenant) => void
  /** Runs what is due for the tenant. */
  runDueJobs: () => Promise<readonly string[]>
  /** From now on requests to the merchant API carry this token. */
  shop: (token: string) => void
  recorded: Record<string, OperationExample>
}

/** Sends a request of the story, with headers of its own, as often as it likes. */
export type Sending = (
  operation: Operation,
  send: (headers?: Record<string, string>) => Promise<Answer>,
) => Promise<Answer>

export function openStory(world: World, sending: Sending = (_, send) => send()): Story {
  const operations = new Map(
    documentsOf(world.config)
      .flatMap((document) => document.operations)
      .map((operation) => [operation.id, operation]),
  )
  const recorded: Record<string, OperationExample> = {}
  let tenant = world.tenant
  let bearer = ''
  let cookie = ''

  const callerOf = ({ permission }: Operation): Credential => {
    if (permission === 'open') return anonymous
    if (permission === 'operator') return byKey(world.operator_key)
    if (isOfMembers(permission)) return bySession(world, cookie)
    if (permission !== 'merchant') return byKey(tenant.api_key)
    return byToken(bearer)
  }

  function requestOf(id: string, sent: Sent) {
    const operation = operations.get(id)
    assert.ok(operation, `no operation has the id ${id}`)
    const { params = {}, query = {}, form, accept } = sent
    const texts = Object.entries(query).map(([name, value]) => [name, String(value)])
    const url = urlOf(operation, params, Object.fromEntries(texts))
    const caller = callerOf(operation)
    const headers = { ...caller.headers, ...form?.headers, ...(accept && { accept }) }
    return { operation, url, options: { key: caller.key, headers } }
  }

  async function send(id: string, sent: Sent) {
    const { operation, url, options } = requestOf(id, sent)
    const body = sent.form?.payload ?? sent.body
    const answer = await sending(operation, (headers) =>
      world.request(operation.method, url, body, {
        ...options,
        headers: { ...options.headers, ...headers },
      }),
    )
    assert.equal(answer.status, operation.success, `${id}: ${answer.text}`)
    cookie = cookieOf(answer) ?? cookie
    return answer
  }

  /** Without a type the answer has no body. */
  function record(id: string, sent: Sent, type: string | undefined, response: unknown): void {
    const known = recorded[id]
    const isKnown = type === undefined ? known : known?.response[type]
    assert.ok(isKnown === undefined, `${id} has an example already`)
    const request = sent.form?.shown ?? sent.body
    recorded[id] = {
      ...(sent.params && { params: sent.params }),
      ...(sent.query && { query: sent.query }),
      ...(request !== undefined && { request }),
      ...known,
      response: { ...known?.response, ...(type !== undefined && { [type]: response }) },
    }
  }

  return {
    world,
    recorded,
    as: (next) => {
      tenant = next
    },
    runDueJobs: () => world.sweeper.runDueJobs(tenant.id),
    shop: (token) => {
      bearer = token
    },
    prepare: async (id, sent = {}) => (await send(id, sent)).body,
    async call(id, sent = {}) {
      const { text, body, headers } = await send(id, sent)
      const type = String(headers['content-type']).split(';')[0] ?? ''
      record(id, sent, text === '' ? undefined : type, body ?? text)
      return body
    },
    async stream(id, sent = {}) {
      const { url, options } = requestOf(id, { ...sent, accept: EVENT_STREAM })
      const { key, headers } = options
      const base = await world.app.listen({ host: '127.0.0.1', port: 0 })
      const answer = await fetch(`${base}${url}`, { headers: { ...headers, apikey: key ?? '' } })
      record(id, sent, EVENT_STREAM, await firstEventOf(answer))
    },
  }
}

/** The text that a stream sends to the end of its first event; then it is left. */
async function firstEventOf({ body }: Response): Promise<string> {
  let text = ''
  for await (const part of body ?? []) {
    text += Buffer.from(part).toString()
    const [first] = /^[\s\S]*?\ndata: .*\n\n/.exec(text) ?? []
    if (first !== undefined) return first
  }
  throw new Error(`no event came: ${text}`)
}
