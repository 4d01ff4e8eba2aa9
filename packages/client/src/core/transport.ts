/** Sends the requests of all operations: authentication, keys, time-outs and retries. */

import { type CodeOf, type ErrorClasses, errorOf } from './answers.ts'
import { ApiError, ConnectionError, TimeoutError } from './errors.ts'
import type { RequestOptions } from './group.ts'
import { newIdempotencyKey } from './keys.ts'
import { List, type Page } from './lists.ts'
import { delayOf, mayRepeat } from './retries.ts'
import { noteVersion } from './versions.ts'
import { LONGEST_TIMER_MS, unlessAborted, waitFor } from './wait.ts'

export type ClientOptions = {
  /** Address of the platform, as `https://issuer.example.com`. */
  baseUrl: string
  /** Replaces the global function. */
  fetch?: typeof globalThis.fetch | undefined
  /** Milliseconds within which each attempt must be answered; 60,000 by default. */
  timeout?: number | undefined
  /** How often a call that failed is sent again at most; 2 by default, 0 for never. */
  retries?: number | undefined
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>> | undefined
  /**
   * The header's name if the operator of the platform has renamed it (`x-acme-idempotency-key`).
   */
  idempotencyHeader?: string | undefined
}

export type Credentials = Readonly<Record<string, string>>

