/**
 * Trailers that phones write behind a picture (D-1007): the directory of Samsung (SEFT), and the
 * film of a motion photo (MP4). Both are cut when the file is stored.
 */

import { firstSolid } from './padding.ts'
import type { SpanReader } from './spans.ts'

/** `solid` is the position behind the last byte of the file that is no padding. */
export type Tail = { end: number; solid: number; size: number }
/** A next picture, at its position; nothing but what is cut; or what no picture has there. */
export type Trailer = { picture: number } | 'padding' | 'other'

export function* readTrailer(tail: Tail): SpanReader<Trailer> {
  if (tail.solid <= tail.end) return 'padding'
  const directory = yield* samsungDirectory(tail)
  if (directory !== undefined) return 'padding'
  const first = yield* firstSolidFrom(tail.end, tail.solid)
  // A picture begins with FF, which is padding too.
  const from = Math.max(tail.end, first - 4)
  const head = yield { at: from, length: Math.min(12, tail.size - from) }
  const picture = head.indexOf(Buffer.of(0xff, 0xd8, 0xff))
  if (picture >= 0 && from + picture < first) return { picture: from + picture }
  // The length of a box in front of its name begins with zeros, which are padding too.
  const film = head.indexOf('ftyp') - 4
  return film >= 0 && (yield* isFilm(from + film, tail)) ? 'padding' : 'other'
}

const PIECE = 64 * 1024

function* firstSolidFrom(start: number, end: number): SpanReader<number> {
  for (let at = start; at < end; at += PIECE) {
    const length = Math.min(PIECE, end - at)
    const found = firstSolid(yield { at, length })
    if (found < length) return at + found
  }
  return end
}

const DIRECTORY_MAX = 64 * 1024
const ENTRY_BYTES = 12

/** "SEFH", version, count, entries; then their length and "SEFT". The blocks are in front of it. */
function* samsungDirectory({ end, solid }: Tail): SpanReader<number | undefined> {
  if (solid - end < 20) return undefined
  const last = yield { at: solid - 8, length: 8 }
  const length = last.readUInt32LE(0)
  const at = solid - 8 - length
  if (last.toString('latin1', 4) !== 'SEFT' || length < 12 || length > DIRECTORY_MAX || at < end) {
    return undefined
  }
  const directory = yield { at, length }
  const isWhole = directory.readUInt32LE(8) * ENTRY_BYTES + 12 <= length
  return directory.toString('latin1', 0, 4) === 'SEFH' && isWhole ? at : undefined
}

const BOXES_MAX = 10_000

/** Boxes of ISO 14496-12 that follow each other up to the end of the file, or its padding. */
function* isFilm(start: number, { solid, size }: Tail): SpanReader<boolean> {
  let at = start
  for (let count = 0; count < BOXES_MAX && at < solid; count++) {
    if (at + 8 > size) return false
    const head = yield { at, length: Math.min(16, size - at) }
    if (!/^[ -~]{4}$/.test(head.toString('latin1', 4, 8))) return false
    const length = lengthOf(head, size - at)
    if (length < 8 || at + length > size) return false
    at += length
  }
  return at >= solid
}

/** Zero is up to the end; one is in the eight bytes behind the name. */
function lengthOf(head: Buffer, rest: number): number {
  const length = head.readUInt32BE(0)
  if (length === 0) return rest
  if (length !== 1) return length
  return head.length < 16 ? 0 : Number(head.readBigUInt64BE(8))
}
