/** The keys under which requests have been sent. */

import { newIdempotencyKey } from '#client/core/keys.ts'

/** The newest keys, by the requests that they were sent for; older ones were answered long ago. */
const MOST = 500
const sent = new Map<string, string>()

/**
 * The key of one request of a form: the same for the same request, another one for another body and
 * for another call of the same press (D-974).
 */
export function keyOf(form: string, request: string): string {
  const content = `${form} ${request}`
  const key = sent.get(content) ?? newIdempotencyKey()
  sent.set(content, key)
  const [oldest] = sent.keys()
  if (sent.size > MOST && oldest !== undefined) sent.delete(oldest)
  return key
}
