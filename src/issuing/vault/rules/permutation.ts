/**
 * The secret order in which the numbers of a range are issued: random without repeat (D-37), with
 * only the count of taken numbers stored.
 */

/** A keyed function of two whole numbers that returns a whole number below 2^48. */
export type Scramble = (round: number, value: number) => number

/** The number of rounds of FF1 in NIST SP 800-38G. */
const ROUNDS = 10

/** Sizes beyond this are not ranges of card numbers; products of two halves stay exact. */
export const SIZE_MAX = 1_000_000_000

/**
 * The position of the number `index` of a range of `size` in the secret order: a permutation of
 * 0 … size - 1 (a Feistel network over two unequal halves; a result past the end is permuted again
 * until it is within). Throws a RangeError when index or size is out of bounds.
 */
export function permute(index: number, size: number, scramble: Scramble): number {
  if (!Number.isInteger(size) || size < 1 || size > SIZE_MAX) throw new RangeError('size')
  if (!Number.isInteger(index) || index < 0 || index >= size) throw new RangeError('index')
  const rows = Math.ceil(Math.sqrt(size))
  const columns = Math.ceil(size / rows)
  let place = index
  do {
    place = shuffled(place, rows, columns, scramble)
  } while (place >= size)
  return place
}

/** One pass over the rectangle: rows and columns are shifted in turn, each by the other. */
function shuffled(place: number, rows: number, columns: number, scramble: Scramble): number {
  let row = Math.floor(place / columns)
  let column = place % columns
  for (let round = 0; round < ROUNDS; round += 2) {
    row = (row + scramble(round, column)) % rows
    column = (column + scramble(round + 1, row)) % columns
  }
  return row * columns + column
}
