/** Begins a formula in one spreadsheet or another, in full width too, or hides what begins one. */
const BEGINS_FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^\p{Cc}/u

/**
 * A value as a cell of CSV, as the server writes it (src/lib/csv.ts). A text that a spreadsheet
 * could read as a formula begins with an apostrophe (D-263).
 */
export function cellOf(value: string | number | undefined): string {
  const text = String(value ?? '')
  const harmless = typeof value === 'string' && BEGINS_FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
