/**
 * Reads short spans of a stored file in blocks of which some are kept: a format whose parts are
 * strewn over the file costs its store, and the loop that reads it, a few times the file at most.
 */

import { readAll, type Stored } from './archive.ts'
import { FileFault } from './faults.ts'

/** A sealed chunk, which is opened whole. */
const BLOCK_BYTES = 64 * 1024
const KEPT = 32
/** A whole file is read by its blocks once or twice; the rest is for short files. */
const TIMES = 4
const ALWAYS = 64

export function inBlocks(stored: Stored): Stored {
  const { size } = stored
  const kept = new Map<number, Buffer>()
  let left = ALWAYS + TIMES * Math.ceil(size / BLOCK_BYTES)
  const load = async (number: number): Promise<Buffer> => {
    left -= 1
    if (left < 0) throw new FileFault('refers to itself too often to be inspected')
    const start = number * BLOCK_BYTES
    const end = Math.min(size, start + BLOCK_BYTES)
    const block = await readAll(stored.read({ start, end }))
    if (block.length !== end - start) throw new Error('the store holds less than it states')
    return block
  }
  const blockOf = async (number: number): Promise<Buffer> => {
    const block = kept.get(number) ?? (await load(number))
    kept.delete(number)
    kept.set(number, block)
    const [oldest = number] = kept.keys()
    if (kept.size > KEPT) kept.delete(oldest)
    return block
  }
  return {
    size,
    async *read({ start, end }) {
      for (let at = start; at < end; ) {
        const number = Math.floor(at / BLOCK_BYTES)
        const base = number * BLOCK_BYTES
        yield (await blockOf(number)).subarray(at - base, end - base)
        at = base + BLOCK_BYTES
      }
    },
  }
}
