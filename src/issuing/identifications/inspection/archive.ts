/** Reads the directory of an archive in the store with yauzl, and each entry's header (D-370). */

import {
  fromRandomAccessReaderPromise,
  RandomAccessReader,
  type ZipFile,
  type Entry as ZipRecord,
} from 'yauzl'
import type { ByteRange, Bytes } from '#kit/files/blobs.ts'
import {
  DIRECTORY_BYTES_MAX,
  END_BYTES,
  ENTRIES_MAX,
  type Entry,
  entryOf,
  type Form,
  faultOfList,
  isEndOf,
  type Listed,
  lengthOf,
  listedIn,
  NOT_SOUND,
  positionOf,
  TOO_MANY,
} from '../rules/archive.ts'
import type { SpanReader } from '../rules/spans.ts'

export type Stored = { size: number; read: (range: ByteRange) => Bytes }

/** The extra field with sizes above 4 GiB, which no upload has. */
const ZIP64 = 0x0001

/** Names remain bytes: the rules read them. The archive is not closed, because it has no handle. */
const OPTIONS = { autoClose: false, decodeStrings: false }

/**
 * The end of the archive, behind which there is padding at most: zeros are among its last bytes, so
 * that `solid` is near its end. It is the end of the file where nothing ends an archive there.
 */
export async function archiveEnd({ size, read }: Stored, solid: number): Promise<number> {
  const start = Math.max(0, solid - END_BYTES)
  const last = await readAll(read({ start, end: Math.min(size, solid + END_BYTES) }))
  const at = last.lastIndexOf('PK\x05\x06')
  const end = start + at + END_BYTES
  return at >= 0 && end >= solid && end <= size ? end : size
}

/** The entries in the order of their position, or what is wrong. Throws what the store throws. */
export async function entriesOf(
  stored: Stored,
  form: Form = 'document',
): Promise<Entry[] | { fault: string }> {
  const { size } = stored
  const reader = new StoredReader(stored)
  const archive = await reader.sound(fromRandomAccessReaderPromise(reader, size, OPTIONS))
  if (!archive) return NOT_SOUND
  if (archive.entryCount > ENTRIES_MAX) return TOO_MANY
  // Before the first entry it is the position of the directory; the library's types are wrong.
  const at = Number(archive.readEntryCursor)
  const records = await reader.sound(recordsOf(archive))
  const listed = records && listedIn(records)
  if (!listed) return NOT_SOUND

  const end = Buffer.alloc(END_BYTES)
  await reader.copy(end, size - END_BYTES)
  const length = records.reduce((sum, record) => sum + lengthOf(record), 0)
  if (!isEndOf({ at, length }, records.length, end, size)) return NOT_SOUND
  return faultOfList(listed, size, form) ?? (await placed(reader, archive, listed, at))
}

/**
 * No more of them than a directory may have bytes. Extra fields are dropped, since each is an
 * object that is larger than its bytes; one of ZIP64 may name other sizes than other readers find.
 */
async function recordsOf(archive: ZipFile): Promise<ZipRecord[] | undefined> {
  const records: ZipRecord[] = []
  let length = 0
  for await (const record of archive.eachEntry()) {
    length += lengthOf(record)
    if (length > DIRECTORY_BYTES_MAX) return undefined
    if (record.extraFields.some(({ id }) => id === ZIP64)) return undefined
    record.extraFields = []
    records.push(record)
  }
  return records
}

/** The entries with the place of their bytes: the first begins the file, the last ends it. */
async function placed(
  reader: StoredReader,
  archive: ZipFile,
  listed: readonly Listed[],
  end: number,
): Promise<Entry[] | { fault: string }> {
  const entries: Entry[] = []
  for (const [place, each] of listed.entries()) {
    if (place === 0 && positionOf(each) !== 0) return NOT_SOUND
    const next = listed[place + 1]
    const local = await reader.sound(archive.readLocalFileHeaderPromise(each.record))
    const entry = local && entryOf(each, local, next ? positionOf(next) : end)
    if (!entry) return NOT_SOUND
    entries.push(entry)
  }
  return entries
}

/** The store is read in blocks, because an archive's headers are short and follow each other. */
const BLOCK_BYTES = 64 * 1024

class StoredReader extends RandomAccessReader {
  readonly #stored: Stored
  #block: { at: number; bytes: Buffer } = { at: 0, bytes: Buffer.alloc(0) }
  #failure: { cause: unknown } | undefined

  constructor(stored: Stored) {
    super()
    this.#stored = stored
  }

  /** The library's reading of the archive; undefined if it does not understand the archive. */
  async sound<Found>(reading: Promise<Found>): Promise<Found | undefined> {
    try {
      return await reading
    } catch {
      if (this.#failure) throw this.#failure.cause
      return undefined
    }
  }

  /** The library's way to bytes. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    void this.#answer(buffer.subarray(offset, offset + length), position, callback)
  }

  /**
   * An error that the library throws on these bytes goes back to it, as an error of its reading.
   */
  async #answer(
    target: Buffer,
    position: number,
    callback: (error: Error | null) => void,
  ): Promise<void> {
    try {
      await this.copy(target, position)
      callback(null)
    } catch (error) {
      callback(error instanceof Error ? error : new Error('the store failed', { cause: error }))
    }
  }

  /** Fills the target from this position; throws a RangeError where the file ends before. */
  async copy(target: Buffer, position: number): Promise<void> {
    if (position + target.length > this.#stored.size) throw new RangeError('behind the end')
    for (let done = 0; done < target.length; ) {
      const at = position + done
      if (at < this.#block.at || at >= this.#block.at + this.#block.bytes.length) {
        await this.#load(at - (at % BLOCK_BYTES))
      }
      done += this.#block.bytes.copy(target, done, at - this.#block.at)
    }
  }

  async #load(at: number): Promise<void> {
    const end = Math.min(at + BLOCK_BYTES, this.#stored.size)
    try {
      const bytes = await readAll(this.#stored.read({ start: at, end }))
      if (bytes.length !== end - at) throw new Error('the store holds less than it states')
      this.#block = { at, bytes }
    } catch (cause) {
      this.#failure = { cause }
      throw cause
    }
  }
}

export async function readAll(bytes: Bytes): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The result of a reader, which gets the spans that it requests. */
export async function readSpans<Result>(
  reader: SpanReader<Result>,
  stored: Pick<Stored, 'read'>,
): Promise<Result> {
  let step = reader.next()
  while (!step.done) {
    const { at, length } = step.value
    step = reader.next(await readAll(stored.read({ start: at, end: at + length })))
  }
  return step.value
}
