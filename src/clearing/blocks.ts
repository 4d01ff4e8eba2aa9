/**
 * The blocked form of a file: after every 1,012 bytes two of X'40', and the last block filled with
 * X'40'. Both directions take and give chunks of any size and keep none.
 */

export const BLOCK = 1014
const CONTENT = 1012
const FILL = 0x40

/** Whether a file of this size is blocked, by its first block. */
export const isBlocked = (first: Buffer, size: number): boolean =>
  size > 0 && size % BLOCK === 0 && first[CONTENT] === FILL && first[CONTENT + 1] === FILL

/** Whether every whole block of these first bytes ends as one does. */
export function areBlocks(first: Buffer): boolean {
  for (let end = BLOCK; end <= first.length; end += BLOCK) {
    if (first[end - 2] !== FILL || first[end - 1] !== FILL) return false
  }
  return true
}

/** The place in the blocked file of a byte of its content. */
export const placeInBlocks = (at: number): number => at + 2 * Math.floor(at / CONTENT)

export type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>
export class BlockFault extends Error {
  readonly at: number
  constructor(at: number) {
    super("a block of 1,014 bytes does not end with two bytes of X'40'")
    this.at = at
  }
}

export async function* unblocked(chunks: Chunks): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of chunks) {
    let from = 0
    while (from < chunk.length) {
      const place = at % BLOCK
      const count = Math.min(chunk.length - from, place < CONTENT ? CONTENT - place : BLOCK - place)
      const part = chunk.subarray(from, from + count)
      if (place < CONTENT) yield part
      else if (part.some((byte) => byte !== FILL)) throw new BlockFault(at)
      from += count
      at += count
    }
  }
}

const ends = Buffer.alloc(BLOCK - CONTENT, FILL)

/**
 * A last block that is full is followed by one of X'40' alone, as other writers of this form do;
 * readers accept the file with and without it.
 */
export async function* blocked(chunks: Chunks): AsyncGenerator<Buffer> {
  let filled = 0
  for await (const chunk of chunks) {
    const parts: Buffer[] = []
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + CONTENT - filled)
      parts.push(part)
      from += part.length
      filled += part.length
      if (filled < CONTENT) continue
      parts.push(ends)
      filled = 0
    }
    yield Buffer.concat(parts)
  }
  yield Buffer.alloc(BLOCK - filled, FILL)
}
