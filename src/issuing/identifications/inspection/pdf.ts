/** The end of a PDF, whether it opens without a password, and what its packed objects name. */

import { inflateSync, constants as zlib } from 'node:zlib'
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

/** A stream that is packed or encrypted otherwise than PDF has it says nothing to a reader. */
async function inspectPacked(
  streams: readonly ObjectStream[],
  stored: Stored,
  decrypt: Decrypt | undefined,
): Promise<void> {
  let unpacked = 0
  for (const { at, data, number, generation } of streams) {
    const bytes = await streamBytes(await dictionaryAt(stored, at), data, stored)
    const plain = decrypt ? decrypt({ number, generation, bytes }) : bytes
    const objects = inflated(plain)
    unpacked += objects.length
    if (unpacked > UNPACKED_MAX) throw new FileFault('unpacks to far more than it should')
    const fault = faultOfObjects(objects)
    if (fault !== undefined) throw new FileFault(fault)
  }
}

async function streamBytes(
  dictionary: ReadonlyMap<string, Value>,
  data: number,
  stored: Stored,
): Promise<Buffer> {
  const stated = dictionary.get('Length')
  const length = stated?.kind === 'word' ? Number(stated.text) : Number.NaN
  if (length >= 0 && length <= STREAM_BYTES) return bytesAt(stored, data, length)
  const bytes = await bytesAt(stored, data, STREAM_BYTES)
  const end = bytes.indexOf('endstream')
  return end < 0 ? bytes : bytes.subarray(0, end)
}

function inflated(bytes: Buffer): Buffer {
  try {
    const options = { maxOutputLength: UNPACKED_MAX / 4, finishFlush: zlib.Z_SYNC_FLUSH }
    return inflateSync(bytes, options)
  } catch (error) {
    const isBurst =
      error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (isBurst) throw new FileFault('unpacks to far more than it should')
    return bytes
  }
}
