/** Rows of text as RFC 4180 has them, safe to open in a spreadsheet. */

/** Begins a formula in one spreadsheet or another, in full width too, or hides what begins one. */
const BEGINS_FORMULA = /^[\s\p{Cc};"]*[=+\-@|＝＋－＠｜]|^\p{Cc}/u
/**
 * The same behind a character that may end a cell: if the comma is for decimals, a semicolon does.
 */
const BEFORE_FORMULA = /(?<![\s\p{Cc};"])[\s\p{Cc};"]+(?=[=+\-@|＝＋－＠｜])/gu
const ENDS_CELL = /[;\t\r\n]/
const NEEDS_QUOTES = /[",\r\n]/

/**
 * A text of unknown origin: an apostrophe before a formula that a spreadsheet would run, then
 * quoted.
 */
export function csvText(text: string): string {
  const inner = text.replace(BEFORE_FORMULA, (run: string, at: number) =>
    (at > 0 ? ENDS_CELL.test(run) : run.includes(';')) ? `${run}'` : run,
  )
  const harmless = BEGINS_FORMULA.test(text) ? `'${inner}` : inner
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Cells that are text have passed `csvText`; numbers, ids and instants are what they are. */
export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
