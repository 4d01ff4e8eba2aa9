/** Faults of a requested account, in the reader's language. */

import type { TFunction } from 'i18next'

/** Faults of a password, as the portal's rules word them. */
const OF_PASSWORD = [
  [/characters/, 'password_length'],
  [/commonest/, 'password_common'],
  [/e-mail/, 'password_email'],
  [/organization/, 'password_organization'],
] as const

/** The sentence for a fault of a new password; the portal's own where it is none of these. */
export function faultOfPassword(t: TFunction, message: string): string {
  const known = OF_PASSWORD.find(([words]) => words.test(message))
  return known ? t(`account.${known[1]}`) : message
}

/** Faults by the members of a registration. */
export function faultsOfAccount(
  t: TFunction,
  { email, password, organization }: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    ...(email !== undefined && { email: t('account.email_wrong') }),
    ...(password !== undefined && { password: faultOfPassword(t, password) }),
    ...(organization !== undefined && { organization: t('account.organization_wrong') }),
  }
}
