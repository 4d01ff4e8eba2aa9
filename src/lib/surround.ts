/**
 * Characters around a text that was copied from the contacts of a phone or a page that is read from
 * right to left: marks of direction, zero-width marks, and blanks of every kind.
 */

const isAround = (letter: string) => /[\s\p{Z}\p{Cc}\p{Cf}]/u.test(letter)

/** The text without what is around it. By a loop: an expression for the end is quadratic. */
export function withoutSurround(text: string): string {
  const letters = [...text]
  const first = letters.findIndex((letter) => !isAround(letter))
  const last = letters.findLastIndex((letter) => !isAround(letter))
  return first < 0 ? '' : letters.slice(first, last + 1).join('')
}

/** Nothing but blanks, U+2800 among them, and characters without a look of their own. */
export const isBlank = (text: string): boolean =>
  /^[\s\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text)