/** Values that differ by API, and that tests replace. */
export type Surroundings = {
  prefix: string
  idempotencyHeader: string
  errorClasses: ErrorClasses
  codeOf?: CodeOf
  /** The headers that authenticate; others than `stale`, which were answered 401. */
  credentials: (stale: Credentials | undefined) => Credentials | Promise<Credentials>
  /** Whether new credentials can be had. */
  canRenew?: boolean
  random?: () => number
  wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** The content of one operation. */
export type Call = {
  body?: unknown
  form?: object
  query?: object | undefined
  /** It takes an idempotency key. */
  keyed?: boolean
  accept?: string
  cursor?: 'body' | 'cursors'
}

const TIMEOUT_MS = 60_000
const RETRIES = 2
const UNAUTHORIZED = 401
const NO_CONTENT = 204

type Attempt = {
  url: string
  method: string
  body: string | FormData | undefined
  headers: Headers
  options: RequestOptions
}
type Reader<Result> = {
  read: (response: Response) => Promise<Result>
  /** The caller reads the body later, which the signal ends as well. */
  isRaw: boolean
}
const RAW: Reader<Response> = { read: async (response) => response, isRaw: true }

export class Transport {
  readonly #options: ClientOptions
  readonly #around: Surroundings
  readonly #base: string

  constructor(options: ClientOptions, around: Surroundings) {
    this.#options = options
    this.#around = around
    // A base that is no address fails here rather than at the first call.
    this.#base = withoutSlashes(new URL(options.baseUrl).href) + around.prefix
  }

  /** Resolves to the object of the answer; to nothing if it has none. */
  send<Result>(method: string, path: string, call: Call, options?: RequestOptions) {
    const read = async (response: Response) => {
      const text = await response.text()
      // The document says what the object is. An empty one is not whole, but for 204.
      const answer = response.status === NO_CONTENT ? undefined : JSON.parse(text)
      return noteVersion(answer as Result, response)
    }
    return this.#repeat<Result>(method, path, call, options, { read, isRaw: false })
  }

  /** Resolves to the answer itself, before its body is read. */
  raw(method: string, path: string, call: Call, options?: RequestOptions): Promise<Response> {
    return this.#repeat(method, path, call, options, RAW)
  }

  list<Item, Extras>(
    method: string,
    path: string,
    call: Call,
    options?: RequestOptions,
  ): List<Item, Extras> {
    return new List((after) =>
      this.send<Page<Item> & Extras>(
        method,
        path,
        after === undefined ? call : at(call, after),
        options,
      ),
    )
  }

  async #repeat<Result>(
    method: string,
    path: string,
    call: Call,
    options: RequestOptions = {},
    reader: Reader<Result>,
  ): Promise<Result> {
    const { retries = this.#options.retries ?? RETRIES, signal } = options
    const headers = this.#headersOf(call, options)
    const isRepeatable = method === 'GET' || call.keyed === true
    // Written once: under one key every attempt has the same body, whatever becomes of the object.
    const body = bodyOf(call)
    if (typeof body === 'string') headers.set('content-type', 'application/json')
    const attempt = { url: this.#urlOf(path, call), method, body, headers, options }
    const { credentials, canRenew, random = Math.random, wait = waitFor } = this.#around
    let stale: Credentials | undefined
    for (let [failed, hasRenewed] = [0, false]; ; ) {
      signal?.throwIfAborted()
      const given = await unlessAborted(credentials(stale), signal)
      for (const [name, value] of Object.entries(given)) headers.set(name, value)
      try {
        return await this.#once(attempt, reader)
      } catch (error) {
        if (signal?.aborted) throw signal.reason
        const isStale = canRenew === true && !hasRenewed && isUnauthorized(error)
        stale = isStale ? given : undefined
        hasRenewed ||= isStale
        if (isStale) continue
        failed += 1
        const isEndless = retries === Number.POSITIVE_INFINITY
        if (failed > retries || !mayRepeat(error, isRepeatable, isEndless)) throw error
        await wait(delayOf(failed, error, random), signal)
      }
    }
  }

  /** The same headers at each attempt, and so the same key. */
  #headersOf({ keyed, accept }: Call, options: RequestOptions): Headers {
    const { idempotencyKey, ifMatch, headers: own } = options
    const headers = new Headers(this.#options.headers)
    if (accept) headers.set('accept', accept)
    if (ifMatch !== undefined) headers.set('if-match', ifMatch)
    if (keyed) {
      const { idempotencyHeader = this.#around.idempotencyHeader } = this.#options
      headers.set(idempotencyHeader, idempotencyKey ?? newIdempotencyKey())
    }
    for (const [name, value] of Object.entries(own ?? {})) {
      if (value !== undefined) headers.set(name, value)
    }
    return headers
  }

  #urlOf(path: string, { query = {} }: Call): string {
    const url = new URL(this.#base + path)
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined && one !== null) url.searchParams.append(name, String(one))
      }
    }
    return url.href
  }

  async #once<Result>(
    { url, method, body, headers, options }: Attempt,
    { read, isRaw }: Reader<Result>,
  ): Promise<Result> {
    const { timeout = this.#options.timeout ?? TIMEOUT_MS, signal, onResponse } = options
    signal?.throwIfAborted()
    const limit = new AbortController()
    const late = new TimeoutError(`${method} ${url} was not answered in ${timeout} ms`, timeout)
    const timer = setTimeout(() => limit.abort(late), Math.min(timeout, LONGEST_TIMER_MS))
    const end = () => limit.abort(signal?.reason)
    // A signal of AbortSignal.any that is listened to is kept for as long as the signals it is of.
    if (!isRaw) signal?.addEventListener('abort', end, { once: true })
    const either = isRaw && signal ? AbortSignal.any([signal, limit.signal]) : limit.signal
    const { fetch = globalThis.fetch } = this.#options
    /** Whatever is thrown here means that no whole answer has arrived. */
    const arrived = async <Value>(awaited: () => Promise<Value>): Promise<Value> => {
      try {
        return await awaited()
      } catch (cause) {
        if (signal?.aborted) throw signal.reason
        if (limit.signal.aborted) throw late
        throw new ConnectionError(`${method} ${url} was not answered as a whole`, { cause })
      }
    }
    try {
      // A redirect would take the key to another host, and make a GET of a POST.
      const how = { method, headers, signal: either, redirect: 'manual' } as const
      const response = await arrived(() =>
        fetch(url, { ...how, ...(body !== undefined && { body }) }),
      )
      onResponse?.(response)
      if (response.ok) return await arrived(() => read(response))
      const { errorClasses, codeOf = () => undefined } = this.#around
      throw errorOf(response, await arrived(() => response.text()), errorClasses, codeOf)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    }
  }
}

const isUnauthorized = (error: unknown) =>
  error instanceof ApiError && error.status === UNAUTHORIZED

/** The call for the page after a cursor. */
function at(call: Call, after: string): Call {
  // A body of a list is an object, by the document.
  const body = call.body as object | undefined
  if (call.cursor === 'cursors') return { ...call, body: { ...body, cursors: { after } } }
  if (call.cursor === 'body') return { ...call, body: { ...body, after } }
  return { ...call, query: { ...call.query, after } }
}

function bodyOf({ body, form }: Call): string | FormData | undefined {
  if (!form) return body === undefined ? undefined : JSON.stringify(body)
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    for (const one of Array.isArray(value) && isOfFiles(value) ? value : [value]) {
      if (one !== undefined) data.append(name, one instanceof Blob ? one : textOf(one))
    }
  }
  return data
}

const isOfFiles = (values: readonly unknown[]) => values.every((value) => value instanceof Blob)
const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function withoutSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}
