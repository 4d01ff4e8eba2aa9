/** Office documents that state what is not so, each read from a store of bytes in memory. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { ByteRange } from '#kit/files/blobs.ts'
import { doc, docx, docxEntries, zip } from '#test/support/files.ts'
import type { Kind } from '../rules/kinds.ts'
import { FileFault } from './faults.ts'
import { inspectStored } from './inspect.ts'

/** Bytes, and zeros up to the size, in a store that counts what is read of it. */
function stored(bytes: Buffer, size = bytes.length) {
  const counts = { read: 0 }
  return {
    counts,
    size,
    async *read({ start, end }: ByteRange) {
      assert.ok(start >= 0 && end <= size, `${start} to ${end} of ${size}`)
      counts.read += end - start
      yield Buffer.concat([bytes.subarray(start, end)], end - start)
    },
  }
}

/** The fault of the bytes, or undefined; throws any other error than a FileFault. */
async function faultOf(kind: Kind, bytes: Buffer): Promise<string | undefined> {
  try {
    await inspectStored(kind, stored(bytes))
    return undefined
  } catch (error) {
    if (error instanceof FileFault) return error.message
    throw error
  }
}

const END_BYTES = 22
const RECORD_BYTES = 46
const LOCAL_BYTES = 30

/** Positions in an archive that `zip` made. */
function placesIn(archive: Buffer) {
  const end = archive.length - END_BYTES
  const directory = archive.readUInt32LE(end + 16)
  const second = directory + RECORD_BYTES + archive.readUInt16LE(directory + 28)
  return { end, directory, second, secondEntry: archive.readUInt32LE(second + 42) }
}

type Places = ReturnType<typeof placesIn>

function changed(change: (bytes: Buffer, places: Places) => void): Buffer {
  const bytes = docx()
  change(bytes, placesIn(bytes))
  return bytes
}

/** With further bytes at a position, and the directory where it is then. */
function inserted(at: (places: Places) => number, more: Buffer): Buffer {
  const bytes = docx()
  const places = placesIn(bytes)
  const result = Buffer.concat([bytes.subarray(0, at(places)), more, bytes.subarray(at(places))])
  const end = result.length - END_BYTES
  if (at(places) <= places.directory) result.writeUInt32LE(places.directory + more.length, end + 16)
  else result.writeUInt32LE(result.readUInt32LE(end + 12) + more.length, end + 12)
  return result
}

/**
 * A second directory, equal to the first, in front of the bytes of the first entry. It is named as
 * the one to read by a ZIP64 record in the comment of the last entry.
 */
function twoDirectories(named: 'first' | 'second'): Buffer {
  const bytes = docx()
  const { directory, end, second } = placesIn(bytes)
  const comment = Buffer.alloc(76)
  const list = Buffer.concat([bytes.subarray(directory, end), comment])
  const last = list.lastIndexOf('PK\x01\x02')
  list.writeUInt16LE(comment.length, last + 32)
  for (const at of [second - directory, last]) {
    list.writeUInt32LE(list.readUInt32LE(at + 42) + list.length, at + 42)
  }
  const nameEnd = LOCAL_BYTES + bytes.readUInt16LE(26)
  bytes.writeUInt16LE(list.length, 28)
  comment.write('PK\x06\x06', 0, 'latin1')
  comment.writeUInt32LE(3, 32)
  comment.writeUInt32LE(named === 'second' ? nameEnd : directory + list.length, 48)
  comment.write('PK\x06\x07', 56, 'latin1')
  comment.writeUInt32LE(directory + 2 * list.length - comment.length, 64)
  comment.copy(list, list.length - comment.length)
  bytes.writeUInt32LE(list.length, end + 12)
  bytes.writeUInt32LE(directory + list.length, end + 16)
  const parts = [bytes.subarray(0, nameEnd), list, bytes.subarray(nameEnd, directory), list]
  return Buffer.concat([...parts, bytes.subarray(end)])
}

