/** Text of any script in Latin letters, for what shows no others: cards, card networks (D-994). */

import anyAscii from 'any-ascii'

const APOSTROPHES = /[\u02bb\u02bc\u2018\u2019]/g
/** Alif and ain, of which the library makes nothing or a mark. */
const SILENT = /[\u0622\u0623\u0625\u0627\u0639\u0671]/g
/** The character between the numbers of a fraction. */
const FRACTION = '\u2044'
/** Signs that are no letters are left out, since the library has names of them, as of emoji. */
const SIGNS = /[\p{S}\p{Pi}\p{Pf}]/gu
/** An apostrophe at the edge of a word stands for a letter of another script. */
const AT_EDGE = /(?<![A-Za-z])'|'(?![A-Za-z])/g

/**
 * The text on one line, in printable ASCII. ASCII characters stay; letters of other scripts are
 * written out.
 */
export function toLatin(text: string): string {
  const latin = text
    .normalize('NFKC')
    .replace(APOSTROPHES, "'")
    .replaceAll(FRACTION, '/')
    .replace(/[^\0-\x7f]+/gu, inAscii)
  return latin
    .replace(/\s/g, ' ')
    .replace(/[^ -~]/g, '')
    .replace(/ +/g, ' ')
    .trim()
}

const inAscii = (letters: string): string =>
  anyAscii(letters.replace(SIGNS, ' ').replace(SILENT, 'a'))
    .replaceAll('`', '')
    .replace(AT_EDGE, '')

/** Whether a reader of Latin letters recognizes something of it. */
export const hasLatin = (text: string): boolean =>
  /[\p{Script=Latin}0-9]/u.test(text.normalize('NFKC'))
