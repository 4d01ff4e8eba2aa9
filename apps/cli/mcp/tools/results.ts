/** Results of tools: answers of the API and errors, in words for a model. */

import type { CallToolResult } from '@modelcontextprotocol/server'
import { ApiError, ConnectionError, TimeoutError } from '#client/index.ts'
import { Fault, outcomeOf } from '../../kit/faults.ts'
import { jsonOf, visible } from '../../kit/text.ts'
import { OutcomeUnknown } from '../operations/call.ts'
import { KEY } from '../operations/operations.ts'
import { withoutSecrets } from '../operations/secrets.ts'

type Members = { [name: string]: unknown }

/** Characters of JSON; a page of more is cut behind its last whole object. */
const LONGEST = 100_000

/** An answer of the API as text and as an object, with its secrets masked. */
export function answerOf(answer: unknown): CallToolResult {
  // Every answer of the document is an object.
  const { value, remark } = shortened(Object(withoutSecrets(answer)))
  return textResult(jsonOf(value, 0), value, remark)
}

export function textResult(text: string, value: Members, remark?: string): CallToolResult {
  const texts = [text, ...(remark === undefined ? [] : [remark])]
  return {
    content: texts.map((one) => ({ type: 'text', text: one })),
    structuredContent: value,
  }
}

/** A page that a model can read, and how the next one is asked for. */
function shortened(value: Members): { value: Members; remark?: string } {
  const { data, has_more, after } = value
  if (!Array.isArray(data)) return { value }
  let length = 0
  const fitting = data.findIndex((one) => {
    length += jsonOf(one, 0).length
    return length > LONGEST
  })
  const count = Math.max(1, fitting)
  if (fitting !== -1 && count < data.length) {
    const { after: _, ...rest } = value
    return {
      value: { ...rest, data: data.slice(0, count), has_more: true },
      remark:
        `Only the first ${count} of ${data.length} objects of this page are shown, since it is ` +
        `too long. Call again with limit ${count}, which answers where the next page begins.`,
    }
  }
  if (has_more !== true || typeof after !== 'string') return { value }
  return { value, remark: `More objects follow: call again with after ${JSON.stringify(after)}.` }
}

export function refusal(message: string, more: Members = {}): CallToolResult {
  return {
    ...textResult(visible(message), { error: { outcome: 'failed', message, ...more } }),
    isError: true,
  }
}

/** `effect` says what has changed where no answer has come. Throws what is no fault of a call. */
export function failureOf(error: unknown, effect: string): CallToolResult {
  if (error instanceof OutcomeUnknown) return unknownOutcome(error)
  if (error instanceof ApiError) return apiFailure(error)
  if (error instanceof ConnectionError || error instanceof TimeoutError || isTimeout(error)) {
    return refusal(`The platform has not answered: ${reasonOf(error)}. ${effect}`.trim())
  }
  if (error instanceof Fault) return refusal(error.message)
  throw error
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError'
const reasonOf = (error: unknown) =>
  isTimeout(error) ? 'no answer came in time' : outcomeOf(error).lines.join(' ')

function apiFailure({ status, code, detail, faults, requestId, retryAfter }: ApiError) {
  const fields = Object.entries(faults).map(
    ([path, messages]) => `${path === '' ? 'body' : path}: ${messages.join(', ')}`,
  )
  const where = [status, code, requestId && `request ${requestId}`].filter((part) => part)
  const advice = adviceFor(status, code, retryAfter)
  const lines = [`${detail} (${where.join(', ')})`, ...fields, advice]
  const error = {
    outcome: 'failed',
    status,
    code,
    message: detail,
    errors: faults,
    request_id: requestId,
    retry_after: retryAfter,
    what_to_do: advice,
  }
  const text = lines.map(visible).join('\n')
  return { ...textResult(text, { error: withoutSecrets(error) }), isError: true }
}

const SERVER_FAULTS = 500

function adviceFor(status: number, code: string | undefined, retryAfter: number | undefined) {
  if (code === 'cursor_invalid') return 'List again without after.'
  const found = ADVICE[status]
  if (status === 429) return `Wait ${retryAfter ?? 1} s, then call again.`
  if (found !== undefined) return found
  return status >= SERVER_FAULTS
    ? 'The platform has failed: name the request id to the person who operates it.'
    : 'Report it to the person who asked.'
}

const ADVICE: Readonly<Record<number, string>> = {
  400: 'Correct the arguments that are named, and call again.',
  401: 'The key is not accepted: say so to the person, who can start this server with another.',
  403: 'The key may not do this: report it to the person, and do not try another way.',
  404: 'There is no such object for this key: look for its id with a list or searchObjects.',
  409: 'The present state does not allow it: read the object before anything else.',
}

function unknownOutcome({ key, cause }: OutcomeUnknown): CallToolResult {
  const advice =
    key === undefined
      ? 'Read the object to see whether it has changed before this is called again.'
      : `Call again with the same arguments and ${KEY} ${key}: under it the call takes effect ` +
        'once. Without it, it may take effect twice.'
  const message = 'It is unknown whether this took effect: no answer has arrived'
  const text = visible(`${message} (${reasonOf(cause)}). ${advice}`)
  const error = { outcome: 'unknown', message, [KEY]: key, what_to_do: advice }
  return { ...textResult(text, { error }), isError: true }
}
