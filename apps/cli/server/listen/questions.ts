/** Passes the questions to the responder of a tenant to a local address, and its answers back. */

import { setTimeout as pause } from 'node:timers/promises'
import { ListenFault } from './options.ts'
import { get, type Platform } from './platform.ts'
import { type Post, postSigned } from './post.ts'

const RETRY_MS = 1_000
const POLL_SECONDS = 30
/** The most that the setting `timeout_ms` of a responder can be. */
const TIMEOUT_MS = 3_000
/** The most questions of one answer; as many known ids fit one request. */
const KNOWN_MAX = 100

export type Question = {
  id: string
  transaction: { amount: number; currency: string; merchant: { name?: string } }
}
/** `isAnswered` where the platform has accepted the answer. */
export type Passed = { isAnswered: boolean; what: string; ms: number }

/** Yields each question once, until the signal. While the platform is away it tries again. */
export async function* questionsOf(platform: Platform): AsyncGenerator<Question> {
  let known: string[] = []
  while (!platform.signal.aborted) {
    try {
      const query = new URLSearchParams({ wait: String(POLL_SECONDS) })
      for (const id of known) query.append('except', id)
      const answer = await get(platform, `simulate/responderrequests?${query}`)
      // The shape is the platform's own.
      const { data } = (await answer.json()) as { data: Question[] }
      known = [...known, ...data.map(({ id }) => id)].slice(-KNOWN_MAX)
      yield* data
    } catch (error) {
      if (error instanceof ListenFault) throw error
      await pause(RETRY_MS, undefined, { signal: platform.signal }).catch(() => {})
    }
  }
}

/** Whether questions come at all: the setting that a person forgets. Assumed where it is unknown. */
export async function isListener(platform: Platform): Promise<boolean> {
  try {
    const answer = await get(platform, 'tenantsettings')
    // The shape is the platform's own.
    const { responder } = (await answer.json()) as { responder?: { listener?: boolean } }
    return responder?.listener === true
  } catch (error) {
    if (error instanceof ListenFault) throw error
    return true
  }
}

/**
 * Asks the local address as a responder with a URL is asked, and passes its answer back. Without a
 * valid one nothing is passed: the default action of the platform decides. Never throws.
 */
export async function passOn(
  { url, key }: Platform,
  { id, transaction }: Question,
  to: Pick<Post, 'to' | 'secret'>,
): Promise<Passed> {
  const begun = performance.now()
  const passed = (isAnswered: boolean, what: string): Passed => ({
    isAnswered,
    what,
    ms: Math.round(performance.now() - begun),
  })
  const body = JSON.stringify(transaction)
  const agent = 'Bezant-Responder/1'
  const local = await postSigned({ ...to, id, body, agent, timeout_ms: TIMEOUT_MS })
  if (!local.ok) return passed(false, `${local.what}, default action`)
  const answer = answerIn(local.text)
  if (!answer) return passed(false, 'no JSON with `approved`, default action')
  const back = await fetch(`${url}/v1/simulate/responderrequests/${id}:answer`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify(answer),
  }).catch(() => undefined)
  if (!back) return passed(false, `${url} does not answer`)
  const text = await back.text().catch(() => '')
  if (!back.ok) return passed(false, `${back.status} ${detailIn(text)}`)
  const { approved, amount } = answer
  if (!approved) return passed(true, 'declined')
  return passed(true, amount === undefined ? 'approved' : `approved up to ${amount}`)
}

/**
 * The answer that a responder may give; other members are left out, as the platform ignores them.
 */
function answerIn(text: string): { approved: boolean; amount?: unknown } | undefined {
  const read = parsed(text)
  if (typeof read !== 'object' || read === null || !('approved' in read)) return undefined
  const { approved } = read
  if (typeof approved !== 'boolean') return undefined
  const amount = 'amount' in read ? (read.amount ?? undefined) : undefined
  return approved && amount !== undefined ? { approved, amount } : { approved }
}

function detailIn(text: string): string {
  const read = parsed(text)
  const isProblem = typeof read === 'object' && read !== null && 'detail' in read
  return isProblem ? String(read.detail) : text
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
