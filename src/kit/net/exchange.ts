/**
 * One outgoing request and its outcome. It hears from the HTTP client directly, which saves a
 * stream of the body and a signal to abort it: most answers have no body, and most calls end well.
 */

import type { Dispatcher } from 'undici'
import { codeOf } from '#kit/start_error.ts'

/** No more is read of an answer. */
export const ANSWER_READ_BYTES: number = 64 * 1024
const NO_BYTES = Buffer.alloc(0)

/** `body` has at most the first 64 KiB of the answer. */
export type Answered = {
  kind: 'answered'
  status: number
  body: Buffer
  retry_after: string | undefined
}
/** It is not known whether the other side processed it. `error` is a short text for people. */
export type Unanswered = { kind: 'unanswered'; error: string }
/** The program is stopping; the call counts as not made. */
export type Aborted = { kind: 'aborted' }
export type Outcome = Answered | Unanswered | Aborted

/** The address may not be called. */
export class AddressRejected extends Error {
  override name = 'AddressRejected'
}

export class Exchange implements Dispatcher.DispatchHandler {
  /** Never rejects. */
  readonly outcome: Promise<Outcome>
  #resolve: ((outcome: Outcome) => void) | undefined
  #controller: Dispatcher.DispatchController | undefined
  #status: number | undefined
  #retry_after: string | undefined
  #chunks: Buffer[] = []
  #size = 0

  constructor() {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    this.outcome = promise
    this.#resolve = resolve
  }

  /** Ends the request now. An answer whose status is known counts by it; later ends change nothing. */
  end(unanswered: Unanswered | Aborted): void {
    if (!this.#resolve) return
    this.#finish(unanswered)
    this.#controller?.abort(new Error('ended'))
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // It ended while it waited for a connection.
    if (!this.#resolve) controller.abort(new Error('ended'))
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Interim answers.
    if (status < 200) return
    this.#status = status
    const retry_after = headers['retry-after']
    if (typeof retry_after === 'string') this.#retry_after = retry_after
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#resolve) return
    this.#chunks.push(chunk)
    this.#size += chunk.length
    if (this.#size < ANSWER_READ_BYTES) return
    this.#finish()
    controller.abort(new Error('enough'))
  }

  onResponseEnd(): void {
    this.#finish()
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#finish({ kind: 'unanswered', error: errorTextOf(error) })
  }

  /** The status is known first, so an answer that breaks off does not undo it. */
  #finish(unanswered: Unanswered | Aborted = { kind: 'unanswered', error: 'not HTTP' }): void {
    this.#resolve?.(
      this.#status === undefined
        ? unanswered
        : {
            kind: 'answered',
            status: this.#status,
            body: this.#body(),
            retry_after: this.#retry_after,
          },
    )
    this.#resolve = undefined
  }

  #body(): Buffer {
    if (this.#size === 0) return NO_BYTES
    return Buffer.concat(this.#chunks).subarray(0, ANSWER_READ_BYTES)
  }
}

const errorTexts: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  UND_ERR_SOCKET: 'connection reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'name not found',
  ENODATA: 'name not found',
  EHOSTUNREACH: 'not reachable',
  ENETUNREACH: 'not reachable',
  UND_ERR_HEADERS_OVERFLOW: 'headers too large',
}

/** The error without details of this side's network. */
export function errorTextOf(error: unknown): string {
  if (error instanceof AddressRejected) return 'address refused'
  if (error instanceof AggregateError) return errorTextOf(error.errors[0])
  const code = codeOf(error) ?? ''
  if (/^HPE_/.test(code)) return 'not HTTP'
  if (/CERT|TLS|SSL|^EPROTO$/.test(code)) return 'TLS failed'
  return errorTexts[code] ?? 'call failed'
}
