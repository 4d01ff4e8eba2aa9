/** Trailers that phones write behind a picture. */

/** A box of MP4: its length, its name, and its bytes. */
export function box(name: string, data: string): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt32BE(8 + data.length)
  return Buffer.concat([head, Buffer.from(name), Buffer.from(data, 'latin1')])
}

/** The film of a motion photo; its data is in its last box. */
export const film = (data: string): Buffer =>
  Buffer.concat([box('ftyp', 'mp42\0\0\0\0isommp42'), box('moov', ''), box('mdat', data)])

/** Samsung's blocks with this data in one of them, and their directory. */
export function samsung(data: string): Buffer {
  const name = 'MotionPhoto_Data'
  const block = Buffer.concat([
    Buffer.of(0, 0, 0x30, 0x0a, name.length, 0, 0, 0),
    Buffer.from(name),
    Buffer.from(data, 'latin1'),
  ])
  const directory = Buffer.alloc(24)
  directory.write('SEFH')
  directory.writeUInt32LE(107, 4)
  directory.writeUInt32LE(1, 8)
  directory.writeUInt16LE(0x0a30, 14)
  directory.writeUInt32LE(block.length, 16)
  directory.writeUInt32LE(block.length, 20)
  const last = Buffer.alloc(4)
  last.writeUInt32LE(directory.length)
  return Buffer.concat([block, directory, last, Buffer.from('SEFT')])
}
