/** Calls of the program's APIs. */

import { StepFault } from '../run/step_fault.ts'

// biome-ignore lint/suspicious/noExplicitAny: a scenario names the members of answers by itself.
export type Body = any
export type Answer = { status: number; body: Body }
export type Headers = Readonly<Record<string, string>>

const PATIENCE_MS = 60_000

export class Api {
  readonly base_url: string

  constructor(base_url: string) {
    this.base_url = base_url.replace(/\/+$/, '')
  }

  /** `path` begins with that of the API. Throws StepFault where the program does not answer. */
  async call(
    method: string,
    path: string,
    headers: Headers,
    body?: unknown,
    signal: AbortSignal = AbortSignal.timeout(PATIENCE_MS),
  ): Promise<Answer> {
    const sent = body !== undefined && {
      body: JSON.stringify(body),
      headers: { ...headers, 'content-type': 'application/json' },
    }
    try {
      const reply = await fetch(this.base_url + path, { method, headers, signal, ...sent })
      return { status: reply.status, body: parsed(await reply.text()) }
    } catch (error) {
      const { message, cause } = error instanceof Error ? error : new Error(String(error))
      const reason = cause instanceof Error ? cause.message : message
      throw new StepFault([], `${method} ${path} got no answer: ${reason}`)
    }
  }

  /** The body of an answer of 200 to 299. Throws StepFault otherwise. */
  async made(method: string, path: string, headers: Headers, body?: unknown): Promise<Body> {
    const answer = await this.call(method, path, headers, body)
    if (!isSuccess(answer.status)) throw new StepFault([], problemOf(method, path, answer))
    return answer.body
  }
}

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** An answer that is no success, in words. */
export function problemOf(method: string, path: string, { status, body }: Answer): string {
  const { detail, errors } = Object(body)
  const faults = Array.isArray(errors)
    ? errors.map((fault) => `${Object(fault).path} ${Object(fault).message}`)
    : []
  const reason = typeof detail === 'string' ? `: ${detail}` : ''
  return [`${method} ${path} answered ${status}${reason}`, ...faults].join('; ')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
