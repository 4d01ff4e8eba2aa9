/** BER-TLV as chip data uses it (EMV Book 3, annex B): data element 55, templates, scripts. */

/** A tag in upper-case hex with its bytes; a constructed one (a template) has items instead. */
export type Tlv = { tag: string; value: Buffer } | { tag: string; items: Tlv[] }

/** Malformed input returns a fault, with the offset where reading stopped, and never throws. */
export type ParsedTlv = { ok: true; items: Tlv[] } | { ok: false; fault: string; offset: number }

/** Data element 55 has 255 bytes; scripts and templates of cards stay far below this. */
const BYTES_MAX = 4096
/** Templates within templates. EMV needs three. */
const DEPTH_MAX = 8
/** Bytes of a tag. EMV has one and two, BER any number. */
const TAG_BYTES_MAX = 4

const CONSTRUCTED = 0x20
const TAG_GOES_ON = 0x1f
const MORE = 0x80

class Broken extends Error {
  readonly offset: number
  constructor(fault: string, offset: number) {
    super(fault)
    this.offset = offset
  }
}

/** Reads all items. Zero bytes before, between and after them have no meaning and are skipped. */
export function parseTlv(bytes: Buffer): ParsedTlv {
  if (bytes.length > BYTES_MAX) return { ok: false, fault: 'too long', offset: BYTES_MAX }
  try {
    return { ok: true, items: readItems(bytes, 0, bytes.length, 1) }
  } catch (error) {
    if (error instanceof Broken) return { ok: false, fault: error.message, offset: error.offset }
    throw error
  }
}

/**
 * The bytes of every primitive item by tag, those in templates too. The last value counts if a tag
 * comes twice.
 */
export function valuesByTag(items: readonly Tlv[]): Map<string, Buffer> {
  const values = new Map<string, Buffer>()
  const collect = (item: Tlv): void => {
    if ('items' in item) item.items.forEach(collect)
    else values.set(item.tag, item.value)
  }
  items.forEach(collect)
  return values
}

/** Writes items, each length in its shortest form. Throws a TypeError on an invalid tag. */
export function writeTlv(items: readonly Tlv[]): Buffer {
  return Buffer.concat(items.map(writeItem))
}

function readItems(bytes: Buffer, start: number, end: number, depth: number): Tlv[] {
  if (depth > DEPTH_MAX) throw new Broken('templates too deep', start)
  const items: Tlv[] = []
  let at = start
  while (at < end) {
    if (bytes[at] === 0) {
      at += 1
      continue
    }
    const tagEnd = endOfTag(bytes, at, end)
    const [length, valueAt] = readLength(bytes, tagEnd, end)
    const valueEnd = valueAt + length
    if (valueEnd > end) throw new Broken('value runs over its end', valueAt)
    const tag = bytes.toString('hex', at, tagEnd).toUpperCase()
    items.push(
      ((bytes[at] ?? 0) & CONSTRUCTED) !== 0
        ? { tag, items: readItems(bytes, valueAt, valueEnd, depth + 1) }
        : { tag, value: bytes.subarray(valueAt, valueEnd) },
    )
    at = valueEnd
  }
  return items
}

function endOfTag(bytes: Buffer, start: number, end: number): number {
  if (((bytes[start] ?? 0) & TAG_GOES_ON) !== TAG_GOES_ON) return start + 1
  for (let at = start + 1; at < Math.min(end, start + TAG_BYTES_MAX); at += 1) {
    if (((bytes[at] ?? 0) & MORE) === 0) return at + 1
  }
  throw new Broken('tag without end', start)
}

/** The length and the offset of the value. Indefinite lengths do not exist in EMV. */
function readLength(bytes: Buffer, at: number, end: number): [length: number, valueAt: number] {
  if (at >= end) throw new Broken('length is missing', at)
  const first = bytes[at] ?? 0
  if ((first & MORE) === 0) return [first, at + 1]
  const count = first & ~MORE
  if (count === 0 || count > 2) throw new Broken('length in a form that EMV does not use', at)
  if (at + 1 + count > end) throw new Broken('length is cut off', at)
  return [bytes.readUIntBE(at + 1, count), at + 1 + count]
}

function writeItem(item: Tlv): Buffer {
  const tag = tagBytes(item.tag, 'items' in item)
  const value = 'items' in item ? writeTlv(item.items) : item.value
  return Buffer.concat([tag, lengthBytes(value.length), value])
}

function tagBytes(tag: string, isConstructed: boolean): Buffer {
  const bytes = Buffer.from(/^(?:[0-9A-F]{2})+$/.test(tag) ? tag : '', 'hex')
  const first = bytes[0] ?? 0
  const isTag =
    first !== 0 &&
    isConstructed === ((first & CONSTRUCTED) !== 0) &&
    bytes.length <= TAG_BYTES_MAX &&
    bytes.every((byte, at) => at === 0 || (byte & MORE) === (at < bytes.length - 1 ? MORE : 0)) &&
    bytes.length > 1 === ((first & TAG_GOES_ON) === TAG_GOES_ON)
  if (!isTag) throw new TypeError(`not a tag of this kind: ${JSON.stringify(tag)}`)
  return bytes
}

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  if (length < 0x100) return Buffer.from([0x81, length])
  if (length < 0x10000) return Buffer.from([0x82, length >> 8, length & 0xff])
  throw new RangeError('a value is longer than EMV allows')
}
