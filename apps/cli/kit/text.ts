/** Text of a server or of a file on a terminal (D-811). */

/**
 * Characters that could end a line, move the cursor, colour the text after them, hide text or
 * change the order of characters: controls, formats, separators of lines, and what Unicode leaves
 * to private use. Joiners and the number signs of Arabic are parts of words.
 */
const UNSEEN =
  /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]--[\u0600-\u0605\u06dd\u0890\u0891\u08e2\u200c\u200d]]/gv

/** The escape that JSON has for it: a character beyond the first plane has two. */
const escapeOf = (character: string) =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')

/** The text for one line: an unseen character is written as its code point. */
export const visible = (text: string): string => text.replace(UNSEEN, escapeOf)

/** The text of a whole answer, whose lines and tabs remain. */
export const visibleLines = (text: string): string =>
  text.replace(UNSEEN, (one) => (one === '\n' || one === '\t' ? one : escapeOf(one)))

/** Whether text of several lines has characters that are not seen. */
export const hasUnseen = (text: string): boolean => visibleLines(text) !== text

/** A document of YAML whose texts with such characters are in double quotes: it says the same. */
export const yamlOf = (document: string): string =>
  document.replace(UNSEEN, (one) => {
    if (one === '\n' || one === '\t') return one
    const digits = (one.codePointAt(0) ?? 0).toString(16)
    return digits.length > 4 ? `\\U${digits.padStart(8, '0')}` : `\\u${digits.padStart(4, '0')}`
  })

/** A JSON document. Unseen characters are escaped, which leaves its value the same. */
export function jsonOf(value: unknown, indent = 2): string {
  return visibleLines(JSON.stringify(value, null, indent) ?? 'null')
}
