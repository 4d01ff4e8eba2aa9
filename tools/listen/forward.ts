/** Posts events to a local address, signed as those of a subscription are (D-63). */

import { signatureHeaders, signingKey } from '#kit/net/signature.ts'
import { codeOf, lineOf } from '#kit/start_error.ts'
import type { StreamedEvent } from './sse.ts'

/** As long as an endpoint has (D-62). */
const TIMEOUT_MS = 10_000

export type Forwarded = { ok: boolean; what: string; ms: number }

/** Never throws: an address that does not answer is a result. */
export async function forward(
  { id, data }: Pick<StreamedEvent, 'id' | 'data'>,
  to: string,
  secret: string,
): Promise<Forwarded> {
  const begun = performance.now()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Bezant-Webhooks/1',
    ...signatureHeaders([signingKey(secret)], id, data, new Date()),
  }
  const result = (ok: boolean, what: string): Forwarded => ({
    ...{ ok, what, ms: Math.round(performance.now() - begun) },
  })
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const answer = await fetch(to, {
      ...{ method: 'POST', headers, body: data, redirect: 'manual', signal },
    })
    await answer.arrayBuffer()
    return result(answer.ok, String(answer.status))
  } catch (error) {
    return result(false, faultOf(error, new URL(to).origin))
  }
}

function faultOf(error: unknown, origin: string): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in 10 s'
  const cause = error instanceof Error ? error.cause : undefined
  const code = codeOf(cause)
  if (code === 'ECONNREFUSED') return `nothing listens at ${origin}`
  return code ?? lineOf(error)
}
