/** Request and response schemas of identifications and their files. */

import { type Static, Type } from 'typebox'
import {
  DateText,
  Field,
  Instant,
  Line,
  ListQuery,
  Name,
  Note,
  Nullable,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'
import {
  allDocumentTypes,
  documentStatuses,
  FILES_PER_CALL_MAX,
  identificationTypes,
} from './rules/documents.ts'
import { FILE_NAME_LENGTH } from './rules/names.ts'

const IdentificationType = OneOf(identificationTypes)
const DocumentType = OneOf(allDocumentTypes)

const type = Field('Type of the document.', IdentificationType)
const texts = {
  number: 'Number of the document.',
  issuance_authority: 'Authority that issued the document.',
  place_of_issuance: 'Place where the document was issued.',
  issuance_date: 'Date of issue, as a date or an ISO 8601 timestamp.',
  expiration_date: 'Date of expiry, after the date of issue.',
  identification_note: 'Note about the document, up to 1000 characters.',
}
const ids = {
  user_id: Field('Id of the user.', Uuid),
  identification_id: Field('Id of the identification.', Uuid),
}

export const NewIdentification = Strict(
  {
    id: Type.Optional(Field('Id of the new identification; generated when absent.', Uuid)),
    type,
    number: Type.Optional(Field(texts.number, Name)),
    issuance_authority: Type.Optional(Field(texts.issuance_authority, Line)),
    place_of_issuance: Type.Optional(Field(texts.place_of_issuance, Line)),
    issuance_date: Type.Optional(Field(texts.issuance_date, DateText)),
    expiration_date: Type.Optional(Field(texts.expiration_date, DateText)),
    identification_note: Type.Optional(Field(texts.identification_note, Note)),
  },
  { title: 'NewIdentification' },
)
export type NewIdentification = Static<typeof NewIdentification>

export const IdentificationChanges = Strict(
  {
    type: Type.Optional(type),
    number: Type.Optional(Field(texts.number, Nullable(Name))),
    issuance_authority: Type.Optional(Field(texts.issuance_authority, Nullable(Line))),
    place_of_issuance: Type.Optional(Field(texts.place_of_issuance, Nullable(Line))),
    issuance_date: Type.Optional(Field(texts.issuance_date, Nullable(DateText))),
    expiration_date: Type.Optional(Field(texts.expiration_date, Nullable(DateText))),
    identification_note: Type.Optional(Field(texts.identification_note, Nullable(Note))),
  },
  { title: 'IdentificationChanges' },
)
export type IdentificationChanges = Static<typeof IdentificationChanges>

export const Identification = Type.Object(
  {
    id: ids.identification_id,
    user_id: ids.user_id,
    type,
    number: Type.Optional(Type.String({ description: texts.number })),
    issuance_authority: Type.Optional(Type.String({ description: texts.issuance_authority })),
    place_of_issuance: Type.Optional(Type.String({ description: texts.place_of_issuance })),
    issuance_date: Type.Optional(Field('Date of issue.', Instant)),
    expiration_date: Type.Optional(Field('Date of expiry.', Instant)),
    identification_note: Type.Optional(Type.String({ description: 'Note about the document.' })),
    document_status: Field('Status of the review of the document.', OneOf(documentStatuses)),
    document_status_reason: Type.String({
      description: 'Reason of the status: I0 before a review, then the text of the reviewer.',
    }),
    created: Field('When the identification was created.', Instant),
    modified: Field('When the identification or one of its files last changed.', Instant),
  },
  { title: 'Identification', description: 'An identity document of a user.' },
)

export const IdentificationFile = Type.Object(
  {
    id: Field('Id of the file.', Uuid),
    identification_id: ids.identification_id,
    file_name: Type.String({ description: 'Name of the file.' }),
    identification_type: Field('Type of the identification.', IdentificationType),
    identification_document_type: Field('Side or page that the file shows.', DocumentType),
    document_version: Type.Integer({
      minimum: 1,
      description: 'Version of the file within its document type, counted from 1.',
    }),
    content_type: Type.String({ description: 'Media type under which the file is served.' }),
    size: Type.Integer({ minimum: 1, description: 'Size in bytes.' }),
    scan_status: Type.Optional(
      Field(
        'Result of the virus scan, absent without a scanner; only a CLEAN file is served then.',
        OneOf(['HELD', 'CLEAN', 'INFECTED']),
      ),
    ),
    created: Field('When the file was uploaded.', Instant),
  },
  { title: 'IdentificationFile' },
)
export type IdentificationFile = Static<typeof IdentificationFile>

const metadata = {
  id: Type.Optional(Field('Id of the new file; generated when absent.', Uuid)),
  file_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: FILE_NAME_LENGTH,
      format: 'not-blank',
      description: 'Name of the file; that of its part when absent.',
    }),
  ),
  identification_type: Type.Optional(
    Field('Must equal the type of the identification.', IdentificationType),
  ),
  identification_document_type: Type.Optional(
    Field('Side or page that the file shows; required if the type has several.', DocumentType),
  ),
  content_type: Type.Optional(
    Type.String({ description: 'Media type of the file; must fit its name.' }),
  ),
  size: Type.Optional(
    Type.Integer({ minimum: 1, description: 'Size in bytes; must equal that of the file.' }),
  ),
}

const Bytes = Type.String({ format: 'binary', description: 'Content of a file.' })

/** Metadata may also be sent as text parts before their file. */
export const UploadForm = Type.Object(
  {
    ...metadata,
    metadata: Type.Optional(
      Type.Unsafe<unknown>({
        anyOf: [Strict(metadata), Type.Array(Strict(metadata))],
        description: 'Metadata as JSON: an object for all files, or an array with one for each.',
      }),
    ),
    file: Type.Optional(Field('Content of a single file.', Bytes)),
    files: Type.Optional(
      Type.Array(Bytes, {
        minItems: 1,
        maxItems: FILES_PER_CALL_MAX,
        description: 'Contents of one to five files.',
      }),
    ),
  },
  { title: 'IdentificationUpload' },
)

/** The part `file` answers its file, parts `files` answer a list (D-27). */
export const Uploaded = Type.Unsafe<IdentificationFile | { data: IdentificationFile[] }>({
  anyOf: [
    IdentificationFile,
    Strict({ data: Type.Array(IdentificationFile, { description: 'The new files.' }) }),
  ],
})

export const UserPath = Strict({ user_id: ids.user_id })
export const IdentificationPath = Strict(ids)
export const FilePath = Strict({ ...ids, file_id: Field('Id of the file.', Uuid) })
export type IdentificationPath = Static<typeof IdentificationPath>
export type FilePath = Static<typeof FilePath>

export const Listed = ListQuery({})
