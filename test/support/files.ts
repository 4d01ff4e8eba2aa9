/** Files of every kind that is taken, made from nothing, and the forms that carry them. */

import { crc32, deflateRawSync, deflateSync } from 'node:zlib'

export const EICAR = Buffer.from(
  ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''),
)

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  return Buffer.concat([uint32be(data.length), body, uint32be(crc32(body))])
}

function uint32be(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A grey picture; `text` is in a comment of it. */
export function png(given: { width?: number; height?: number; filler?: Buffer } = {}): Buffer {
  const { width = 3, height = 2, filler } = given
  const header = Buffer.concat([uint32be(width), uint32be(height), Buffer.of(8, 0, 0, 0, 0)])
  const rows = Buffer.alloc(Math.min(1e6, (width + 1) * height))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...(filler ? [pngChunk('teXt', filler)] : []),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16BE(0xff00 + marker)
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

export function jpeg({ width = 8, height = 8, comment = '' } = {}): Buffer {
  const frame = Buffer.alloc(9)
  frame.writeUInt8(8, 0)
  frame.writeUInt16BE(height, 1)
  frame.writeUInt16BE(width, 3)
  frame.set([1, 1, 0x11, 0], 5)
  return Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    ...(comment === '' ? [] : [segment(0xfe, Buffer.from(comment, 'latin1'))]),
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, frame),
    segment(0xda, Buffer.of(1, 1, 0, 0, 63, 0)),
    Buffer.of(0x12, 0x34, 0xff, 0x00, 0x56, 0xff, 0xd0, 0x78, 0xff, 0xff, 0xd9),
  ])
}

export function bmp({ width = 2, height = 2 } = {}): Buffer {
  const pixels = Math.min(1e6, Math.ceil((width * 24) / 32) * 4 * height)
  const bytes = Buffer.alloc(54 + pixels)
  bytes.write('BM')
  bytes.writeUInt32LE(bytes.length, 2)
  bytes.writeUInt32LE(54, 10)
  bytes.writeUInt32LE(40, 14)
  bytes.writeInt32LE(width, 18)
  bytes.writeInt32LE(height, 22)
  bytes.writeUInt16LE(1, 26)
  bytes.writeUInt16LE(24, 28)
  return bytes
}

/** `body` is one of the objects; `filler` makes the file as large as needed. */
export function pdf(body: string | Buffer = '', trailer = ''): Buffer {
  const head = Buffer.concat([
    Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n'),
    Buffer.from(body),
  ])
  const root = `trailer << /Root 1 0 R ${trailer} >>`
  const end = `\nxref\n0 1\n${root}\nstartxref\n${head.length}\n%%EOF\n`
  return Buffer.concat([head, Buffer.from(end)])
}

export type ZipEntry = {
  name: string
  data: Buffer
  /** The size that the archive declares, where it is false. */
  unpacked?: number
  stored?: boolean
  attributes?: number
  flags?: number
}

export function zip(entries: readonly ZipEntry[]): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const entry of entries) {
    const { name, data, stored = false, attributes = 0, flags = 0 } = entry
    const packed = stored ? data : deflateRawSync(data)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(stored ? 0 : 8, 4)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(entry.unpacked ?? data.length, 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(attributes, 6)
    rest.writeUInt32LE(at, 10)
    const version = Buffer.of(20, attributes === 0 ? 0 : 3)
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), version, common, rest, Buffer.from(name)]),
    )
    bodies.push(local)
    at += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...bodies, listed, Buffer.from('PK\x05\x06'), end])
}

const MAIN = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'

export const docxEntries = (contentType = MAIN): ZipEntry[] => [
  {
    name: '[Content_Types].xml',
    data: Buffer.from(
      `<Types><Override PartName="/word/document.xml" ContentType="${contentType}"/></Types>`,
    ),
  },
  { name: '_rels/.rels', data: Buffer.from('<Relationships/>') },
  { name: 'word/document.xml', data: Buffer.from('<w:document/>'.repeat(20)) },
]

export const docx = (...more: ZipEntry[]): Buffer => zip([...docxEntries(), ...more])

type Stream = { name: string; type?: 1 | 2; data?: Buffer }

