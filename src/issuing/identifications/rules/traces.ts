/** Traces of a second format, which no picture or document contains, anywhere in the file. */

import type { Kind } from './kinds.ts'
import { solidLength } from './padding.ts'
import { overStream, placesOf } from './seek.ts'

/** The test file of virus scanners, in two halves, so that none detects this file as it. */
const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)
const PAGE = /^<(?:script|html|iframe|svg|!doctype html|\?php)[\s/>]/i
const LESS_THAN = 0x3c
const TEXT = /^[\t\n\r -~]{5,12}[\t\n\r -~\x80-\xff]{0,20}/
const PAGE_LETTERS = Buffer.from('sShHiI!?')

export const VIRUS = 'holds a virus'

/** Looks through a stream for the test file of virus scanners. */
export const virusSeeker = () => overStream((bytes) => (bytes.includes(EICAR) ? VIRUS : undefined))

/** Positions in the file. */
export type Marks = {
  /** The first mark of a page in a picture; infinite where there is none. */
  page: number
  /** Behind the last byte that is no padding. */
  solid: number
  /** Behind the last end mark of a PDF. */
  pdfEnd: number | undefined
  /** Whether a PDF names the place of its table, as only a whole one does. */
  hasStart: boolean
}

/** No piece that is looked for is longer. */
const LONGEST = 128
const END_MARK = '%%EOF'
const PICTURES: readonly Kind[] = ['jpeg', 'png', 'bmp']

/** Text of a document may contain the marks of a page; a picture holds none. */
export function tracesInspector(kind: Kind) {
  const seekVirus = virusSeeker()
  const isPicture = PICTURES.includes(kind)
  const marks: Marks = {
    page: Number.POSITIVE_INFINITY,
    solid: 0,
    pdfEnd: undefined,
    hasStart: false,
  }
  let held = Buffer.alloc(0)
  let position = 0
  return {
    take(chunk: Buffer): string | undefined {
      const bytes = Buffer.concat([held, chunk])
      const base = position - held.length
      if (isPicture) marks.page = Math.min(marks.page, base + pageIn(bytes))
      if (kind === 'pdf') {
        const end = bytes.lastIndexOf(END_MARK)
        if (end >= 0) marks.pdfEnd = base + end + END_MARK.length
        marks.hasStart ||= bytes.includes('startxref')
      }
      const solid = solidLength(chunk)
      if (solid > 0) marks.solid = position + solid
      position += chunk.length
      held = Buffer.from(bytes.subarray(-LONGEST))
      return seekVirus(chunk)
    },
    marks: () => marks,
  }
}

/** By chance the first letters are in every thousandth photo; text behind them is not. */
function pageIn(bytes: Buffer): number {
  for (const place of placesOf(bytes, LESS_THAN, PAGE_LETTERS)) {
    if (PAGE.test(place.text) && TEXT.test(place.text)) return place.at
  }
  return Number.POSITIVE_INFINITY
}

/** The end of an archive's directory, of one volume. */
const ARCHIVE_END = Buffer.from('PK\x05\x06\0\0\0\0')
/** Readers look for it in the last bytes alone: it has a comment of up to 65,535 bytes. */
export const ARCHIVE_TAIL_BYTES = 65_535 + 22

/** The position of the end of an archive in the last bytes of a file, or -1. */
export const archiveIn = (tail: Buffer): number => tail.lastIndexOf(ARCHIVE_END)
