/** Calls of a scenario: an error of the API is an answer too, since it may be what is expected. */

import type { Credentials } from '#client/core/transport.ts'
import { type Api, RequestFault } from '../../kit/api.ts'

// biome-ignore lint/suspicious/noExplicitAny: a scenario names the members of answers by itself.
export type Body = any
/** `problem` says in words why it is no success; undefined if it is one. */
export type Answer = { status: number; body: Body; problem?: string }

export type Call = {
  method: string
  /** Begins with that of the API. */
  path: string
  credentials: Credentials
  body?: unknown
  signal?: AbortSignal | undefined
}

/** Any answer. Throws RequestFault if there is none. */
export async function callApi(api: Api, call: Call): Promise<Answer> {
  try {
    const { status, body, text } = await api.send(call)
    return { status, body: body === undefined ? text : body }
  } catch (error) {
    if (!(error instanceof RequestFault) || !error.answer) throw error
    const { status, body, text } = error.answer
    return { status, body: body === undefined ? text : body, problem: inOneLine(error) }
  }
}

/** The body of an answer of 200 to 299. Throws RequestFault otherwise. */
export async function make(api: Api, call: Call): Promise<Body> {
  return (await api.send(call)).body
}

const inOneLine = ({ lines }: RequestFault): string => lines.map((line) => line.trim()).join('; ')
