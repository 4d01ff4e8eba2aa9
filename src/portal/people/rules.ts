/** What an e-mail and a password may be (D-134, D-135). Pure. */

import { sha256Hex } from '#lib/digest.ts'
import type { Fault } from '#lib/result.ts'

export const PASSWORD_LEAST = 12
export const PASSWORD_MOST = 128

/** How an address is stored and looked up: trimmed and in lower case. */
export const normalEmail = (email: string): string => email.trim().toLowerCase()

/** The form in which a password is checked and hashed. */
export const normalPassword = (password: string): string => password.normalize('NFC')

/** A token is of one password: once that is replaced, the token has ended. */
export const markOfPassword = (password_hash: string | null): string =>
  sha256Hex(password_hash ?? '')

type Known = { email?: string; organization?: string; common: ReadonlySet<string> }

/**
 * What is wrong with a new password; at most one fault. Characters are code points of its NFC.
 * `common` has the commonest passwords in lower case.
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
  if (email !== undefined && plain === normalEmail(email)) return fault('must not be the e-mail')
  if (organization !== undefined && plain === organization.normalize('NFC').trim().toLowerCase()) {
    return fault('must not be the organization')
  }
  return []
}
