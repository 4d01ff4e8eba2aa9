/** Which page may frame a widget (D-40). */

import { fail, ok, type Result } from '#lib/result.ts'

/** Scheme, host and port only, without the slash that begins a path. */
const SHAPE = /^https?:\/\/[^/\\?#@\s]+$/i
/**
 * The hosts allowed in a source expression of a content-security-policy: a name or an IPv4 address.
 * `https://*` and `https://a;b` are URLs too, but have another meaning there.
 */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/
const HOST_LENGTH = 253

/**
 * The canonical origin: lower case, ASCII, without a default port. `plain_http` allows pages
 * without TLS, as on a developer's machine (sandbox).
 */
export function checkOrigin(
  text: string,
  { plain_http }: { plain_http: boolean },
): Result<string, 'validation_failed'> {
  const url = SHAPE.test(text) ? URL.parse(text) : null
  if (!url || url.hostname.length > HOST_LENGTH || !HOST.test(url.hostname)) {
    return fault('must be scheme, host and port alone, as https://shop.example')
  }
  if (url.protocol === 'http:' && !plain_http) return fault('must begin with https://')
  return ok(url.origin)
}

const fault = (message: string) =>
  fail('validation_failed', { errors: [{ path: 'origin', message }] })
