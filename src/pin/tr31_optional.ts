/** The optional blocks in the header of a key block (ANSI X9.143, TR-31). */

/** An optional block: two characters of name and its text. */
export type OptionalBlock = { id: string; data: string }

/** Two decimal digits of the header count the optional blocks. */
const MOST = 99
/** Characters of name and length before the text. */
const SHORT_HEAD = 4
/** The same if the length takes two bytes: name, 00, 02 and four digits. */
const LONG_HEAD = 10
const LONGEST_SHORT = 0xff
const PADDING = 'PB'
const ID = /^[0-9A-Z]{2}$/
const PRINTABLE = /^[\x20-\x7e]*$/

/** The blocks from the character `at` of the key block on, and where they end. */
export function parseOptionalBlocks(
  block: string,
  at: number,
  count: number,
): { blocks: OptionalBlock[]; end: number } | undefined {
  const blocks: OptionalBlock[] = []
  let next = at
  for (let number = 0; number < count; number += 1) {
    const head = headOf(block.slice(next, next + 12))
    if (head === undefined || next + head.length > block.length) return undefined
    const data = block.slice(next + head.dataAt, next + head.length)
    if (!PRINTABLE.test(data) || blocks.some(({ id }) => id === head.id)) return undefined
    blocks.push({ id: head.id, data })
    next += head.length
  }
  return { blocks, end: next }
}

/**
 * Name and length of the whole block. A length of 00 is followed by the number of bytes of the real
 * length, in two hexadecimal digits, and by that length with two digits for each of its bytes. More
 * than three bytes are not read: no key block is that long.
 */
function headOf(text: string): { id: string; dataAt: number; length: number } | undefined {
  const [, id = '', size = '', long = ''] = /^(..)(..)(0[1-3])?/.exec(text) ?? []
  if (!ID.test(id) || !/^[0-9A-F]{2}$/.test(size)) return undefined
  if (size !== '00') return measured(id, SHORT_HEAD, size)
  const digits = 2 * Number(long)
  const dataAt = SHORT_HEAD + 2 + digits
  const real = text.slice(SHORT_HEAD + 2, dataAt)
  const isLength = digits > 0 && real.length === digits && /^[0-9A-F]+$/.test(real)
  return isLength ? measured(id, dataAt, real) : undefined
}

function measured(id: string, dataAt: number, size: string) {
  const length = Number.parseInt(size, 16)
  return length >= dataAt ? { id, dataAt, length } : undefined
}

/**
 * The text of the blocks and their number. If they do not fill whole cipher blocks of `size` bytes,
 * a block PB of zeros is added. Throws a RangeError if a name is no name or comes twice, if a text
 * is not printable ASCII, and for more than 99 blocks.
 */
export function writeOptionalBlocks(
  blocks: readonly OptionalBlock[],
  size: number,
): { text: string; count: number } {
  const text = blocks.map(written).join('')
  const missing = (size - (text.length % size)) % size
  const padding = missing < SHORT_HEAD && missing > 0 ? missing + size : missing
  const all = missing === 0 ? blocks : [...blocks, paddingOf(padding)]
  const isSound = ({ id, data }: OptionalBlock) => ID.test(id) && PRINTABLE.test(data)
  const isUnique = new Set(all.map(({ id }) => id)).size === all.length
  if (all.length > MOST || !isUnique || !all.every(isSound)) {
    throw new RangeError('these optional blocks cannot be written')
  }
  return { text: all.map(written).join(''), count: all.length }
}

const paddingOf = (length: number): OptionalBlock => ({
  id: PADDING,
  data: '0'.repeat(length - SHORT_HEAD),
})

function written({ id, data }: OptionalBlock): string {
  const short = data.length + SHORT_HEAD
  if (short <= LONGEST_SHORT) return id + hex(short, 2) + data
  return `${id}0002${hex(data.length + LONG_HEAD, 4)}${data}`
}

const hex = (number: number, digits: number): string =>
  number.toString(16).toUpperCase().padStart(digits, '0')
