/** The BIN under which the wallet tokens of a product have their numbers (D-39). */

const BIN_LENGTH = 8
/** Banks rarely request BINs with this second digit, so tokens rarely occupy one of theirs. */
const SECOND_DIGIT = '9'

/** How many BINs may be drawn for a product. */
export const TOKEN_BINS = 10 ** (BIN_LENGTH - 2)

/** The BIN of draw 0 … TOKEN_BINS - 1: its first digit, that of the brand, is the product's. */
export function tokenBin(product_bin: string, draw: number): string {
  return product_bin.charAt(0) + SECOND_DIGIT + String(draw).padStart(BIN_LENGTH - 2, '0')
}
