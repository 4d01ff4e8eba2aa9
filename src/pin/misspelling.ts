/** Key blocks that are right but for how they are written. */

/** The end of a sentence that says what to change; undefined where no such change makes a block. */
export function misspelling(block: string, isBlock: (text: string) => boolean): string | undefined {
  if (/^R[A-D][0-9]{4}/i.test(block)) {
    return 'begins with the R of Thales, which is no part of a key block: leave it out'
  }
  const capitals = block.toUpperCase()
  const isLower = block !== capitals && isBlock(capitals)
  return isLower ? 'is in lower case: a key block has capital letters' : undefined
}
