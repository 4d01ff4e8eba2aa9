/**
 * Answers with uploaded bytes: sent unchanged, whole or a range of them (RFC 9110), with headers
 * that keep a browser from treating them as another type.
 */

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ByteRange, Bytes } from '#kit/files/blobs.ts'
import { ApiError } from '#lib/result.ts'

export type Download = {
  content_type: string
  /** RFC 6266; see lib/disposition.ts. */
  disposition: string
  size: number
  /** Changes with the content; sent as the ETag. */
  version: string
  read: (range: ByteRange) => Bytes
}

/** The answer of a route whose `run` gives a Download. */
export const Binary = Type.Unsafe<Download>({ type: 'string', format: 'binary' })

/** Nothing is loaded, no script runs, and the page has no origin. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** A fault before the first byte is an error answer. */
export async function sendDownload(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { content_type, disposition, size, version, read }: Download,
): Promise<FastifyReply> {
  const etag = `"${version}"`
  const isSame = headers['if-range'] === undefined || headers['if-range'] === etag
  const requested = isSame ? rangeIn(headers.range, size) : undefined
  if (requested === 'beyond') {
    reply.header('content-range', `bytes */${size}`)
    throw new ApiError('range_not_satisfiable')
  }
  const range = requested ?? { start: 0, end: size }
  const bytes = await begun(read(range))
  return reply
    .code(requested ? 206 : 200)
    .headers({
      'accept-ranges': 'bytes',
      'content-disposition': disposition,
      'content-length': range.end - range.start,
      'content-security-policy': POLICY,
      'cross-origin-resource-policy': 'same-origin',
      etag,
      ...(requested && { 'content-range': `bytes ${range.start}-${range.end - 1}/${size}` }),
    })
    .type(content_type)
    .send(Readable.from(bytes, { objectMode: false }))
}

/**
 * The requested range; undefined if there is none, or one that may be ignored: malformed, of
 * another unit, or of several parts. No library does all of it (D-372).
 */
export function rangeIn(
  header: string | undefined,
  size: number,
): ByteRange | 'beyond' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  const [start, end] =
    from === ''
      ? [Math.max(0, size - Number(to)), size]
      : [Number(from), to === '' ? size : Math.min(size, Number(to) + 1)]
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  return start >= size || (from === '' && Number(to) === 0) ? 'beyond' : { start, end }
}

/** Waits for the first bytes, so that an unreadable file is an error and not a cut answer. */
export async function begun(bytes: Bytes): Promise<Bytes> {
  const iterator = bytes[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    try {
      for (let next = first; !next.done; next = await iterator.next()) yield next.value
    } finally {
      await iterator.return?.()
    }
  })()
}
