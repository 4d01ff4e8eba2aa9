/** Identifications as a table: their types, the files that show them, and how they are reviewed. */

import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import { parseInstant } from '#lib/time.ts'

export const documentTypes = {
  PASSPORT: ['PASSPORT_PAGE1', 'PASSPORT_PAGE2'],
  VISA: ['VISA'],
  NATIONAL_ID: ['NATIONAL_ID_FRONT', 'NATIONAL_ID_BACK'],
  TRADE_LICENSE: ['NOT APPLICABLE'],
  COMMERCIAL_LICENSE: ['NOT APPLICABLE'],
  INCORPORATION_CERT: ['NOT APPLICABLE'],
  INCUMBENCY_CERT: ['NOT APPLICABLE'],
  MEMORANDUM_ARTICLES: ['NOT APPLICABLE'],
  BANK_STATEMENT: ['NOT APPLICABLE'],
  ADDITIONAL: ['NOT APPLICABLE'],
} as const satisfies Record<string, readonly string[]>

export type IdentificationType = keyof typeof documentTypes
export type DocumentType = (typeof documentTypes)[IdentificationType][number]
export const identificationTypes = Object.keys(documentTypes) as IdentificationType[]
export const allDocumentTypes = [...new Set(Object.values(documentTypes).flat())]

export const documentStatuses = ['PENDINGKYB', 'PENDING', 'VERIFIED', 'REJECTED'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

export const FILES_MAX = 10
export const FILES_PER_CALL_MAX = 5
export const FILE_BYTES_MAX = 128 * 1024 * 1024
const STATEMENT_BYTES_MAX = 5 * 1024 * 1024
/** The limit of a user, which bounds lists of identifications. */
export const IDENTIFICATIONS_MAX = 100

/** D-113. */
export const fileBytesMax = (type: IdentificationType): number =>
  type === 'BANK_STATEMENT' ? STATEMENT_BYTES_MAX : FILE_BYTES_MAX

export type DocumentState = { document_status: DocumentStatus; document_status_reason: string }

/** All types but INDIVIDUAL are reviewed in the onboarding of a business (D-26). */
export function firstState(user_type: string): DocumentState {
  const document_status = user_type === 'INDIVIDUAL' ? 'PENDING' : 'PENDINGKYB'
  return { document_status, document_status_reason: 'I0' }
}

/** A review is valid for the documents that were reviewed; a change makes it void. */
export function stateAfterChange(present: DocumentState, user_type: string): DocumentState {
  const { document_status, document_status_reason } = present
  const isReviewed = ['VERIFIED', 'REJECTED'].includes(document_status)
  return isReviewed ? firstState(user_type) : { document_status, document_status_reason }
}

/** `undefined` was not sent, `null` clears. */
type Dates = { issuance_date?: string | null; expiration_date?: string | null }
type StoredDates = { issuance_date: Date | null; expiration_date: Date | null }

/** Dates as instants; a date alone is its first moment in UTC (D-7, D-26). */
export function checkDates(
  present: StoredDates,
  sent: Dates,
): Result<StoredDates, 'validation_failed'> {
  const errors: Fault[] = []
  const read = (name: keyof StoredDates): Date | null => {
    const text = sent[name]
    if (text === undefined || text === null) return text === null ? null : present[name]
    const instant = parseInstant(text.length === 10 ? `${text}T00:00:00Z` : text)
    if (!instant) errors.push({ path: name, message: 'is not a date' })
    return instant ?? null
  }
  const dates = { issuance_date: read('issuance_date'), expiration_date: read('expiration_date') }
  const { issuance_date, expiration_date } = dates
  if (issuance_date && expiration_date && expiration_date <= issuance_date) {
    const message = 'must be after issuance_date'
    errors.push({ path: 'expiration_date', message, rests_on: ['issuance_date'] })
  }
  return errors.length > 0 ? fail('validation_failed', { errors }) : ok(dates)
}
