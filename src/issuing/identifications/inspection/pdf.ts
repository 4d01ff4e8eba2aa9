/** The end of a PDF, whether it opens without a password, and what its packed objects name. */

import { inflateSync } from 'node:zlib'
import { type Value, Values } from '../rules/pdf/objects.ts'
import { faultOfObjects, type ObjectStream, type PdfScan } from '../rules/pdf/scan.ts'
import type { Marks } from '../rules/traces.ts'
import { CUT_SHORT, TRAILING } from '../rules/walk.ts'
import { readAll, type Stored } from './archive.ts'
import { FileFault } from './faults.ts'
import { type Decrypt, openWithoutPassword } from './pdf_password.ts'

const ENCRYPTED = 'needs a password to open, so that it cannot be inspected'
/** A dictionary is shorter; a stream of a hundred objects too. */
const DICTIONARY_BYTES = 16 * 1024
const STREAM_BYTES = 4 * 1024 * 1024
const UNPACKED_MAX = 256 * 1024 * 1024
/** Blanks in front of the end of a stream. */
const END_WITHIN = 32
const UNREADABLE = 'holds packed objects that cannot be inspected'
const BURSTS = 'unpacks to far more than it should'

export async function endOfPdf(scan: PdfScan, stored: Stored, marks: Marks): Promise<number> {
  const decrypt = await openedBy(scan, stored)
  await inspectPacked(scan.objectStreams, stored, decrypt)
  if (marks.pdfEnd === undefined) throw new FileFault(marks.hasStart ? TRAILING : CUT_SHORT)
  const line = await bytesAt(stored, marks.pdfEnd, 2)
  const ends = line[0] === 13 && line[1] === 10 ? 2 : line[0] === 13 || line[0] === 10 ? 1 : 0
  const end = marks.pdfEnd + ends
  if (marks.solid > end) throw new FileFault(TRAILING)
  return end
}

function bytesAt({ size, read }: Stored, at: number, length: number): Promise<Buffer> {
  return readAll(read({ start: Math.min(at, size), end: Math.min(size, at + length) }))
}

async function dictionaryAt(stored: Stored, at: number): Promise<ReadonlyMap<string, Value>> {
  const value = new Values(await bytesAt(stored, at, DICTIONARY_BYTES), 0).read()
  return value?.kind === 'dictionary' ? value.entries : new Map()
}

/** Undefined where nothing is encrypted. Throws where a password is needed. */
async function openedBy(scan: PdfScan, stored: Stored): Promise<Decrypt | undefined> {
  let opened: Decrypt | undefined
  for (const { at } of scan.encrypted.slice(0, 16)) {
    const trailer = await dictionaryAt(stored, at)
    const encrypt = await encryptionOf(trailer.get('Encrypt'), scan, stored)
    const id = trailer.get('ID')
    const [first] = id?.kind === 'list' ? id.items : []
    opened ??=
      encrypt &&
      openWithoutPassword(encrypt, first?.kind === 'string' ? first.bytes : Buffer.alloc(0))
  }
  if (scan.encrypted.length > 0 && !opened) throw new FileFault(ENCRYPTED)
  return opened
}

async function encryptionOf(
  value: Value | undefined,
  scan: PdfScan,
  stored: Stored,
): Promise<ReadonlyMap<string, Value> | undefined> {
  if (value?.kind === 'dictionary') return value.entries
  if (value?.kind !== 'reference') return undefined
  const place = scan.standard.find(({ number }) => number === value.number)
  return place && dictionaryAt(stored, place.at)
}

/**
 * The objects of each stream of objects. A stream that a reader may unpack and this cannot is
 * refused, since it may contain anything (D-993).
 */
async function inspectPacked(
  streams: readonly ObjectStream[],
  stored: Stored,
  decrypt: Decrypt | undefined,
): Promise<void> {
  let unpacked = 0
  for (const stream of streams) {
    const length = Math.min(DICTIONARY_BYTES, stream.data - stream.at)
    const value = new Values(await bytesAt(stored, stream.at, length), 0).read()
    if (value?.kind !== 'dictionary') throw new FileFault(UNREADABLE)
    const packed = await packedBytes(value.entries, stream, stored)
    const plain = decrypt ? decrypt({ ...stream, bytes: packed }) : packed
    const objects = isDeflated(value.entries) ? inflated(plain) : plain
    unpacked += objects.length
    if (unpacked > UNPACKED_MAX) throw new FileFault(BURSTS)
    const fault = faultOfObjects(objects, wordOf(value.entries, 'First') ?? 0)
    if (fault !== undefined) throw new FileFault(fault)
  }
}

function wordOf(dictionary: ReadonlyMap<string, Value>, name: string): number | undefined {
  const value = dictionary.get(name)
  return value?.kind === 'word' && /^\d{1,10}$/.test(value.text) ? Number(value.text) : undefined
}

/** Writers pack objects in one way, or not at all. */
function isDeflated(dictionary: ReadonlyMap<string, Value>): boolean {
  const [filter, parameters] = ['Filter', 'DecodeParms'].map((name) => {
    const value = dictionary.get(name)
    return value?.kind === 'list' && value.items.length === 1 ? value.items[0] : value
  })
  const isNull = parameters?.kind === 'word' && parameters.text === 'null'
  const isPlain = parameters === undefined || isNull || isWithoutPredictor(parameters)
  if (dictionary.has('F')) throw new FileFault(UNREADABLE)
  if (!filter) return false
  if (filter?.kind !== 'name' || filter.text !== 'FlateDecode' || !isPlain) {
    throw new FileFault(UNREADABLE)
  }
  return true
}

const isWithoutPredictor = (value: Value) =>
  value.kind === 'dictionary' && (wordOf(value.entries, 'Predictor') ?? 1) === 1

/** By its length where its end is there, otherwise up to its first end, as readers do. */
async function packedBytes(
  dictionary: ReadonlyMap<string, Value>,
  { data }: ObjectStream,
  stored: Stored,
): Promise<Buffer> {
  const length = wordOf(dictionary, 'Length')
  if (length !== undefined && length <= STREAM_BYTES) {
    const bytes = await bytesAt(stored, data, length + END_WITHIN)
    if (/^\s*endstream/.test(bytes.toString('latin1', length))) return bytes.subarray(0, length)
  }
  const bytes = await bytesAt(stored, data, STREAM_BYTES)
  const end = bytes.indexOf('endstream')
  if (end < 0) throw new FileFault(UNREADABLE)
  return bytes.subarray(0, end)
}

function inflated(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: UNPACKED_MAX / 4 })
  } catch (error) {
    const isBurst =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new FileFault(isBurst ? BURSTS : UNREADABLE)
  }
}
