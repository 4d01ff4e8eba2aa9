/** Text of a server on a terminal (D-811). */

/**
 * What could end a line, move the cursor, colour what follows or change the order of characters:
 * controls, separators of lines, and the marks of direction of Unicode.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is meant.
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

const escapeOf = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** The text for one line: what is not seen is written as its code point. */
export const visible = (text: string): string => text.replace(UNSEEN, escapeOf)

/** The text of a whole answer, whose lines and tabs remain. */
export const visibleLines = (text: string): string =>
  text.replace(UNSEEN, (one) => (one === '\n' || one === '\t' ? one : escapeOf(one)))

/** A JSON document. What is not seen is escaped, which leaves its value the same. */
export function jsonOf(value: unknown, indent = 2): string {
  return visibleLines(JSON.stringify(value, null, indent) ?? 'null')
}
