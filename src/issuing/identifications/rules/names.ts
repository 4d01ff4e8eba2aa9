/** The names of files: only displayed, never used as a path. */

import { extensions, type Kind, kindOfExtension } from './kinds.ts'

export const FILE_NAME_LENGTH = 200

/** Controls, marks that turn the direction of text, and what separates folders. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff/\\]/u

/** Executable extensions that must not precede the last one. */
const RUN = new Set(
  [
    'exe com bat cmd scr pif msi msp dll cpl jar js jse mjs vbs vbe wsf wsh ps1 psm1 sh hta lnk',
    'html htm xhtml shtml svg php phtml phar asp aspx jsp cgi pl py rb apk app dmg iso docm dotm',
  ].flatMap((line) => line.split(' ')),
)

export type NameResult = { kind: Kind } | { fault: string }

/** The kind that the extension of a name states, or what is wrong with the name. */
export function kindOfName(name: string): NameResult {
  if (name.length > FILE_NAME_LENGTH) {
    return { fault: `must be up to ${FILE_NAME_LENGTH} characters long` }
  }
  if (UNSAFE.test(name) || !name.isWellFormed()) {
    return { fault: 'must hold no control characters, marks of direction or folders' }
  }
  const [stem = '', ...rest] = name.toLowerCase().split('.')
  const kind = rest.length > 0 && kindOfExtension(rest.at(-1) ?? '')
  if (!kind || stem.trim() === '') {
    return { fault: `must end in one of ${extensions.map((word) => `.${word}`).join(', ')}` }
  }
  const inner = rest.slice(0, -1).find((word) => RUN.has(word.trim()))
  return inner === undefined ? { kind } : { fault: `must not hold the extension .${inner}` }
}
