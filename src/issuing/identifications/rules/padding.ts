/** Padding behind the end of a file, which is no part of it: zeros, ones, blanks, line ends. */

const PADDING = [0x00, 0xff, 0x20, 0x0a, 0x0d]
const isPadding = Uint8Array.from({ length: 256 }, (_, byte) => (PADDING.includes(byte) ? 1 : 0))

/** The position of the first byte that is none, or the length. */
export function firstSolid(bytes: Buffer): number {
  let at = 0
  while (at < bytes.length && isPadding[bytes[at] ?? 0] === 1) at += 1
  return at
}

/** The position behind the last byte that is none. */
export function solidLength(bytes: Buffer): number {
  let end = bytes.length
  while (end > 0 && isPadding[bytes[end - 1] ?? 0] === 1) end -= 1
  return end
}
