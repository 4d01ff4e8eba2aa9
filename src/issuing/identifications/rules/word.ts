/**
 * Word documents of the old kind: a compound file (MS-CFB) whose root contains a Word document, no
 * other office's, no macros. A library would take the whole file in memory (D-372).
 */

import type { FaultReader, Span, SpanReader } from './spans.ts'

const HEADER_BYTES = 512
const ENTRY_BYTES = 128
const FAT_IN_HEADER = 109
/** 512 sectors of 8 entries; a document has a few. */
const DIRECTORY_SECTORS_MAX = 512
const SECTOR_MAX = 0xfffffffa
const NONE = 0xffffffff
/** Word 97 and later, and the two before it. */
const WORDS = [0xa5ec, 0xa5dc]
const [STORAGE, STREAM, ROOT] = [1, 2, 5]

const NOT_WORD = { fault: 'is not a Word document' }
/** Names in a compound file are the same in other cases. */
const DOCUMENT = /^worddocument$/i
const OTHER = /^(workbook|book|powerpoint document|encryptedpackage|encryptioninfo)$/i
const MACROS = /^(macros|_vba_project_cur|vba)$/i
/** The flag fEncrypted in the base of the document's own header (MS-DOC 2.5.2). */
const ENCRYPTED = 0x0100

type Entry = {
  name: string
  type: number
  left: number
  right: number
  child: number
  start: number
  size: number
}
type Layout = {
  size: number
  sector_bytes: number
  fat: readonly number[]
  /** The sectors of the allocation table that were looked for, by their number. */
  tables: Map<number, number | undefined>
}

export function* readWord(size: number): FaultReader<'word'> {
  if (size < HEADER_BYTES * 3) return NOT_WORD
  const header = yield { at: 0, length: HEADER_BYTES }
  const layout = layoutOf(size, header)
  if (!layout) return NOT_WORD
  const directory = yield* readDirectory(layout, header)
  if (!directory) return NOT_WORD
  const names = inRoot(directory)
  const document = names.find(({ name, type }) => DOCUMENT.test(name) && type === STREAM)
  if (!document || names.some(({ name }) => OTHER.test(name))) return NOT_WORD
  if (names.some(({ name, type }) => type === STORAGE && MACROS.test(name))) {
    return { fault: 'holds macros' }
  }
  const span = yield* startOf(layout, header, document, directory[0])
  if (!span) return NOT_WORD
  const base = yield span
  if (!WORDS.includes(base.readUInt16LE(0))) return NOT_WORD
  const isEncrypted = (base.readUInt16LE(10) & ENCRYPTED) !== 0
  return isEncrypted ? { fault: 'is encrypted, so that it cannot be inspected' } : 'word'
}

function layoutOf(size: number, header: Buffer): Layout | undefined {
  const shift = header.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) return undefined
  const fat = Array.from({ length: FAT_IN_HEADER }, (_, at) => header.readUInt32LE(76 + at * 4))
  return { size, sector_bytes: 2 ** shift, fat, tables: new Map() }
}

/**
 * Whether the byte at this position is in a stream of the document. Not more sectors are followed
 * than the file has, so that a ring ends.
 */
export function* isInStream(size: number, position: number): FaultReader<boolean> {
  const header = yield { at: 0, length: HEADER_BYTES }
  const layout = layoutOf(size, header)
  const directory = layout && (yield* readDirectory(layout, header))
  if (!layout || !directory) return NOT_WORD
  const wanted = Math.floor(position / layout.sector_bytes) - 1
  let left = Math.ceil(size / layout.sector_bytes)
  for (const { type, start, size: bytes } of directory) {
    const isWhole = type === ROOT || (type === STREAM && bytes >= SMALL)
    let sector: number | undefined = isWhole ? start : NONE
    for (; sector !== undefined && sector < SECTOR_MAX && left > 0; left--) {
      if (sector === wanted) return true
      sector = yield* nextSector(layout, header, sector)
    }
  }
  return false
}

function sectorSpan({ size, sector_bytes }: Layout, sector: number): Span | undefined {
  const at = (sector + 1) * sector_bytes
  return sector < SECTOR_MAX && at + HEADER_BYTES <= size
    ? { at, length: Math.min(sector_bytes, size - at) }
    : undefined
}

