/** The types of identifications and what files of each show, as the API has them. */

import type { Identification, IdentificationFile } from '../../api/types.ts'

type Side = IdentificationFile['identification_document_type']

const WHOLE = ['NOT APPLICABLE'] as const satisfies readonly Side[]

export const DOCUMENTS: Readonly<Record<Identification['type'], readonly Side[]>> = {
  NATIONAL_ID: ['NATIONAL_ID_FRONT', 'NATIONAL_ID_BACK'],
  PASSPORT: ['PASSPORT_PAGE1', 'PASSPORT_PAGE2'],
  VISA: ['VISA'],
  TRADE_LICENSE: WHOLE,
  COMMERCIAL_LICENSE: WHOLE,
  INCORPORATION_CERT: WHOLE,
  INCUMBENCY_CERT: WHOLE,
  MEMORANDUM_ARTICLES: WHOLE,
  BANK_STATEMENT: WHOLE,
  ADDITIONAL: WHOLE,
}

// The keys of an object have the type string[]; these are the ones above.
export const TYPES = Object.keys(DOCUMENTS) as Identification['type'][]

export const FILES_MAX = 10
