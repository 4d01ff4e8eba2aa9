/**
 * PNG, JPEG and BMP: whole, and of a size that can be shown. A walk ends where the picture does. A
 * library for sizes reads one of the pictures in a file and not its end (D-372).
 */

import { CUT_SHORT, type Step, type Walk } from './walk.ts'

/** A page of A4 at 1200 dots an inch has 139 million pixels. */
const PIXELS_MAX = 150_000_000
const SIDE_MAX = 40_000
/**
 * Phones write a second picture behind the first: a depth map, the light of the brightest parts.
 */
export const PICTURES_MAX = 8

const NOT_SOUND = 'is not a sound picture'

function sizeFault(width: number, height: number): string | undefined {
  if (width < 1 || height < 1) return NOT_SOUND
  const isHuge = width > SIDE_MAX || height > SIDE_MAX || width * height > PIXELS_MAX
  return isHuge ? `has more than ${PIXELS_MAX} pixels or ${SIDE_MAX} on a side` : undefined
}

export function* walkPng(): Walk {
  yield { pass: 8 }
  for (let count = 0; ; count++) {
    const head = yield { take: 8 }
    if (!head) return CUT_SHORT
    const length = head.readUInt32BE(0)
    const type = head.toString('latin1', 4)
    if (!/^[A-Za-z]{4}$/.test(type) || length > 0x7fffffff) return NOT_SOUND
    if ((count === 0) !== (type === 'IHDR')) return NOT_SOUND
    if (type === 'IHDR') {
      const header = yield { take: 13 }
      if (length !== 13) return NOT_SOUND
      if (!header) return CUT_SHORT
      const fault = sizeFault(header.readUInt32BE(0), header.readUInt32BE(4))
      if (fault) return fault
    } else if (!(yield { pass: length })) return CUT_SHORT
    if (!(yield { pass: 4 })) return CUT_SHORT
    if (type === 'IEND') return undefined
  }
}

/** The markers of JPEG that matter here. */
const [START, END, SCAN] = [0xd8, 0xd9, 0xda]

/** JPEG: one picture; another may follow it. */
export function* walkJpeg(): Walk {
  const start = yield { take: 2 }
  if (start?.readUInt16BE(0) !== 0xff00 + START) return NOT_SOUND
  let hasSize = false
  let marker = yield* markerAhead()
  while (marker !== END) {
    if (marker === undefined) return CUT_SHORT
    if (marker < 0xc0 || marker === START) return NOT_SOUND
    const length = yield { take: 2 }
    if (!length) return CUT_SHORT
    let rest = length.readUInt16BE(0) - 2
    if (isFrame(marker)) {
      const frame = yield { take: 5 }
      rest -= 5
      if (!frame) return CUT_SHORT
      const fault = sizeFault(frame.readUInt16BE(3), frame.readUInt16BE(1))
      if (fault) return fault
      hasSize = true
    }
    if (rest < 0) return NOT_SOUND
    if (!(yield { pass: rest })) return CUT_SHORT
    marker = marker === SCAN ? yield* markerBehindScan() : yield* markerAhead()
  }
  return hasSize ? undefined : NOT_SOUND
}

/** SOF0 to SOF15, but for the tables and the extension that are among their numbers. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

type MarkerWalk = Generator<Step, number | undefined, Buffer | undefined>

/** Zero, which is none, for bytes that are no marker; undefined at the end of the file. */
function* markerAhead(): MarkerWalk {
  const first = yield { take: 1 }
  if (!first) return undefined
  return first[0] === 0xff ? yield* markerBehindFill() : 0
}

function* markerBehindFill(): MarkerWalk {
  for (;;) {
    const byte = yield { take: 1 }
    if (byte?.[0] !== 0xff) return byte?.[0]
  }
}

/** In coded data a marker begins where 0xFF is followed by neither 0 nor a restart. */
function* markerBehindScan(): MarkerWalk {
  for (;;) {
    if (!(yield { until: 0xff })) return undefined
    const marker = yield* markerBehindFill()
    if (marker === undefined) return undefined
    if (marker !== 0 && (marker < 0xd0 || marker > 0xd7)) return marker
  }
}

const BMP_HEADERS = [12, 40, 52, 56, 64, 108, 124]
/** Compressions whose rows have a length that is known: none, and bit fields. */
const PLAIN_ROWS = [0, 3, 6]

/** BMP: up to the size in its header, or to the last of its pixels. */
export function* walkBmp(): Walk {
  const head = yield { take: 26 }
  if (!head) return CUT_SHORT
  const [size, offset, header] = [2, 10, 14].map((at) => head.readUInt32LE(at))
  if (size === undefined || offset === undefined || header === undefined) return NOT_SOUND
  if (head.toString('latin1', 0, 2) !== 'BM' || !BMP_HEADERS.includes(header)) return NOT_SOUND
  const isOld = header === 12
  const more = isOld ? head.subarray(22) : yield { take: 8 }
  if (!more) return CUT_SHORT
  const width = isOld ? head.readUInt16LE(18) : head.readInt32LE(18)
  const height = isOld ? head.readUInt16LE(20) : Math.abs(head.readInt32LE(22))
  const fault = sizeFault(width, height)
  if (fault) return fault
  const bits = more.readUInt16LE(2)
  const isPlain = isOld || PLAIN_ROWS.includes(more.readUInt32LE(4))
  const pixels = isPlain ? Math.ceil((width * bits) / 32) * 4 * height : 0
  const seen = isOld ? 26 : 34
  if (offset < seen) return NOT_SOUND
  // Some writers state no size, or that of the pixels alone.
  if (!isPlain && size < offset) return NOT_SOUND
  const end = Math.max(size, offset + pixels)
  return (yield { pass: end - seen }) ? undefined : CUT_SHORT
}
