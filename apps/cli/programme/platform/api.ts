/** Requests to the issuing API: pages, waits where it asks for them, errors in words. */

import { Fault } from '../fault.ts'
import type { Answered, Members, Value } from '../kinds.ts'
import { visible } from '../words.ts'

const TIMEOUT_MS = 30_000
/** Of requests that the platform would have later (429, 503). */
const ATTEMPTS = 6
const WAIT_MAX_SECONDS = 30
const PAGE = 200

export type Reply = {
  body: Members
  /** The answer of an earlier request with the same idempotency key. */
  is_replay: boolean
  /** The platform's clock. */
  date: Date | undefined
}

type Request = { method: string; path: string; body?: Value; key?: string }

/** An answer that is an error; the message states its code and what the platform says. */
export class Refused extends Fault {
  readonly status: number

  constructor(status: number, lines: readonly string[]) {
    super(lines)
    this.status = status
  }
}

export class Api {
  readonly url: string
  readonly #key: string
  readonly #wait: (ms: number) => Promise<void>

  constructor({ url, key, wait }: { url: string; key: string; wait: Api['wait'] }) {
    this.url = url
    this.#key = key
    this.#wait = wait
  }

  wait(ms: number): Promise<void> {
    return this.#wait(ms)
  }

  async get(path: string): Promise<Members> {
    return (await this.send({ method: 'GET', path })).body
  }

  /** Objects of a list, page by page, newest first. */
  async *list(
    path: string,
    query: Readonly<Record<string, string>> = {},
  ): AsyncGenerator<Answered> {
    let after: string | undefined
    do {
      const params = new URLSearchParams({ ...query, limit: String(PAGE), ...(after && { after }) })
      const { data, has_more, after: next } = await this.get(`${path}?${params}`)
      // The contract of every list; each object has an id.
      yield* (data ?? []) as unknown as Answered[]
      after = has_more === true && typeof next === 'string' ? next : undefined
    } while (after !== undefined)
  }

  /** Throws Refused for an answer that is an error, and a Fault where there is none. */
  async send(request: Request): Promise<Reply> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.#ask(request)
      const text = await answer.text()
      const isLater = answer.status === 429 || answer.status === 503
      if (isLater && attempt < ATTEMPTS) {
        const seconds = Number(answer.headers.get('retry-after') ?? 1)
        await this.#wait(1000 * Math.min(Math.max(seconds, 1) || 1, WAIT_MAX_SECONDS))
        continue
      }
      const body = jsonOf(text)
      if (!answer.ok) throw refusal(request, answer.status, body)
      if (body === undefined) throw new Fault(`${this.url} does not answer as this API does`)
      const date = new Date(answer.headers.get('date') ?? '')
      return {
        body,
        is_replay: answer.headers.get('idempotent-replayed') === 'true',
        date: Number.isNaN(date.getTime()) ? undefined : date,
      }
    }
  }

  async #ask({ method, path, body, key }: Request): Promise<Response> {
    const headers = {
      ...{ apikey: this.#key, accept: 'application/json' },
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { 'x-bezant-idempotency-key': key }),
    }
    try {
      return await fetch(`${this.url}/v1/${path}`, {
        ...{ method, headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    } catch (error) {
      const { name, cause } = error as Error // What fetch throws.
      const { code = '' } = (cause ?? {}) as NodeJS.ErrnoException
      const reason = name === 'TimeoutError' ? `in ${TIMEOUT_MS / 1000} s` : code && `(${code})`
      throw new Fault(`${this.url} does not answer ${reason}`.trimEnd())
    }
  }
}

function jsonOf(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Members) : undefined
  } catch {
    return undefined
  }
}

function refusal({ method, path }: Request, status: number, body: Members = {}): Refused {
  const { code, detail, request_id, errors } = body
  const asked = `${method} /v1/${path.split('?')[0]}`
  if (status === 401) return new Refused(status, ['the platform does not know this API key'])
  const id = typeof request_id === 'string' ? ` (request ${request_id})` : ''
  const head = [status, code].filter((part) => part !== undefined).join(' ')
  const said = typeof detail === 'string' ? `: ${detail}` : ''
  const faults = Array.isArray(errors) ? errors : []
  return new Refused(status, [
    visible(`${asked} answered ${head}${said}${id}`),
    ...faults.map((fault: Members) => visible(`  ${fault['path']} ${fault['message']}`)),
  ])
}
