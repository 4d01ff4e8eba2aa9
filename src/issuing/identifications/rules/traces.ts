/** Traces of a second nature: what no picture or document has, wherever in the file it stands. */

import type { Kind } from './kinds.ts'
import type { Inspector } from './walk.ts'

/** The test file of virus scanners, in two halves, so that none takes this file for it. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')
const PAGE = /<(?:script|html|iframe|svg|!doctype html|\?php)[\s/>]/i
const OVERLAP = 128

/** The end of an archive's directory, of one volume, stands in the last bytes of an archive. */
const ARCHIVE_END = 'PK\x05\x06\0\0\0\0'
const ARCHIVE_TAIL_BYTES = 65_535 + 22

export const VIRUS = 'holds a virus'

export const holdsVirus = (text: string): boolean => text.includes(EICAR)

/**
 * Text of a Word document may well speak of a page's marks, and DOCX is an archive; the other kinds
 * hold neither.
 */
export function tracesInspector(kind: Kind): Inspector {
  const [noPage, noArchive] = [kind !== 'doc' && kind !== 'docx', kind !== 'docx']
  let held = ''
  let tail = Buffer.alloc(0)
  return {
    take(chunk) {
      const text = held + chunk.toString('latin1')
      held = text.slice(-OVERLAP)
      if (noArchive) tail = Buffer.concat([tail, chunk]).subarray(-ARCHIVE_TAIL_BYTES)
      if (holdsVirus(text)) return VIRUS
      return noPage && PAGE.test(text) ? 'holds a script or a page' : undefined
    },
    end: () => (noArchive && tail.includes(ARCHIVE_END) ? 'is an archive too' : undefined),
  }
}
