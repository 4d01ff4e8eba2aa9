/** The effect of a report of the identity provider on the user (spec "User status", D-23). */

import type { PlatformTrigger } from '#issuing/users/users.ts'
import { toAlpha3 } from '#lib/country.ts'
import type { Report } from '../provider.ts'

export type Phase = 'FIRST' | 'RENEWAL'

export type Try = {
  phase: Phase
  re_initiated: boolean
  /** Alpha-3; empty allows every country. */
  allowed_issuing_countries: readonly string[]
}

/**
 * A verdict against the person outweighs the country of the document. A first verification that was
 * not re-initiated never terminates a user: suspected and rejected are then "not verified".
 */
export function triggerOf(report: Report, tried: Try): PlatformTrigger {
  const isAllowed = allows(tried.allowed_issuing_countries, report.issuing_country)
  if (report.result === 'CLEAR') return isAllowed ? 'idv_clear' : 'idv_country'

  const { outcome } = report
  if (outcome === 'document_requested') return 'idv_document_requested'
  if (outcome === 'abandoned') return 'idv_abandoned'
  if (tried.phase === 'RENEWAL' || tried.re_initiated) {
    if (outcome === 'suspected') return 'idv_suspected'
    if (outcome === 'rejected' || outcome === 'terminated') return 'idv_rejected'
  }
  return isAllowed ? 'idv_not_verified' : 'idv_caution_and_country'
}

/** A report without a country passes the list. */
function allows(countries: readonly string[], country: string | undefined): boolean {
  if (countries.length === 0 || country === undefined) return true
  return countries.includes(toAlpha3(country) ?? country)
}
