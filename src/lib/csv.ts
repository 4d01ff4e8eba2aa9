/** Rows of text as RFC 4180 has them, safe to open in a spreadsheet. */

/** Begins a formula in one spreadsheet or another, in full width too, or hides what begins one. */
const BEGINS_FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^\p{Cc}/u
const NEEDS_QUOTES = /[",\r\n]/

/** A text of unknown origin: an apostrophe before what a spreadsheet would run, then quoted. */
export function csvText(text: string): string {
  const harmless = BEGINS_FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Cells that are text have passed `csvText`; numbers, ids and instants are what they are. */
export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