/** A compound file whose root holds these; streams are padded to 4096 bytes, as Word does. */
export function compound(streams: readonly Stream[]): Buffer {
  const SECTOR = 512
  const directoryAt = 1
  const directorySectors = Math.ceil((streams.length + 1) / 4)
  let next = directoryAt + directorySectors
  const fat = new Uint32Array(128).fill(0xffffffff)
  fat[0] = 0xfffffffd
  for (let at = 0; at < directorySectors; at++) {
    fat[directoryAt + at] = at === directorySectors - 1 ? 0xfffffffe : directoryAt + at + 1
  }
  const entries = [entry('Root Entry', 5, { child: streams.length > 0 ? 1 : 0xffffffff })]
  const bodies: Buffer[] = []
  for (const [place, { name, type = 2, data = Buffer.alloc(0) }] of streams.entries()) {
    const body = type === 2 ? Buffer.concat([data, Buffer.alloc(4096)]).subarray(0, 4096) : data
    const right = place + 1 < streams.length ? place + 2 : 0xffffffff
    entries.push(entry(name, type, { right, start: next, size: body.length }))
    for (let at = 0; at < body.length / SECTOR; at++) {
      fat[next + at] = at === body.length / SECTOR - 1 ? 0xfffffffe : next + at + 1
    }
    next += body.length / SECTOR
    bodies.push(body)
  }
  const header = Buffer.alloc(SECTOR)
  header.set(Buffer.from('d0cf11e0a1b11ae1', 'hex'))
  for (const [at, value] of [
    [24, 0x3e],
    [26, 3],
    [28, 0xfffe],
    [30, 9],
    [32, 6],
  ] as const) {
    header.writeUInt16LE(value, at)
  }
  for (const [at, value] of [
    [44, 1],
    [48, directoryAt],
    [56, 4096],
    [60, 0xfffffffe],
  ] as const) {
    header.writeUInt32LE(value, at)
  }
  header.writeUInt32LE(0xfffffffe, 68)
  header.fill(0xff, 76)
  header.writeUInt32LE(0, 76)
  const directory = Buffer.alloc(directorySectors * SECTOR)
  for (const [at, bytes] of entries.entries()) directory.set(bytes, at * 128)
  return Buffer.concat([header, Buffer.from(fat.buffer), directory, ...bodies])
}

type Links = { right?: number; child?: number; start?: number; size?: number }

function entry(name: string, type: number, links: Links): Buffer {
  const { right = 0xffffffff, child = 0xffffffff, start = 0xfffffffe, size = 0 } = links
  const bytes = Buffer.alloc(128)
  bytes.write(name, 'utf16le')
  bytes.writeUInt16LE((name.length + 1) * 2, 64)
  bytes.writeUInt8(type, 66)
  bytes.writeUInt32LE(0xffffffff, 68)
  bytes.writeUInt32LE(right, 72)
  bytes.writeUInt32LE(child, 76)
  bytes.writeUInt32LE(start, 116)
  bytes.writeUInt32LE(size, 120)
  return bytes
}

/** The stream of a Word document; `flags` as MS-DOC has them. */
export function wordStream({ flags = 0, text = '' } = {}): Buffer {
  const bytes = Buffer.alloc(4096)
  bytes.writeUInt16LE(0xa5ec)
  bytes.writeUInt16LE(flags, 10)
  bytes.write(text, 1024, 'latin1')
  return bytes
}

export const doc = (...more: Stream[]): Buffer =>
  compound([{ name: 'WordDocument', data: wordStream() }, { name: '1Table' }, ...more])

export type FormPart = {
  name: string
  value: string | Buffer
  file_name?: string
  content_type?: string
}

export type Form = { headers: Record<string, string>; payload: Buffer }

const BOUNDARY = 'form-boundary-7d1a'

/** A body of multipart/form-data, byte by byte as it is given. */
export function form(...parts: FormPart[]): Form {
  const pieces = parts.flatMap(({ name, value, file_name, content_type }) => [
    Buffer.from(
      [
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`,
        ...(file_name === undefined ? [] : [`; filename="${file_name}"`]),
        ...(content_type === undefined ? [] : [`\r\nContent-Type: ${content_type}`]),
        '\r\n\r\n',
      ].join(''),
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    payload: Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]),
  }
}
