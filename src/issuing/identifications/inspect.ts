/** Inspects a file while it arrives, and again when it is stored (D-219). */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import type { Bytes } from '#kit/files/blobs.ts'
import { entriesOf, readAll, type Stored } from './archive.ts'
import { type Entry, faultOfContentTypes } from './rules/archive.ts'
import type { Dig } from './rules/dig.ts'
import { walkBmp, walkJpeg, walkPng } from './rules/images.ts'
import { type Kind, kinds } from './rules/kinds.ts'
import { pdfInspector } from './rules/pdf.ts'
import { tracesInspector, virusSeeker } from './rules/traces.ts'
import { type Inspector, inspectorOf } from './rules/walk.ts'
import { digWord } from './rules/word.ts'

/** What file-type examines; more than the first bytes of any kind. */
const HEAD_BYTES = 4100

/** A file that is not of its declared type. The message goes to the client. */
export class FileFault extends Error {
  override name = 'FileFault'
}

const walks: Partial<Record<Kind, () => Inspector>> = {
  pdf: pdfInspector,
  jpeg: () => inspectorOf(walkJpeg()),
  png: () => inspectorOf(walkPng()),
  bmp: () => inspectorOf(walkBmp()),
}

/** The same bytes; throws FileFault as soon as one of them is not of its kind. */
export async function* inspected(kind: Kind, bytes: Bytes): AsyncGenerator<Buffer> {
  const own = walks[kind]?.()
  const inspectors = [tracesInspector(kind), ...(own ? [own] : [])]
  let isEmpty = true
  for await (const chunk of withWholeHead(bytes)) {
    if (isEmpty) await assertFirstBytes(kind, chunk)
    isEmpty = false
    for (const inspector of inspectors) assertNone(inspector.take(chunk))
    yield chunk
  }
  if (isEmpty) throw new FileFault('is empty')
  for (const inspector of inspectors) assertNone(inspector.end())
}

function assertNone(fault: string | undefined): void {
  if (fault !== undefined) throw new FileFault(fault)
}

async function assertFirstBytes(kind: Kind, head: Buffer): Promise<void> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head.subarray(0, HEAD_BYTES))
  if (found && kinds[kind].first_bytes.includes(found.mime)) return
  throw new FileFault(`begins like ${found ? `.${found.ext}` : 'no known kind'}, not .${kind}`)
}

/** The first piece contains all bytes that decide the kind. */
async function* withWholeHead(bytes: Bytes): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (!head) yield chunk
    else {
      head = Buffer.concat([head, chunk])
      if (head.length < HEAD_BYTES) continue
      yield head
      head = undefined
    }
  }
  if (head && head.length > 0) yield head
}

/** The structure of office documents. Throws FileFault. */
export async function inspectStored(kind: Kind, stored: Stored): Promise<void> {
  if (kind === 'doc') await dig(digWord(stored.size), stored)
  if (kind !== 'docx') return
  for (const entry of sound(await entriesOf(stored))) await unpack(entry, stored)
}

async function dig<Found>(digging: Dig<Found>, stored: Stored): Promise<Found> {
  let step = digging.next()
  while (!step.done) {
    const { at, length } = step.value
    step = digging.next(await readAll(stored.read({ start: at, end: at + length })))
  }
  return sound(step.value)
}

function sound<Found>(found: Found | { fault: string }): Found {
  if (isFault(found)) throw new FileFault(found.fault)
  return found
}

const isFault = (found: unknown): found is { fault: string } =>
  found !== null && typeof found === 'object' && 'fault' in found

const CONTENT_TYPES = '[content_types].xml'
const CONTENT_TYPES_BYTES_MAX = 1024 * 1024

/** Unpacks one entry without storing it: its size and sum are right, and it has no virus. */
async function unpack(entry: Entry, stored: Stored): Promise<void> {
  const { data, deflated, unpacked } = entry
  const isList = entry.name.toLowerCase() === CONTENT_TYPES
  if (isList && unpacked > CONTENT_TYPES_BYTES_MAX) throw new FileFault('is not a sound archive')
  let size = 0
  let sum = 0
  const list: Buffer[] = []
  const seekVirus = virusSeeker()
  const examine = async (bytes: Bytes) => {
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > unpacked) throw new FileFault('unpacks to more than its stated size')
      sum = crc32(chunk, sum)
      assertNone(seekVirus(chunk))
      if (isList) list.push(chunk)
    }
  }
  const packed = stored.read({ start: data.at, end: data.at + data.length })
  if (deflated) await inflate(packed, examine)
  else await examine(packed)
  if (size !== unpacked || sum !== entry.crc) throw new FileFault('is not a sound archive')
  if (isList) assertNone(faultOfContentTypes(Buffer.concat(list).toString('latin1')))
}

async function inflate(packed: Bytes, examine: (bytes: Bytes) => Promise<void>): Promise<void> {
  try {
    await pipeline(Readable.from(packed, { objectMode: false }), createInflateRaw(), examine)
  } catch (error) {
    const isDamage = error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))
    throw isDamage ? new FileFault('is not a sound archive') : error
  }
}
