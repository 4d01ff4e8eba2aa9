/** Answers of any length as CSV, written while they are read, with one page in memory. */

import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contentDisposition } from '#kit/http/answers/disposition.ts'
import { prefers } from './accept.ts'
import { begun } from './downloads.ts'

export type CsvExport = {
  file_name: string
  /** Whole lines, the names of the columns in the first; pulled as fast as the client reads. */
  text: AsyncIterable<string>
}

export const CSV = 'text/csv'

/** Sets `vary` on either answer, because it depends on `accept`. */
export function wantsCsv({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', 'accept')
  return prefers(headers.accept, CSV, 'application/json')
}

/**
 * There is no largest size. A fault before the first line is an error answer; after it the
 * connection is cut, so that a client never takes a part for the whole.
 */
export async function sendCsv(
  reply: FastifyReply,
  { file_name, text }: CsvExport,
): Promise<FastifyReply> {
  const bytes = await begun(inBytes(text))
  return reply
    .header('content-disposition', contentDisposition('attachment', file_name))
    .type(`${CSV}; charset=utf-8; header=present`)
    .send(Readable.from(bytes, { objectMode: false }))
}

async function* inBytes(text: AsyncIterable<string>) {
  for await (const part of text) yield Buffer.from(part)
}
