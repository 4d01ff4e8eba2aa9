/** The contract of identifications and their files. */

import { type Static, Type } from 'typebox'
import {
  DateText,
  Instant,
  Line,
  ListQuery,
  Name,
  Note,
  Nullable,
  OneOf,
  Strict,
  Uuid,
} from '#kit/schema.ts'
import {
  allDocumentTypes,
  documentStatuses,
  FILES_PER_CALL_MAX,
  identificationTypes,
} from './rules/documents.ts'
import { FILE_NAME_LENGTH } from './rules/names.ts'

const IdentificationType = OneOf(identificationTypes)
const DocumentType = OneOf(allDocumentTypes)
const FileName = Type.String({ minLength: 1, maxLength: FILE_NAME_LENGTH })

const texts = { number: Name, issuance_authority: Line, place_of_issuance: Line }

export const NewIdentification = Strict(
  {
    id: Type.Optional(Uuid),
    type: IdentificationType,
    number: Type.Optional(Name),
    issuance_authority: Type.Optional(Line),
    place_of_issuance: Type.Optional(Line),
    issuance_date: Type.Optional(DateText),
    expiration_date: Type.Optional(DateText),
    identification_note: Type.Optional(Note),
  },
  { title: 'NewIdentification' },
)
export type NewIdentification = Static<typeof NewIdentification>

export const IdentificationChanges = Strict(
  {
    type: Type.Optional(IdentificationType),
    number: Type.Optional(Nullable(texts.number)),
    issuance_authority: Type.Optional(Nullable(Line)),
    place_of_issuance: Type.Optional(Nullable(Line)),
    issuance_date: Type.Optional(Nullable(DateText)),
    expiration_date: Type.Optional(Nullable(DateText)),
    identification_note: Type.Optional(Nullable(Note)),
  },
  { title: 'IdentificationChanges' },
)
export type IdentificationChanges = Static<typeof IdentificationChanges>

export const Identification = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    type: IdentificationType,
    number: Type.Optional(Type.String()),
    issuance_authority: Type.Optional(Type.String()),
    place_of_issuance: Type.Optional(Type.String()),
    issuance_date: Type.Optional(Instant),
    expiration_date: Type.Optional(Instant),
    identification_note: Type.Optional(Type.String()),
    document_status: OneOf(documentStatuses),
    document_status_reason: Type.String(),
    created: Instant,
    modified: Instant,
  },
  { title: 'Identification' },
)

/** `scan_status` stands there where a virus scanner is configured; only CLEAN files are served. */
export const IdentificationFile = Type.Object(
  {
    id: Uuid,
    identification_id: Uuid,
    file_name: Type.String(),
    identification_type: IdentificationType,
    identification_document_type: DocumentType,
    document_version: Type.Integer({ minimum: 1 }),
    content_type: Type.String(),
    size: Type.Integer({ minimum: 1 }),
    scan_status: Type.Optional(OneOf(['HELD', 'CLEAN', 'INFECTED'])),
    created: Instant,
  },
  { title: 'IdentificationFile' },
)
export type IdentificationFile = Static<typeof IdentificationFile>

const metadata = {
  id: Type.Optional(Uuid),
  file_name: Type.Optional(FileName),
  identification_type: Type.Optional(IdentificationType),
  identification_document_type: Type.Optional(DocumentType),
  content_type: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer({ minimum: 1 })),
}

const Bytes = Type.String({ format: 'binary' })

/**
 * The form of an upload: one `file`, or one to five `files`. Metadata comes as text parts before
 * its file, or as one part `metadata` of JSON: an object for all files or an array, one for each.
 */
export const UploadForm = Type.Object(
  {
    ...metadata,
    metadata: Type.Optional(
      Type.Unsafe<unknown>({ anyOf: [Strict(metadata), Type.Array(Strict(metadata))] }),
    ),
    file: Type.Optional(Bytes),
    files: Type.Optional(Type.Array(Bytes, { minItems: 1, maxItems: FILES_PER_CALL_MAX })),
  },
  { title: 'IdentificationUpload' },
)

/** One file answers itself, several answer the list of them (D-27). */
export const Uploaded = Type.Unsafe<IdentificationFile | { data: IdentificationFile[] }>({
  anyOf: [IdentificationFile, Strict({ data: Type.Array(IdentificationFile) })],
})

export const UserPath = Strict({ user_id: Uuid })
export const IdentificationPath = Strict({ user_id: Uuid, identification_id: Uuid })
export const FilePath = Strict({ user_id: Uuid, identification_id: Uuid, file_id: Uuid })
export type IdentificationPath = Static<typeof IdentificationPath>
export type FilePath = Static<typeof FilePath>

export const Listed = ListQuery({})