const lies: [what: string, bytes: Buffer][] = [
  ['another length of its directory', changed((b, { end }) => b.writeUInt32LE(20, end + 12))],
  ['another place of its directory', changed((b, { end }) => b.writeUInt32LE(0, end + 16))],
  ['a place beyond its end', changed((b, { end }) => b.writeUInt32LE(0xfffffff0, end + 16))],
  ['fewer entries in all', changed((b, { end }) => b.writeUInt16LE(2, end + 10))],
  ['fewer entries on this volume', changed((b, { end }) => b.writeUInt16LE(2, end + 8))],
  ['fewer entries', changed((b, { end }) => b.fill(Buffer.of(2, 0), end + 8, end + 12))],
  ['more entries', changed((b, { end }) => b.fill(Buffer.of(4, 0), end + 8, end + 12))],
  ['another volume', changed((b, { end }) => b.writeUInt16LE(1, end + 4))],
  ['a comment that is not there', changed((b, { end }) => b.writeUInt16LE(1, end + 20))],
  ['two entries in one place', changed((b, { second }) => b.writeUInt32LE(0, second + 42))],
  ['an entry inside another', changed((b, { second }) => b.writeUInt32LE(9, second + 42))],
  ['an entry behind the end', changed((b, { second }) => b.writeUInt32LE(1e9, second + 42))],
  ['an entry longer than the file', changed((b, { second }) => b.writeUInt32LE(1e9, second + 20))],
  ['an entry shorter than it is', changed((b, { second }) => b.writeUInt32LE(1, second + 20))],
  ['another sum', changed((b, { second }) => b.writeUInt32LE(1, second + 16))],
  ['a smaller size', changed((b, { second }) => b.writeUInt32LE(1, second + 24))],
  ['a larger size', changed((b, { second }) => b.writeUInt32LE(99, second + 24))],
  ['an unknown method', changed((b, { second }) => b.writeUInt16LE(12, second + 10))],
  ['no packing of packed bytes', changed((b, { second }) => b.writeUInt16LE(0, second + 10))],
  ['an empty name', changed((b, { second }) => b.writeUInt16LE(0, second + 28))],
  ['a name longer than the file', changed((b, { second }) => b.writeUInt16LE(65_535, second + 28))],
  ['an extra field that is not there', changed((b, { second }) => b.writeUInt16LE(9, second + 30))],
  [
    'another name in front of the entry',
    changed((b, { secondEntry }) => b.write('x', secondEntry + LOCAL_BYTES)),
  ],
  [
    'another length of the name in front of the entry',
    changed((b, { secondEntry }) => b.writeUInt16LE(3, secondEntry + 26)),
  ],
  [
    'no mark in front of the entry',
    changed((b, { secondEntry }) => b.writeUInt32LE(0, secondEntry)),
  ],
  ['nothing of bytes before its entries', Buffer.concat([Buffer.from('PK'), docx()])],
  ['nothing of bytes at its start', inserted(() => 0, Buffer.from('<html>'))],
  ['nothing of bytes between its entries', inserted((p) => p.secondEntry, Buffer.from('<html>'))],
  ['nothing of bytes behind its entries', inserted((p) => p.directory, Buffer.from('<html>'))],
  ['nothing of bytes behind its directory', inserted((p) => p.end, Buffer.from('<html>'))],
  ['one directory, and has a second', twoDirectories('second')],
  ['too little', Buffer.from('PK\x05\x06')],
]

describe('an archive', () => {
  for (const [what, bytes] of lies) {
    test(`is rejected that states ${what}`, async () => {
      assert.notEqual(await faultOf('docx', bytes), undefined)
    })
  }

  test('is accepted where ZIP64 names the directory that the end names', async () => {
    assert.equal(await faultOf('docx', twoDirectories('first')), undefined)
  })

  test('is rejected that is cut at any place', async () => {
    const whole = docx()
    assert.equal(await faultOf('docx', whole), undefined)
    for (let length = 0; length < whole.length; length++) {
      assert.notEqual(await faultOf('docx', whole.subarray(0, length)), undefined, `${length}`)
    }
  })

  test('of a thousand entries is read once, and its list twice', async () => {
    const empty = { data: Buffer.alloc(200), stored: true }
    const more = Array.from({ length: 900 }, (_, at) => ({ name: `word/${at}.xml`, ...empty }))
    const store = stored(zip([...docxEntries(), ...more]))
    await inspectStored('docx', store)
    assert.ok(store.counts.read < 3 * store.size, `${store.counts.read} of ${store.size}`)
  })
})

describe('an office document', () => {
  for (const [kind, whole] of [
    ['docx', docx({ name: 'word/a.xml', data: Buffer.from('a'), stored: true })],
    ['doc', doc()],
  ] as const) {
    test(`of kind ${kind} with any bytes changed is accepted or rejected`, async () => {
      const at = fc.oneof(
        fc.nat(Math.min(600, whole.length - 1)),
        fc.nat(whole.length - 1),
        fc.nat(Math.min(300, whole.length - 1)).map((back) => whole.length - 1 - back),
      )
      const byte = fc.oneof(fc.constantFrom(0, 1, 0xff, 0xfe), fc.nat(255))
      const changes = fc.array(fc.tuple(at, byte), { minLength: 1, maxLength: 6 })
      const numRuns = process.env['TEST_DEEP'] ? 20_000 : 500
      await fc.assert(
        fc.asyncProperty(changes, async (list) => {
          const bytes = Buffer.from(whole)
          for (const [place, value] of list) bytes[place] = value
          await faultOf(kind, bytes)
        }),
        { numRuns },
      )
    })

    test(`of kind ${kind} whose store fails is not rejected: the failure is thrown`, async () => {
      const failing = {
        size: whole.length,
        // biome-ignore lint/correctness/useYield: the store fails before its first byte.
        async *read() {
          throw new Error('the store is away')
        },
      }
      await assert.rejects(inspectStored(kind, failing), { message: 'the store is away' })
    })
  }

  test('of 128 MiB is read in part', async () => {
    const whole = stored(doc(), 128 * 1024 * 1024)
    await inspectStored('doc', whole)
    assert.ok(whole.counts.read < 16 * 1024, `${whole.counts.read} bytes`)
  })

  test('whose directory is a ring is rejected', async () => {
    const ring = doc()
    ring.writeUInt32LE(1, 512 + 4)
    assert.equal(await faultOf('doc', ring), 'is not a Word document')
  })
})
