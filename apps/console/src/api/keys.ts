/** Idempotency keys. A page of plain http under a name has neither randomUUID nor subtle. */

const BYTES = 16
const HEX = 16

export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(HEX).padStart(2, '0'),
  ).join('')

/** The newest keys, by the requests that they were sent for; older ones were answered long ago. */
const MOST = 500
const sent = new Map<string, string>()

/**
 * The key of one request of a form: the same for the same request, another one for another body and
 * for another call of the same press (D-974).
 */
export function keyOf(form: string, request: string): string {
  const content = `${form} ${request}`
  const key = sent.get(content) ?? newKey()
  sent.set(content, key)
  const [oldest] = sent.keys()
  if (sent.size > MOST && oldest !== undefined) sent.delete(oldest)
  return key
}
