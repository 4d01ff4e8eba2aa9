/** How CVV and PVV turn a cipher block into decimal digits. */

/**
 * The first `count` decimal digits of the hexadecimal text of the block; when it has fewer, its
 * letters follow from the left, each less ten (A is 0, F is 5).
 */
export function decimalize(block: Buffer, count: number): string {
  const hex = block.toString('hex')
  const digits = hex.replace(/[a-f]/g, '')
  if (digits.length >= count) return digits.slice(0, count)
  const letters = hex.replace(/[0-9]/g, '')
  const more = letters.replace(/[a-f]/g, (letter) => String(Number.parseInt(letter, 16) - 10))
  return (digits + more).slice(0, count)
}
