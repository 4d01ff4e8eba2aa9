const BYTES = 16
const HEX = 16

/**
 * A random idempotency key, in the shape of a UUID. A page of plain http under a name has no
 * `crypto.randomUUID`.
 */
export function newIdempotencyKey(): string {
  const bytes = Array.from(crypto.getRandomValues(new Uint8Array(BYTES)))
  const digits = bytes.map((byte) => byte.toString(HEX).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
