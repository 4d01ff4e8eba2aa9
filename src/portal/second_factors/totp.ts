/** Codes by time (RFC 6238): SHA-1, six digits, steps of 30 s, one step of tolerance (D-140). */

import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** The length that RFC 4226 recommends: that of the output of its hash. */
const SECRET_BYTES = 20
const PERIOD_SECONDS = 30
const TOLERANCE_STEPS = 1
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS } as const

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** How an authenticator app learns the secret: by hand in base 32, or by the URI as a QR code. */
export function describeTotp(
  secret: Buffer,
  { issuer, label }: { issuer: string; label: string },
): { secret: string; uri: string } {
  const totp = new TOTP({ ...PARAMETERS, issuer, label, secret: secretOf(secret) })
  return { secret: totp.secret.base32, uri: totp.toString() }
}

/**
 * The number of the step whose code this is, of the last, the present and the next one at `now`;
 * undefined for any other text. A step that was used before is for the caller to reject.
 */
export function stepOfCode(secret: Buffer, code: string, now: Date): bigint | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const timestamp = now.getTime()
  const delta = TOTP.validate({
    ...PARAMETERS,
    token: code,
    secret: secretOf(secret),
    timestamp,
    window: TOLERANCE_STEPS,
  })
  if (delta === null) return undefined
  return BigInt(TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta)
}

/** A copy: the memory of a small Buffer is shared with others. */
const secretOf = (bytes: Buffer): Secret => new Secret({ buffer: new Uint8Array(bytes).buffer })
