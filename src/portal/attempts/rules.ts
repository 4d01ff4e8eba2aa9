/**
 * How many failed sign-ins, registrations, requests for a new password and invitations are allowed
 * (D-135, D-574, D-886, D-922, D-939). Pure.
 */

import { TERMS } from '#portal/mails/rules.ts'

/** Failures count for so long. */
export const WINDOW_MS = TERMS.attempts_minutes * 60 * 1000
/** The most failures within the window, by their subject. */
export const MOST = { account: 10, address: 50 } as const

/** Failures that still count, oldest first. */
export const recentOf = (failed: readonly Date[], now: Date): Date[] =>
  failed.filter((at) => at.getTime() > now.getTime() - WINDOW_MS)

/** Seconds until another attempt is allowed; 0 if it is now. */
export function waitSeconds(failed: readonly Date[], most: number, now: Date): number {
  const recent = recentOf(failed, now)
  const blocking = recent.at(-most)
  if (recent.length < most || blocking === undefined) return 0
  return Math.max(1, Math.ceil((blocking.getTime() + WINDOW_MS - now.getTime()) / 1000))
}
