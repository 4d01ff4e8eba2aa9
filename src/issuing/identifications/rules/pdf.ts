/** PDF: from its first byte to its end mark, neither encrypted nor active. */

import { overStream, placesOf } from './seek.ts'
import { CUT_SHORT, type Inspector, TRAILING } from './walk.ts'

/** What may be between the end mark and the end of the file. */
const END_MARK = /%%EOF[\s\0]{0,64}$/
const TAIL_BYTES = 2048

/** A name ends where a delimiter follows; its letters may be written as #xx. */
const FORBIDDEN = /^\/(Encrypt|JavaScript|Launch|EmbeddedFiles?)[\s\0/<>()[\]{}%]/
const SLASH = 0x2f
const FIRST_LETTERS = Buffer.from('EJL#')
const faults: Readonly<Record<string, string>> = {
  Encrypt: 'is encrypted, so that it cannot be inspected',
  JavaScript: 'holds a script',
  Launch: 'starts a program',
  EmbeddedFile: 'holds further files',
  EmbeddedFiles: 'holds further files',
}

export function pdfInspector(): Inspector {
  const seek = overStream(seekForbidden)
  let isFirst = true
  let tail = Buffer.alloc(0)
  return {
    take(chunk) {
      if (isFirst && !/^%PDF-[12]\.\d/.test(chunk.toString('latin1', 0, 8))) {
        return 'is not a sound PDF'
      }
      isFirst = false
      const last = chunk.subarray(-TAIL_BYTES)
      tail = Buffer.concat([tail, last]).subarray(-TAIL_BYTES)
      return seek(chunk)
    },
    end() {
      const text = tail.toString('latin1')
      if (!text.includes('startxref') && !text.includes('%%EOF')) return CUT_SHORT
      return END_MARK.test(text) ? undefined : TRAILING
    },
  }
}

function seekForbidden(bytes: Buffer): string | undefined {
  for (const place of placesOf(bytes, SLASH, FIRST_LETTERS)) {
    const found = FORBIDDEN.exec(plainName(place))
    if (found) return faults[found[1] ?? '']
  }
  return undefined
}

const plainName = (text: string) =>
  text.replace(/#([0-9a-f]{2})/gi, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
