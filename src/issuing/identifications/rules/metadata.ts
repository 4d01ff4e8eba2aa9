/** Metadata that a client sends, checked against the identification and the file itself. */

import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import { type DocumentType, documentTypes, type IdentificationType } from './documents.ts'
import { contentTypeOf, type Kind, kindOfContentType } from './kinds.ts'
import { kindOfName } from './names.ts'

export const metadataNames = [
  'id',
  'file_name',
  'identification_type',
  'identification_document_type',
  'content_type',
  'size',
] as const
export type MetadataName = (typeof metadataNames)[number]

/** Fields as they were sent, as text or as JSON. */
export type PartFields = { readonly [Name in MetadataName]?: unknown }

/** Values of the headers of the file's part. */
export type PartHeaders = { file_name: string; content_type: string }

export type Metadata = {
  id: string | undefined
  file_name: string
  identification_type: IdentificationType
  identification_document_type: DocumentType
  content_type: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Clients that do not know the type of a file send the first, or nothing; the second is the default
 * of a form (RFC 7578, 4.4).
 */
const NOT_STATED = /^(application\/octet-stream|text\/plain)?$/i

/** The kind that name and declared type state together; checked before a byte is stored. */
export function checkPart(
  fields: PartFields,
  part: PartHeaders,
): Result<Kind, 'validation_failed'> {
  const errors: Fault[] = []
  const names = [part.file_name, fields.file_name].filter(
    (name) => name !== undefined && name !== '',
  )
  if (names.length === 0) errors.push({ path: 'file_name', message: 'is required' })
  const kinds = new Set<Kind>()
  for (const name of names) {
    const found = typeof name === 'string' ? kindOfName(name) : { fault: 'must be of type string' }
    if ('kind' in found) kinds.add(found.kind)
    else errors.push({ path: 'file_name', message: found.fault })
  }
  for (const type of [part.content_type, fields.content_type ?? '']) {
    if (typeof type === 'string' && NOT_STATED.test(type)) continue
    const kind = typeof type === 'string' ? kindOfContentType(type) : undefined
    if (kind) kinds.add(kind)
    else errors.push({ path: 'content_type', message: 'is not accepted' })
  }
  if (kinds.size > 1) errors.push({ path: 'content_type', message: 'does not fit the file name' })
  const [kind] = kinds
  return errors.length > 0 || !kind ? fail('validation_failed', { errors }) : ok(kind)
}

/** The message for a file of another type than its identification. */
export const typeFault = (type: string): string => `must be that of its identification: ${type}`

/** The whole metadata of a file that has arrived. */
export function checkMetadata(
  type: IdentificationType,
  fields: PartFields,
  file: PartHeaders & { kind: Kind; size: number },
): Result<Metadata, 'validation_failed'> {
  const part = checkPart(fields, file)
  const errors: Fault[] = part.ok ? [] : [...(part.errors ?? [])]
  if (fields.id !== undefined && (typeof fields.id !== 'string' || !UUID.test(fields.id))) {
    errors.push({ path: 'id', message: 'must be a UUID' })
  }
  if ((fields.identification_type ?? type) !== type) {
    errors.push({ path: 'identification_type', message: typeFault(type) })
  }
  if (fields.size !== undefined && Number(fields.size) !== file.size) {
    errors.push({ path: 'size', message: `is not the size of the file: ${file.size}` })
  }
  const pairs: readonly DocumentType[] = documentTypes[type]
  const requested =
    fields.identification_document_type ?? (pairs.length === 1 ? pairs[0] : undefined)
  const document_type = pairs.find((pair) => pair === requested)
  if (!document_type) {
    const message = requested === undefined ? 'is required' : `must be one of ${pairs.join(', ')}`
    errors.push({ path: 'identification_document_type', message })
  }
  if (errors.length > 0 || !document_type) return fail('validation_failed', { errors })
  return ok({
    id: typeof fields.id === 'string' ? fields.id.toLowerCase() : undefined,
    file_name: typeof fields.file_name === 'string' ? fields.file_name : file.file_name,
    identification_type: type,
    identification_document_type: document_type,
    content_type: contentTypeOf(file.kind),
  })
}
