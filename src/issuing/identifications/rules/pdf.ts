/** PDF: from its first byte to its end mark, neither encrypted nor active. */

import { CUT_SHORT, type Inspector, TRAILING } from './walk.ts'

/** What may stand between the end mark and the end of the file. */
const END_MARK = /%%EOF[\s\0]{0,64}$/
const TAIL_BYTES = 2048
/** A name is found whole where two pieces meet; none that is looked for is longer. */
const OVERLAP = 64

/** A name ends where a delimiter follows; its letters may be written as #xx. */
const FORBIDDEN = /\/(Encrypt|JavaScript|Launch|EmbeddedFiles?)[\s\0/<>()[\]{}%]/
const faults: Readonly<Record<string, string>> = {
  Encrypt: 'is encrypted, so that nobody can look into it',
  JavaScript: 'holds a script',
  Launch: 'starts a program',
  EmbeddedFile: 'holds further files',
  EmbeddedFiles: 'holds further files',
}

export function pdfInspector(): Inspector {
  let isFirst = true
  let tail = ''
  return {
    take(chunk) {
      const text = chunk.toString('latin1')
      if (isFirst && !/^%PDF-[12]\.\d/.test(text)) return 'is not a sound PDF'
      isFirst = false
      const found = FORBIDDEN.exec(plainNames(tail.slice(-OVERLAP) + text))
      tail = (tail + text).slice(-TAIL_BYTES)
      return found ? faults[found[1] ?? ''] : undefined
    },
    end() {
      if (!tail.includes('startxref') && !tail.includes('%%EOF')) return CUT_SHORT
      return END_MARK.test(tail) ? undefined : TRAILING
    },
  }
}

const plainNames = (text: string) =>
  text.includes('#')
    ? text.replace(/#([0-9a-f]{2})/gi, (_whole, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text
