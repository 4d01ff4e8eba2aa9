/** Passkeys of the browser (WebAuthn), in the form that the API takes (D-140). */

import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import i18next from 'i18next'
import { Problem } from '../api/problem.ts'

/** Addresses of numbers, which no passkey belongs to (WebAuthn, 5.1.2). */
const NUMBERS = /^(\d+(\.\d+){3}|\[.*\])$/
/** Addresses of this machine that have a name too. */
const LOCAL = /^(127\.0\.0\.1|\[::1\])$/

/** Why passkeys do not work on this page; undefined if they do. */
export function lackOfPasskeys(): 'BROWSER' | 'ADDRESS' | undefined {
  if (NUMBERS.test(location.hostname)) return 'ADDRESS'
  return browserSupportsWebAuthn() ? undefined : 'BROWSER'
}

/** The same page under an address with which they work; undefined if none is known. */
export function namedAddress(): string | undefined {
  if (!LOCAL.test(location.hostname)) return undefined
  const named = new URL(location.href)
  named.hostname = 'localhost'
  return named.href
}

type Creation = Parameters<typeof startRegistration>[0]['optionsJSON']
type Request = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** Options come from the API, whose document leaves their members to the standard. */
export async function createPasskey(options: object) {
  const asked = startRegistration({ optionsJSON: options as Creation })
  return { ...(await asked.catch(rejected)), clientExtensionResults: {} }
}

export async function signWithPasskey(options: object) {
  const asked = startAuthentication({ optionsJSON: options as Request })
  return { ...(await asked.catch(rejected)), clientExtensionResults: {} }
}

/** The person has closed the browser's dialog, or the device has none. */
function rejected(error: unknown): never {
  const code = error instanceof WebAuthnError ? error.code.toLowerCase() : 'passkey_refused'
  throw new Problem(400, { code, detail: i18next.t('links.no_passkey') })
}
