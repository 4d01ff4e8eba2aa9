/** Posts to a local address, signed as the platform signs (D-63). */

import { signatureHeaders, signingKey } from '#kit/net/signature.ts'
import { codeOf, lineOf } from '#kit/start_error.ts'
import type { StreamedEvent } from './sse.ts'

/** The time-out of an endpoint (D-62). */
const TIMEOUT_MS = 10_000

export type Post = {
  to: string
  secret: string
  /** The id of the event or the question. */
  id: string
  body: string
  agent: string
  timeout_ms: number
}
/** `what` is the status, or why there is none; `text` the body of the answer. */
export type Posted = { ok: boolean; what: string; text: string; ms: number }

/** An event as a subscription gets it. */
export const forward = (
  { id, data: body }: Pick<StreamedEvent, 'id' | 'data'>,
  to: string,
  secret: string,
): Promise<Posted> =>
  postSigned({ to, secret, id, body, agent: 'Bezant-Webhooks/1', timeout_ms: TIMEOUT_MS })

/** Never throws: an address that does not answer is a result. */
export async function postSigned(post: Post): Promise<Posted> {
  const { to, secret, id, body, agent, timeout_ms } = post
  const begun = performance.now()
  const headers = {
    'content-type': 'application/json',
    'user-agent': agent,
    ...signatureHeaders([signingKey(secret)], id, body, new Date()),
  }
  const result = (ok: boolean, what: string, text = ''): Posted => ({
    ok,
    what,
    text,
    ms: Math.round(performance.now() - begun),
  })
  try {
    const signal = AbortSignal.timeout(timeout_ms)
    const answer = await fetch(to, { method: 'POST', headers, body, redirect: 'manual', signal })
    return result(answer.ok, String(answer.status), await answer.text())
  } catch (error) {
    return result(false, faultOf(error, post))
  }
}

function faultOf(error: unknown, { to, timeout_ms }: Post): string {
  if (error instanceof Error && error.name === 'TimeoutError') {
    return `no answer in ${timeout_ms / 1000} s`
  }
  const cause = error instanceof Error ? error.cause : undefined
  const code = codeOf(cause)
  if (code === 'ECONNREFUSED') return `nothing listens at ${new URL(to).origin}`
  return code ?? lineOf(error)
}
