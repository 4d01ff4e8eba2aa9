/** Standard Webhooks: the secret, and the headers that prove sender, content and time (D-63). */

import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32
/** Both secrets sign for so long after a rotation, on the tenant's clock (D-63). */
export const OVERLAP_MS: number = 24 * 60 * 60 * 1000

/** `whsec_` and 32 random bytes in base64. Shown once (D-101). */
export const makeSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** The bytes that sign, as a key: making one of bytes costs eight times as much as a signature. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(secret.slice(PREFIX.length), 'base64')

/** The time is real time (D-115); with two keys (rotation) there are two signatures. */
export function signatureHeaders(keys: readonly KeyObject[], id: string, body: string, now: Date) {
  const seconds = Math.floor(now.getTime() / 1000)
  const signed = `${id}.${seconds}.${body}`
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}
