/**
 * DOCX as an archive (ZIP): read from its directory, and rejected where it could contain more than
 * the directory lists. Entries follow each other with nothing between, before or behind them.
 */

import type { Dig, Span } from './dig.ts'

export const ENTRIES_MAX = 1000
const END_BYTES = 22
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const DIRECTORY_BYTES_MAX = 1024 * 1024
const NAME_BYTES_MAX = 500
/** Text packs 20 to 1, at times 50 to 1; what packs better is meant to burst. */
const RATIO_MAX = 100
const UNPACKED_ALWAYS = 1024 * 1024
const UNPACKED_MAX = 512 * 1024 * 1024
const [STORED, DEFLATED] = [0, 8]
const [ENCRYPTED, DESCRIPTOR] = [0x1, 0x8]
/** With or without a signature, with sizes of four or eight bytes. */
const DESCRIPTOR_BYTES = [12, 16, 20, 24]

export type Entry = {
  name: string
  deflated: boolean
  crc: number
  /** Position of its packed bytes. */
  data: Span
  unpacked: number
}

type Listed = Omit<Entry, 'data'> & { flags: number; packed: number; at: number }

const NOT_DOCX = { fault: 'is not a Word document' }
const NOT_SOUND = { fault: 'is not a sound archive' }
const BURSTS = { fault: 'unpacks to far more than it should' }

export function* digDocx(size: number): Dig<Entry[]> {
  if (size < END_BYTES) return NOT_DOCX
  const end = yield { at: size - END_BYTES, length: END_BYTES }
  const [count, length, at] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)]
  if (end.readUInt32LE(0) !== 0x06054b50 || end.readUInt16LE(8) !== count) return NOT_SOUND
  if (count > ENTRIES_MAX || length > DIRECTORY_BYTES_MAX) {
    return { fault: `holds more than ${ENTRIES_MAX} entries` }
  }
  if (at + length !== size - END_BYTES) return NOT_SOUND

  const listed = entriesIn(yield { at, length }, count)
  if (!listed) return NOT_SOUND
  const fault = faultOfList(listed, size)
  if (fault) return fault

  const entries: Entry[] = []
  let reached = 0
  for (const [place, entry] of listed.entries()) {
    const data = yield* dataOf(entry, reached, at)
    if (!data) return NOT_SOUND
    const behind = listed[place + 1]?.at ?? at
    reached = data.at + data.length
    const gap = behind - reached
    const isDescriptor = (entry.flags & DESCRIPTOR) !== 0 && DESCRIPTOR_BYTES.includes(gap)
    if (gap !== 0 && !isDescriptor) return NOT_SOUND
    reached = behind
    const { name, deflated, crc, unpacked } = entry
    entries.push({ name, deflated, crc, unpacked, data })
  }
  return entries
}

/** The entries in the order of their position; undefined when the directory is not sound. */
function entriesIn(directory: Buffer, count: number): Listed[] | undefined {
  const listed: Listed[] = []
  let at = 0
  for (let read = 0; read < count; read++) {
    if (at + ENTRY_BYTES > directory.length || directory.readUInt32LE(at) !== 0x02014b50) {
      return undefined
    }
    const entry = directory.subarray(at)
    const [flags, method] = [entry.readUInt16LE(8), entry.readUInt16LE(10)]
    const [name, extra, comment] = [28, 30, 32].map((place) => entry.readUInt16LE(place))
    const [named, length] = [name ?? 0, ENTRY_BYTES + (name ?? 0) + (extra ?? 0) + (comment ?? 0)]
    const isUnix = entry.readUInt8(5) === 3
    const isLink = isUnix && ((entry.readUInt32LE(38) >>> 16) & 0xf000) === 0xa000
    const isKnown = method === STORED || method === DEFLATED
    if (!isKnown || isLink || (flags & ENCRYPTED) !== 0 || entry.length < length) return undefined
    if (named === 0 || named > NAME_BYTES_MAX) return undefined
    listed.push({
      name: entry.toString('utf8', ENTRY_BYTES, ENTRY_BYTES + named),
      flags,
      deflated: method === DEFLATED,
      crc: entry.readUInt32LE(16),
      packed: entry.readUInt32LE(20),
      unpacked: entry.readUInt32LE(24),
      at: entry.readUInt32LE(42),
    })
    at += length
  }
  return at === directory.length ? listed.sort((one, other) => one.at - other.at) : undefined
}

const ESCAPING = /(^|[/\\])\.\.?([/\\]|$)|^[/\\]|^[a-z]:|[\\\p{Cc}]/iu
const MACROS = /(^|\/)(vba\w*\.(bin|xml)|.*\.(bas|dotm|docm))$|(^|\/)activex\//i
const NESTED = /(^|\/)(embeddings\/|.*\.(zip|jar|docx|xlsx|pptx|7z|rar|gz|exe|dll|js|vbs|html?)$)/i

function faultOfList(listed: readonly Listed[], size: number): { fault: string } | undefined {
  const names = new Set(listed.map(({ name }) => name.toLowerCase()))
  if (names.size !== listed.length) return NOT_SOUND
  if (listed.some(({ name }) => ESCAPING.test(name))) {
    return { fault: 'holds an entry that leads out of it' }
  }
  if (!names.has('[content_types].xml') || !names.has('word/document.xml')) return NOT_DOCX
  if (listed.some(({ name }) => MACROS.test(name))) return { fault: 'holds macros' }
  if (listed.some(({ name }) => NESTED.test(name))) return { fault: 'holds further files' }
  const unpacked = listed.reduce((sum, entry) => sum + entry.unpacked, 0)
  const allowed = Math.min(UNPACKED_MAX, UNPACKED_ALWAYS + RATIO_MAX * size)
  return unpacked > allowed ? BURSTS : undefined
}

/** The entry's own header equals the directory and begins where the last entry ended. */
function* dataOf(
  { name, at, packed }: Listed,
  expected: number,
  end: number,
): Generator<Span, Span | undefined, Buffer> {
  const named = Buffer.byteLength(name)
  if (at !== expected || at + LOCAL_BYTES + named > end) return undefined
  const local = yield { at, length: LOCAL_BYTES + named }
  if (local.readUInt32LE(0) !== 0x04034b50 || local.readUInt16LE(26) !== named) return undefined
  if (local.toString('utf8', LOCAL_BYTES) !== name) return undefined
  const data = { at: at + LOCAL_BYTES + named + local.readUInt16LE(28), length: packed }
  return data.at + data.length <= end ? data : undefined
}

/** The list of an archive's content types, which names its main part. */
export function faultOfContentTypes(text: string): string | undefined {
  if (/macroEnabled|vbaProject|activeX/i.test(text)) return 'holds macros'
  return text.includes('wordprocessingml.document.main+xml') ? undefined : NOT_DOCX.fault
}
