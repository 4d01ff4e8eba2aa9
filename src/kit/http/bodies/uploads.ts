/**
 * Bodies of multipart/form-data, part by part as they arrive: no file is held in memory. A route's
 * `receive` reads the parts before its `run`, so that `run` gets the equivalent of a JSON body: it
 * has a fingerprint for its idempotency key, and can run in one transaction.
 */

import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bytes } from '#kit/files/blobs.ts'
import { ApiError } from '#lib/result.ts'
import { isCleanText } from '#lib/text.ts'

export type TextPart = { kind: 'text'; name: string; text: string }
export type FilePart = {
  kind: 'file'
  name: string
  /** The client's name of the file, without folders; empty when there is none. */
  file_name: string
  content_type: string
  /** Throws too_large past the limit, and body_invalid when the body breaks off. */
  bytes: Bytes
}
/** The next part comes only after the bytes of this one were read. */
export type Parts = (limits: FileLimits) => AsyncIterable<TextPart | FilePart>
type FileLimits = { files: number; file_bytes: number }

export type Received<Body> = {
  body: Body
  /** Identifies this content. */
  fingerprint: string
  /** Always called at the end: removes what no transaction refers to. */
  settle: () => Promise<void>
}

const FIELDS_MAX = 60
const FIELD_BYTES = 16 * 1024
const NAME_BYTES = 100
const HEADERS_MAX = 20
/** The bytes beside the files: headers, boundaries and fields. */
const OVERHEAD_BYTES = FIELDS_MAX * FIELD_BYTES

/** A body of another type is left unread; `partsOf` rejects it. Routes set their own limits. */
export async function acceptPartsOnly(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers()
  await scope.register(multipart, { throwFileSizeLimit: false })
  scope.addContentTypeParser('*', async () => undefined)
}

export function partsOf(request: FastifyRequest): Parts {
  if (!request.isMultipart()) {
    throw new ApiError('content_type_unsupported', {
      detail: 'The body must be multipart/form-data.',
    })
  }
  return (limits) => partsWithin(request, limits)
}

async function* partsWithin(
  request: FastifyRequest,
  { files, file_bytes }: FileLimits,
): AsyncGenerator<TextPart | FilePart> {
  if (Number(request.headers['content-length']) > files * file_bytes + OVERHEAD_BYTES) {
    throw tooLarge(file_bytes)
  }
  const limits = {
    files,
    fileSize: file_bytes,
    fields: FIELDS_MAX,
    parts: files + FIELDS_MAX,
    fieldSize: FIELD_BYTES,
    fieldNameSize: NAME_BYTES,
    headerPairs: HEADERS_MAX,
  }
  try {
    for await (const part of request.parts({ limits })) {
      assertClean(part.fieldname)
      if (part.type === 'file') {
        const { fieldname, filename, mimetype, file } = part
        yield {
          kind: 'file',
          name: fieldname,
          file_name: filename ?? '',
          content_type: mimetype,
          bytes: bytesOf(file, file_bytes),
        }
        continue
      }
      if (part.fieldnameTruncated || part.valueTruncated) throw badBody('A field is too long.')
      yield { kind: 'text', name: part.fieldname, text: fieldText(part.value) }
    }
  } catch (error) {
    throw asBadBody(error)
  } finally {
    // The rest of the body is read and dropped, so that the answer reaches the client.
    request.raw.unpipe()
    request.raw.resume()
  }
}

type FileStream = AsyncIterable<Buffer> & { truncated: boolean }

async function* bytesOf(file: FileStream, file_bytes: number): AsyncGenerator<Buffer> {
  try {
    yield* file
  } catch (error) {
    throw asBadBody(error)
  }
  if (file.truncated) throw tooLarge(file_bytes)
}

/** The text of a part that came with a file name. Fails with `body_invalid` past 16 KiB. */
export async function textOf({ bytes }: FilePart): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > FIELD_BYTES) throw badBody('A field is too long.')
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw badBody('A field is not valid UTF-8.')
  }
}

/** The plugin parses fields that are declared as JSON; here all fields are text. */
function fieldText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  assertClean(text)
  return text
}

function assertClean(text: string): void {
  if (!isCleanText(text)) throw badBody('Text holds U+0000 or a lone surrogate.')
}

const tooLarge = (bytes: number) =>
  new ApiError('too_large', { detail: `A file may have up to ${bytes} bytes.` })

const badBody = (detail: string) => new ApiError('body_invalid', { detail })

export const tooManyParts = () => badBody('The body has too many files or parts.')

const COUNTS = /^FST_(PARTS|FILES|FIELDS)_LIMIT$/

function asBadBody(error: unknown): unknown {
  if (error instanceof ApiError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (COUNTS.test(code)) return tooManyParts()
  return badBody('The body is not whole multipart/form-data.')
}
