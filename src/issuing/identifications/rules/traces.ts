/** Traces of a second format: what no picture or document contains, anywhere in the file. */

import type { Kind } from './kinds.ts'
import { overStream, placesOf } from './seek.ts'
import type { Inspector } from './walk.ts'

/** The test file of virus scanners, in two halves, so that none detects this file as it. */
const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)
const PAGE = /^<(?:script|html|iframe|svg|!doctype html|\?php)[\s/>]/i
const LESS_THAN = 0x3c
const PAGE_LETTERS = Buffer.from('sShHiI!?')

/** The end of an archive's directory, of one volume, is in the last bytes of an archive. */
const ARCHIVE_END = Buffer.from('PK\x05\x06\0\0\0\0')
const ARCHIVE_TAIL_BYTES = 65_535 + 22

export const VIRUS = 'holds a virus'

/** Looks through a stream for the test file of virus scanners. */
export const virusSeeker = () => overStream((bytes) => (bytes.includes(EICAR) ? VIRUS : undefined))

function seekPage(bytes: Buffer): string | undefined {
  for (const place of placesOf(bytes, LESS_THAN, PAGE_LETTERS)) {
    if (PAGE.test(place)) return 'holds a script or a page'
  }
  return undefined
}

/**
 * Text of a Word document may contain the marks of a page, and DOCX is an archive; the other kinds
 * hold neither.
 */
export function tracesInspector(kind: Kind): Inspector {
  const seekVirus = virusSeeker()
  const seek = kind === 'doc' || kind === 'docx' ? undefined : overStream(seekPage)
  const archive = archiveInspector()
  const noArchive = kind !== 'docx'
  return {
    take(chunk) {
      if (noArchive) archive.take(chunk)
      return seekVirus(chunk) ?? seek?.(chunk)
    },
    end: () => (noArchive ? archive.end() : undefined),
  }
}

/** Remembers how long ago the last end of an archive was seen. */
function archiveInspector(): Inspector {
  let behind = Number.POSITIVE_INFINITY
  let held = Buffer.alloc(0)
  return {
    take(chunk) {
      const seam = Buffer.concat([held, chunk.subarray(0, ARCHIVE_END.length)])
      const [inSeam, inChunk] = [seam.lastIndexOf(ARCHIVE_END), chunk.lastIndexOf(ARCHIVE_END)]
      behind += chunk.length
      if (inSeam >= 0) behind = chunk.length + held.length - inSeam
      if (inChunk >= 0) behind = chunk.length - inChunk
      const tail = chunk.length < ARCHIVE_END.length ? seam : chunk
      held = Buffer.from(tail.subarray(-ARCHIVE_END.length))
      return undefined
    },
    end: () => (behind <= ARCHIVE_TAIL_BYTES ? 'is an archive too' : undefined),
  }
}
