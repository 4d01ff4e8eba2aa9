/** Reads a clearing file record by record; it keeps one record, however large the file is. */

import {
  areBlocks,
  BLOCK,
  BlockFault,
  type Chunks,
  isBlocked,
  placeInBlocks,
  unblocked,
} from './blocks.ts'
import { type CharacterSet, characterSetOf } from './characters.ts'
import { LONGEST_RECORD } from './elements.ts'
import { type ClearingRecord, decodeRecord } from './record.ts'

/** A record with its number from 1 and its first byte in the file, or what is wrong with it. */
export type Reading =
  | { number: number; at: number; record: ClearingRecord }
  | { number: number; at: number; reason: string }

export type ReadOptions = {
  /**
   * Bytes of the whole file, which decide with its first block whether it is blocked. If they
   * are not known, its first 64 KiB decide.
   */
  size?: number
  /** The code page of a file in EBCDIC, by default 500. */
  ebcdic?: 'cp500' | 'cp037'
}

/** Whole blocks, about 64 KiB. */
const LOOK_BYTES = 64 * BLOCK
const LENGTH_BYTES = 4
const FILL = 0x40

/**
 * A record that cannot be decoded is named, and the next one is read. If the lengths do not
 * lead to the next record, that is the last reading.
 */
export async function* readClearing(
  chunks: Chunks,
  { size, ebcdic = 'cp500' }: ReadOptions,
): AsyncGenerator<Reading> {
  const { first, isWhole, all } = await withFirst(chunks, size === undefined ? LOOK_BYTES : BLOCK)
  const known = size ?? (isWhole ? first.length : undefined)
  const inBlocks = known === undefined ? areBlocks(first) : isBlocked(first, known)
  const placeOf = inBlocks ? placeInBlocks : (at: number) => at
  const frames = framesOf(inBlocks ? unblocked(all) : all, inBlocks)
  let set: CharacterSet | undefined
  let number = 0
  try {
    for await (const frame of frames) {
      number += 1
      if ('reason' in frame) {
        yield { number, at: placeOf(frame.at), reason: frame.reason }
        return
      }
      const { bytes } = frame
      const shown = set ?? characterSetOf(bytes)
      set ??= shown === 'cp500' ? ebcdic : shown
      const content = frame.at + LENGTH_BYTES
      if (set === undefined) {
        const reason = 'the first MTI is digits in neither ASCII nor EBCDIC'
        yield { number, at: placeOf(content), reason }
        return
      }
      const decoded = decodeRecord(bytes, set)
      if (decoded.ok) yield { number, at: placeOf(frame.at), record: decoded.record }
      else yield { number, at: placeOf(content + decoded.at), reason: decoded.reason }
    }
  } catch (error) {
    if (!(error instanceof BlockFault)) throw error
    yield { number: number + 1, at: error.at, reason: error.message }
  }
}

/** The first bytes, and all chunks from the first on. */
async function withFirst(chunks: Chunks, enough: number) {
  const parts = chunksOf(chunks)
  const begin: Buffer[] = []
  let isWhole = false
  for (let bytes = 0; bytes < enough; ) {
    const next = await parts.next()
    isWhole = next.done === true
    if (next.done) break
    begin.push(next.value)
    bytes += next.value.length
  }
  const first = Buffer.concat(begin)
  return {
    first,
    isWhole,
    all: (async function* all() {
      yield first
      yield* parts
    })(),
  }
}

async function* chunksOf(chunks: Chunks): AsyncGenerator<Buffer> {
  yield* chunks
}

type Frame = { at: number; bytes: Buffer } | { at: number; reason: string }

/** The records between their lengths, up to the length 0 and the fill behind it. */
async function* framesOf(chunks: Chunks, inBlocks: boolean): AsyncGenerator<Frame> {
  let waiting: Buffer = Buffer.alloc(0)
  /** The place of the first byte that waits. */
  let at = 0
  let hasEnded = false
  for await (const chunk of chunks) {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
    let used = 0
    while (!hasEnded && waiting.length - used >= LENGTH_BYTES) {
      const length = waiting.readUInt32BE(used)
      if (length > LONGEST_RECORD) {
        yield { at: at + used, reason: tooLong(length) }
        return
      }
      const end = used + LENGTH_BYTES + length
      if (length === 0) hasEnded = true
      else if (end > waiting.length) break
      else yield { at: at + used, bytes: waiting.subarray(used + LENGTH_BYTES, end) }
      used = end
    }
    if (hasEnded) {
      const reason = faultBehind(waiting.subarray(used), inBlocks)
      if (reason !== undefined) {
        yield { at: at + used, reason }
        return
      }
      used = waiting.length
    }
    at += used
    waiting = waiting.subarray(used)
  }
  if (!hasEnded) yield { at, reason: cutOff(waiting) }
}

const tooLong = (length: number): string =>
  `a record of ${length} bytes is announced: the longest has ${LONGEST_RECORD}`

function faultBehind(rest: Buffer, inBlocks: boolean): string | undefined {
  if (!inBlocks) return rest.length === 0 ? undefined : 'bytes are left behind the end of the file'
  return rest.every((byte) => byte === FILL)
    ? undefined
    : "the last block is filled with other bytes than X'40'"
}

function cutOff(waiting: Buffer): string {
  if (waiting.length === 0) return 'the file ends without the length 0 behind its last record'
  if (waiting.length < LENGTH_BYTES) return 'the file ends within the length of a record'
  const [length, there] = [waiting.readUInt32BE(0), waiting.length - LENGTH_BYTES]
  return `the file ends within a record: ${length} bytes are announced, ${there} are there`
}
