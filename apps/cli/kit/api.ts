/**
 * Requests to the APIs of a platform by their paths, with the core of the client library: it waits
 * where it is asked to, repeats what is safe and says what is not known (D-849).
 */

import { type Credentials, type Surroundings, Transport } from '#client/core/transport.ts'
import { errorClasses } from '#client/generated/errors.ts'
import { api as issuing } from '#client/generated/issuing/api.ts'
import { ApiError, BezantError } from '#client/index.ts'
import { Fault, linesOf } from './faults.ts'
import { isMembers, type Members, type Value, valueIn } from './values.ts'

export type Ask = {
  method: string
  /** The path behind the prefix of the API. */
  path: string
  query?: Readonly<Record<string, unknown>> | undefined
  body?: unknown
  /** Idempotency key: with it a request whose answer is lost is sent again. */
  key?: string | undefined
  accept?: string | undefined
  /** Credentials in place of those of the Api. */
  credentials?: Credentials | undefined
  signal?: AbortSignal | undefined
}

/** An answer of the API; `body` is its JSON, and undefined if it is none. */
export type Answer = {
  status: number
  headers: Headers
  /** The bytes as they were sent: a file is no text. */
  bytes: Uint8Array
  text: string
  body: unknown
}

export type ApiOptions = {
  url: string
  /** The prefix of each path, such as /v1; none if paths have it themselves. */
  prefix?: string
  credentials?: Credentials
  idempotency_header?: string
  /** The code of errors that state none. */
  code_of?: Surroundings['codeOf']
  /** How often a request is sent again at most; 2 by default. */
  retries?: number
  timeout_ms?: number
  wait?: Surroundings['wait']
}

/** A request that failed. It has the answer where there is one. */
export class RequestFault extends Fault {
  readonly status: number | undefined
  readonly code: string | undefined
  readonly answer: Answer | undefined

  constructor(error: BezantError, asked: { method: string; path: string }, answer?: Answer) {
    super(linesOf(error, asked), { cause: error })
    this.status = error instanceof ApiError ? error.status : undefined
    this.code = error instanceof ApiError ? error.code : undefined
    this.answer = answer
  }
}

const PAGE = 200

export class Api {
  readonly url: string
  readonly #prefix: string
  readonly #options: ApiOptions

  constructor(options: ApiOptions) {
    this.url = options.url.replace(/(?<!\/)\/+$/, '')
    this.#prefix = options.prefix ?? ''
    this.#options = options
  }

  /** An answer of 200 to 299. Throws RequestFault otherwise. */
  async send(ask: Ask): Promise<Answer> {
    const { method, path, key, signal } = ask
    let answer: Answer | undefined
    const transport = this.#transport(ask.credentials, (found) => {
      answer = found
    })
    const call = {
      query: ask.query,
      keyed: key !== undefined,
      ...(ask.body !== undefined && { body: ask.body }),
      ...(ask.accept !== undefined && { accept: ask.accept }),
    }
    try {
      const response = await transport.raw(method, path, call, { signal, idempotencyKey: key })
      return answer ?? (await answerOf(response))
    } catch (error) {
      if (!(error instanceof BezantError)) throw error
      const own = error instanceof ApiError ? answer : undefined
      throw new RequestFault(error, { method, path: this.#prefix + path }, own)
    }
  }

  /** Any answer, whatever its status. Throws RequestFault if there is none. */
  async exchange(ask: Ask): Promise<Answer> {
    try {
      return await this.send(ask)
    } catch (error) {
      if (error instanceof RequestFault && error.answer) return error.answer
      throw error
    }
  }

  /** The same where the answer has to be an object. */
  async object(ask: Ask): Promise<Answer & { body: Members }> {
    const answer = await this.send(ask)
    const body = answer.body as Value | undefined // JSON, as it was parsed.
    if (isMembers(body)) return { ...answer, body }
    throw new Fault(`${this.url} does not answer as this API does`)
  }

  async get(path: string, query?: Ask['query']): Promise<Members> {
    return (await this.object({ method: 'GET', path, query })).body
  }

  /** Objects of a list, page by page, newest first. */
  async *list(path: string, query: Ask['query'] = {}): AsyncGenerator<Members & { id: string }> {
    let after: string | undefined
    do {
      const page = await this.get(path, { ...query, limit: PAGE, after })
      // The contract of every list; each object has an id.
      yield* (page['data'] ?? []) as unknown as (Members & { id: string })[]
      const { has_more, after: next } = page
      after = has_more === true && typeof next === 'string' ? next : undefined
    } while (after !== undefined)
  }

  #transport(credentials: Credentials | undefined, onAnswer: (answer: Answer) => void): Transport {
    const { retries, timeout_ms, wait, idempotency_header, code_of } = this.#options
    const own = credentials ?? this.#options.credentials ?? {}
    const options = {
      baseUrl: this.url,
      headers: { 'user-agent': 'bezant-cli' },
      retries,
      timeout: timeout_ms,
      fetch: async (input: string | URL | Request, init?: RequestInit) => {
        const response = await fetch(input, init)
        onAnswer(await answerOf(response.clone()))
        return response
      },
    }
    return new Transport(options, {
      prefix: this.#prefix,
      errorClasses,
      credentials: () => own,
      idempotencyHeader: idempotency_header ?? issuing.idempotencyHeader,
      ...(wait && { wait }),
      ...(code_of && { codeOf: code_of }),
    })
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response
  const bytes = new Uint8Array(await response.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  return { status, headers, bytes, text, body: valueIn(text) }
}