/** Streams below 4 KiB are stored in small pieces of the root's own stream. */
const SMALL = 4096
const PIECE_BYTES = 64
const BASE_BYTES = 12

/** The place where a stream begins. */
function* startOf(
  layout: Layout,
  header: Buffer,
  { start, size }: Entry,
  root: Entry | undefined,
): SpanReader<Span | undefined> {
  if (size >= SMALL) return sectorSpan(layout, start)
  const at = start * PIECE_BYTES
  let sector = root?.start ?? NONE
  const steps = Math.floor(at / layout.sector_bytes)
  if (steps > DIRECTORY_SECTORS_MAX) return undefined
  for (let step = 0; step < steps; step++) {
    sector = (yield* nextSector(layout, header, sector)) ?? NONE
  }
  const span = sectorSpan(layout, sector)
  const within = at % layout.sector_bytes
  return span && within + BASE_BYTES <= span.length
    ? { at: span.at + within, length: BASE_BYTES }
    : undefined
}

/** The directory's sectors are a chain; the allocation table has the next sector of each. */
function* readDirectory(layout: Layout, header: Buffer): SpanReader<Entry[] | undefined> {
  const entries: Entry[] = []
  let sector = header.readUInt32LE(48)
  for (let count = 0; sector < SECTOR_MAX; count++) {
    const span = sectorSpan(layout, sector)
    if (!span || count === DIRECTORY_SECTORS_MAX) return undefined
    const bytes = yield span
    for (let at = 0; at + ENTRY_BYTES <= bytes.length; at += ENTRY_BYTES) {
      entries.push(entryOf(bytes.subarray(at, at + ENTRY_BYTES)))
    }
    const next = yield* nextSector(layout, header, sector)
    if (next === undefined) return undefined
    sector = next
  }
  return entries
}

function* nextSector(
  layout: Layout,
  header: Buffer,
  sector: number,
): SpanReader<number | undefined> {
  if (!sectorSpan(layout, sector)) return undefined
  const perSector = layout.sector_bytes / 4
  const number = Math.floor(sector / perSector)
  const table = layout.tables.has(number)
    ? layout.tables.get(number)
    : yield* tableSector(layout, header, number)
  layout.tables.set(number, table)
  const span = table === undefined ? undefined : sectorSpan(layout, table)
  if (!span) return undefined
  const at = (sector % perSector) * 4
  const bytes = yield span
  return at + 4 <= bytes.length ? bytes.readUInt32LE(at) : undefined
}

/** Position of a sector of the allocation table: in the header, or in a chain that it begins. */
function* tableSector(
  layout: Layout,
  header: Buffer,
  number: number,
): SpanReader<number | undefined> {
  if (number < FAT_IN_HEADER) return layout.fat[number]
  const perSector = layout.sector_bytes / 4 - 1
  let sector = header.readUInt32LE(68)
  for (let rest = number - FAT_IN_HEADER; ; rest -= perSector) {
    const span = sectorSpan(layout, sector)
    if (!span || span.length < layout.sector_bytes) return undefined
    const bytes = yield span
    if (rest < perSector) return bytes.readUInt32LE(rest * 4)
    sector = bytes.readUInt32LE(perSector * 4)
  }
}

function entryOf(bytes: Buffer): Entry {
  const length = Math.min(64, bytes.readUInt16LE(64))
  const [left = NONE, right = NONE, child = NONE, start = NONE, size = 0] = [
    ...[68, 72, 76, 116, 120].map((at) => bytes.readUInt32LE(at)),
  ]
  const name = bytes.toString('utf16le', 0, Math.max(0, length - 2))
  return { name, type: bytes.readUInt8(66), left, right, child, start, size }
}

/** The entries of the root itself: a tree of siblings. */
function inRoot(directory: readonly Entry[]): Entry[] {
  const found: Entry[] = []
  const waiting = [directory[0]?.child ?? NONE]
  const visited = new Set<number>()
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const entry = directory[id]
    if (!entry || visited.has(id)) continue
    visited.add(id)
    found.push(entry)
    waiting.push(entry.left, entry.right)
  }
  return found
}
