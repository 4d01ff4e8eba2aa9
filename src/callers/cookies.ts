/** The cookie of a session (D-136): its name, its attributes and its value. */

import { hash, randomBytes } from 'node:crypto'
import { parseCookie, stringifySetCookie } from 'cookie'

const NAME = 'bezant_session'
const TOKEN_BYTES = 32
/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/

/** A session ends after so many seconds of real time, used or not. */
export const SESSION_SECONDS = 7 * 24 * 60 * 60

/** The name of the cookie; with https it is bound to the host and to TLS. */
export const cookieName = (is_https: boolean): string => (is_https ? `__Host-${NAME}` : NAME)

/** A new value of the cookie, and its stored hash. */
export function makeSessionToken(): { token: string; token_hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, token_hash: hashSessionToken(token) }
}

export const hashSessionToken = (token: string): Buffer => hash('sha256', token, 'buffer')

/** Whether the value has the form of a token; it may still be of no session. */
export const isSessionToken = (value: string): boolean => TOKEN.test(value)

/** The value of the cookie; undefined if the request comes without it. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[name]
}

/** The header Set-Cookie with the token; without a token the one that removes the cookie. */
export function setCookie(is_https: boolean, token?: string): string {
  return stringifySetCookie({
    name: cookieName(is_https),
    value: token ?? '',
    path: '/',
    httpOnly: true,
    secure: is_https,
    sameSite: 'lax',
    maxAge: token === undefined ? 0 : SESSION_SECONDS,
  })
}
