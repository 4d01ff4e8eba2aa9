/** The text that the program accepts. */

/**
 * False for text that PostgreSQL cannot store or that would be changed silently on its way: the
 * character U+0000 and lone surrogates.
 */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
