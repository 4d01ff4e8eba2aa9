/** The rules of an e-mail and a password (D-134, D-135). Pure. */

import { sha256Hex } from '#lib/digest.ts'
import * as lib from '#lib/email.ts'
import type { Fault } from '#lib/result.ts'
import { TERMS } from '#portal/mails/rules.ts'

const { password_least: PASSWORD_LEAST, password_most: PASSWORD_MOST } = TERMS

/** How an address that its schema has accepted is stored, looked up and mailed (D-976). */
export function normalEmail(written: string): string {
  const email = lib.normalEmail(written)
  if (email === undefined) throw new Error('an e-mail address was used that its schema refuses')
  return email
}

/** The form in which a password is checked and hashed. */
export const normalPassword = (password: string): string => password.normalize('NFC')

/** A token is of one password: once that is replaced, the token has ended. */
export const markOfPassword = (password_hash: string | null): string =>
  sha256Hex(password_hash ?? '')

type Known = { email?: string; organization?: string; common: ReadonlySet<string> }

/**
 * The fault of a new password; at most one. Characters are code points of its NFC. `common` has the
 * commonest passwords in lower case.
 */
export function faultsOfPassword(
  password: string,
  { email, organization, common }: Known,
): Fault[] {
  const normal = normalPassword(password)
  const length = [...normal].length
  const plain = normal.trim().toLowerCase()
  const fault = (message: string) => [{ path: 'password', message }]
  if (length < PASSWORD_LEAST || length > PASSWORD_MOST) {
    return fault(`must have ${PASSWORD_LEAST} to ${PASSWORD_MOST} characters`)
  }
  if (common.has(plain)) return fault('is one of the commonest passwords')
  const emails = email === undefined ? [] : [lib.normalEmail(email), lib.shownEmail(email)]
  if (emails.some((one) => one?.toLowerCase() === plain)) return fault('must not be the e-mail')
  if (organization !== undefined && plain === organization.normalize('NFC').trim().toLowerCase()) {
    return fault('must not be the organization')
  }
  return []
}
