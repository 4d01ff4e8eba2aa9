/** Inspects a whole file in the store (D-219). It runs in a thread of its own (D-969). */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import type { ByteRange, Bytes } from '#kit/files/blobs.ts'
import {
  type Entry,
  type Form,
  faultOfContentTypes,
  isWorkbook,
  WORKBOOK_BYTES_MAX,
} from '../rules/archive.ts'
import type { Kind } from '../rules/kinds.ts'
import { PdfScan } from '../rules/pdf/scan.ts'
import {
  ARCHIVE_TAIL_BYTES,
  archiveIn,
  type Marks,
  tracesInspector,
  virusSeeker,
} from '../rules/traces.ts'
import { isInStream, readWord } from '../rules/word.ts'
import { archiveEnd, entriesOf, readAll, readSpans, type Stored } from './archive.ts'
import { inBlocks } from './blocks.ts'
import { FileFault } from './faults.ts'
import { endOfPdf } from './pdf.ts'
import { endOfPicture, inspectorOfPicture } from './pictures.ts'

export type Outcome = { end: number } | { fault: string }

/** The end of the file that is to be stored, or its fault. Throws what the store throws. */
export async function inspectFile(kind: Kind, stored: Stored): Promise<Outcome> {
  try {
    return { end: await soundEnd(kind, stored) }
  } catch (error) {
    if (error instanceof FileFault) return { fault: error.message }
    throw error
  }
}

async function soundEnd(kind: Kind, stored: Stored): Promise<number> {
  const picture = inspectorOfPicture(kind)
  const pdf = kind === 'pdf' ? new PdfScan() : undefined
  const traces = tracesInspector(kind)
  for await (const chunk of stored.read({ start: 0, end: stored.size })) {
    assertNone(traces.take(chunk))
    assertNone(pdf?.take(chunk))
    assertNone(picture?.take(chunk))
  }
  assertNone(pdf?.end())
  const marks = traces.marks()
  const parts = inBlocks(stored)
  const end = pdf
    ? await endOfPdf(pdf, parts, marks)
    : picture
      ? await endOfPicture(kind, picture, parts, marks)
      : await inspectStored(kind, parts, marks)
  if (marks.page < end) throw new FileFault('holds a script or a page')
  if (kind !== 'docx') await assertNoArchive(kind, parts, end)
  return end
}

/** The theme of a Word document since 2007 is an archive in one of its streams (D-1007). */
async function assertNoArchive(kind: Kind, stored: Stored, end: number): Promise<void> {
  const start = Math.max(0, end - ARCHIVE_TAIL_BYTES)
  const at = archiveIn(await readAll(stored.read({ start, end })))
  if (at < 0) return
  const isOwn =
    kind === 'doc' && sound(await readSpans(isInStream(stored.size, start + at), stored))
  if (!isOwn) throw new FileFault('is an archive too')
}

/** The structure of office documents. Throws FileFault. */
export async function inspectStored(
  kind: Kind,
  stored: Stored,
  { solid }: Pick<Marks, 'solid'> = { solid: stored.size },
): Promise<number> {
  if (kind === 'doc') sound(await readSpans(readWord(stored.size), stored))
  if (kind !== 'docx') return stored.size
  const size = await archiveEnd(stored, solid)
  await inspectArchive({ ...stored, size }, 'document')
  return size
}

async function inspectArchive(stored: Stored, form: Form): Promise<void> {
  const entries = sound(await entriesOf(stored, form))
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  for (const entry of entries) await unpack(entry, stored, { names, form })
}

/** A workbook in memory, which holds no further one. */
async function inspectWorkbook(bytes: Buffer): Promise<void> {
  const stored = {
    size: bytes.length,
    async *read({ start, end }: ByteRange) {
      yield bytes.subarray(start, end)
    },
  }
  await inspectArchive(stored, 'workbook')
}

function assertNone(fault: string | undefined): void {
  if (fault !== undefined) throw new FileFault(fault)
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
async function unpack(
  entry: Entry,
  stored: Stored,
  { names, form }: { names: ReadonlySet<string>; form: Form },
): Promise<void> {
  const { data, deflated, unpacked } = entry
  const isList = entry.name.toLowerCase() === CONTENT_TYPES
  if (isList && unpacked > CONTENT_TYPES_BYTES_MAX) throw new FileFault('is not a sound archive')
  const isNested = form === 'document' && isWorkbook(entry)
  if (isNested && unpacked > WORKBOOK_BYTES_MAX) throw new FileFault('holds too large a workbook')
  let size = 0
  let sum = 0
  const kept: Buffer[] = []
  const seekVirus = virusSeeker()
  const examine = async (bytes: Bytes) => {
    for await (const chunk of bytes) {
      size += chunk.length
      if (size > unpacked) throw new FileFault('unpacks to more than its stated size')
      sum = crc32(chunk, sum)
      assertNone(seekVirus(chunk))
      if (isList || isNested) kept.push(chunk)
    }
  }
  const packed = stored.read({ start: data.at, end: data.at + data.length })
  if (deflated) await inflate(packed, examine)
  else await examine(packed)
  if (size !== unpacked || sum !== entry.crc) throw new FileFault('is not a sound archive')
  const bytes = Buffer.concat(kept)
  if (isList) assertNone(faultOfContentTypes(bytes.toString('latin1'), names, form))
  if (isNested) await inspectWorkbook(bytes)
}

async function inflate(packed: Bytes, examine: (bytes: Bytes) => Promise<void>): Promise<void> {
  try {
    await pipeline(Readable.from(packed, { objectMode: false }), createInflateRaw(), examine)
  } catch (error) {
    const isDamage = error instanceof Error && 'code' in error && /^Z_/.test(String(error.code))
    throw isDamage ? new FileFault('is not a sound archive') : error
  }
}
