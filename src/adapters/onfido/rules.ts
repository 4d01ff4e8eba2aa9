/** Mapping between the terms of Onfido and those of this API. */

import type { StoredDocument } from '#issuing/identifications/identifications.ts'
import type { IdentityCheck, Outcome, Report } from '#issuing/verification/provider.ts'

export const REPORT_NAMES = {
  DOCUMENT: 'document',
  FACIAL_SIMILARITY_VIDEO: 'facial_similarity_video',
} as const satisfies Record<IdentityCheck, string>

/** Onfido's type of each document, and its side if Onfido requires it. */
const DOCUMENTS = {
  PASSPORT_PAGE1: { type: 'passport' },
  PASSPORT_PAGE2: { type: 'passport' },
  NATIONAL_ID_FRONT: { type: 'national_identity_card', side: 'front' },
  NATIONAL_ID_BACK: { type: 'national_identity_card', side: 'back' },
  VISA: { type: 'visa' },
} as const

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'application/pdf': 'pdf',
}

/** Onfido accepts no larger file. */
export const DOCUMENT_BYTES_MAX = 10 * 1024 * 1024

export type AcceptedDocument = {
  type: 'passport' | 'national_identity_card' | 'visa'
  side?: 'front' | 'back'
  file_name: string
}

/** A document in the form that Onfido accepts; undefined for one that it does not accept. */
export function acceptedDocument(document: StoredDocument): AcceptedDocument | undefined {
  const { id, document_type, content_type, size } = document
  const known = Object.entries(DOCUMENTS).find(([name]) => name === document_type)?.[1]
  const extension = EXTENSIONS[content_type]
  if (!known || extension === undefined || size > DOCUMENT_BYTES_MAX) return undefined
  return { ...known, file_name: `${id}.${extension}` }
}

/** The members that are read of a report. */
export type ReportRead = {
  name: string
  result?: string
  sub_result?: string
  properties?: { issuing_country?: string }
}

/** The outcomes from the mildest to the gravest, which counts if there are several. */
const gravity: readonly Outcome[] = ['caution', 'suspected', 'rejected']

/**
 * One report of all: clear when each is clear. A report that is not clear and has no
 * sub-result, as that of a face, is a caution.
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
