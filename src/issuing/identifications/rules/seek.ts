/**
 * Looks for short pieces in bytes that pass: no text is made of them, so that none is left over.
 */

/** No search pattern is longer. */
const LONGEST = 128

export type Seek = (bytes: Buffer) => string | undefined

/** The same search over a stream: in every chunk, and across the seams between them. */
export function overStream(seek: Seek): Seek {
  let held = Buffer.alloc(0)
  return (chunk) => {
    const seam = Buffer.concat([held, chunk.subarray(0, LONGEST)])
    const found = seek(seam) ?? seek(chunk)
    held = chunk.length < LONGEST ? seam.subarray(-LONGEST) : Buffer.from(chunk.subarray(-LONGEST))
    return found
  }
}

/** Every place where `first` is followed by one of `second`, with up to 128 characters of text. */
export function* placesOf(
  bytes: Buffer,
  first: number,
  second: Buffer,
): Generator<{ at: number; text: string }> {
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    const next = bytes[at + 1]
    if (next !== undefined && second.includes(next)) {
      yield { at, text: bytes.toString('latin1', at, at + LONGEST) }
    }
  }
}
