/** Requests to the platform. */

import { ListenFault } from './options.ts'

export type Platform = { url: string; key: string; signal: AbortSignal }

type How = { accept?: string; signal?: AbortSignal }

/**
 * The answer to a GET of a path with its query. Throws a ListenFault for an answer that another
 * attempt would not change.
 */
export async function get(
  { url, key, ...platform }: Platform,
  path: string,
  { accept = 'application/json', signal = platform.signal }: How = {},
): Promise<Response> {
  const answer = await fetch(`${url}/v1/${path}`, { headers: { apikey: key, accept }, signal })
  if (answer.ok) return answer
  const text = await answer.text()
  if (answer.status === 401) throw new ListenFault(`${url} does not know this API key`)
  if (answer.status < 500 && answer.status !== 429) {
    throw new ListenFault(`${url} answered ${answer.status}: ${text}`)
  }
  throw new Error(`the platform answered ${answer.status}`)
}
