/** Onfido's words and ours. */

import type { IdentityCheck, Outcome, Report } from '../provider.ts'

export const REPORT_NAMES = {
  DOCUMENT: 'document',
  FACIAL_SIMILARITY_VIDEO: 'facial_similarity_video',
} as const satisfies Record<IdentityCheck, string>

/** What we read of a report. */
export type ReportRead = {
  name: string
  result?: string
  sub_result?: string
  properties?: { issuing_country?: string }
}

/** From the mildest: of several reports the gravest counts. */
const gravity: readonly Outcome[] = ['caution', 'suspected', 'rejected']

/**
 * One report of all: clear when each is clear. A report that is not clear and does not say how
 * grave that is, as that of a face, is a caution.
 */
export function reportOf(reports: readonly ReportRead[]): Report {
  const issuing_country = reports.find(({ name }) => name === 'document')?.properties
    ?.issuing_country
  const from = issuing_country === undefined ? {} : { issuing_country }
  const isClear = reports.length > 0 && reports.every(({ result }) => result === 'clear')
  if (isClear) return { result: 'CLEAR', ...from }
  const found = reports.map(({ sub_result }) => gravity.indexOf(sub_result as Outcome))
  const outcome = gravity[Math.max(0, ...found)] ?? 'caution'
  return { result: 'CONSIDER', outcome, ...from }
}
