/** Scripts that one reader of PDF finds and another overlooks (D-993), and files that cost much. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import type { ByteRange } from '#kit/files/blobs.ts'
import { compound, pdf, wordStream } from '#test/support/files.ts'
import { PdfScan } from '../rules/pdf/scan.ts'
import { inspectFile } from './inspect.ts'

const ACTION = '/S /JavaScript /JS (app.alert(1))'

/** A stream of one object, whose dictionary has these further entries. */
function packed(objects: Buffer | string, { filter = '/FlateDecode', more = '', first = 4 } = {}) {
  const bytes = typeof objects === 'string' ? deflateSync(objects) : objects
  const length = more.includes('/Length') ? '' : `/Length ${bytes.length}`
  const head = `/Type /ObjStm /N 1 /First ${first} /Filter ${filter} ${length} ${more}`
  return Buffer.concat([
    Buffer.from(`9 0 obj\n<< ${head} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream\nendobj\n'),
  ])
}
const OBJECTS = `1 0 << ${ACTION} >>`
const stream = (text: string) => `2 0 obj\n<< >>\nstream\n${text}\nendstream\nendobj\n`

function damaged(): Buffer {
  const bytes = deflateSync(OBJECTS + ' '.repeat(9000), { level: 0 })
  // The check behind the last byte is another: a reader that is lenient has the objects.
  bytes.writeUInt32BE(0, bytes.length - 4)
  return bytes
}

/** Stored and not packed, so that its bytes may say that the stream ends. */
const early = deflateSync(`7 0 (\nendstream\n) << ${ACTION} >>`, { level: 0 })

async function outcomeOf(bytes: Buffer, kind: 'pdf' | 'doc' = 'pdf') {
  const counts = { read: 0, times: 0 }
  const outcome = await inspectFile(kind, {
    size: bytes.length,
    async *read({ start, end }: ByteRange) {
      counts.read += end - start
      counts.times += 1
      yield bytes.subarray(start, end)
    },
  })
  return { outcome, counts }
}

const hidden: [where: string, body: Buffer | string][] = [
  ['behind a comment that a text of digits holds', `2 0 obj\n<< /A <41%> ${ACTION} >>\nendobj\n`],
  ['behind a text that a text of digits holds', `2 0 obj\n<< /A <41(> ${ACTION} >>\nendobj\n`],
  ['behind the word of a stream in a list', `2 0 obj\n<< /A [ stream ] ${ACTION} >>\nendobj\n`],
  ['behind an object within a text', `2 0 obj\n<< /A ( 3 0 obj % ) ${ACTION} >>\nendobj\n`],
  ['behind an object within a comment', `2 0 obj\n<< % 3 0 obj (\n${ACTION} >>\nendobj\n`],
  ['in an object with blanks in its number', `% 2${' '.repeat(99)}0 obj << ${ACTION} >>\n`],
  ['in a trailer in a comment', `% trailer << /Root << /OpenAction << ${ACTION} >> >> >>\n`],
  ['in a trailer in a stream', stream(`trailer <</Root <</OpenAction << ${ACTION} >>>>>>`)],
  ['in objects that are packed twice', packed(deflateSync(deflateSync(OBJECTS)), {
    filter: '[/FlateDecode /FlateDecode]',
  })],
  ['in objects in digits', packed(Buffer.from(`${Buffer.from(OBJECTS).toString('hex')}>`), {
    filter: '/ASCIIHexDecode',
  })],
  ['in objects with a predictor', packed(OBJECTS, { more: '/DecodeParms << /Predictor 12 >>' })],
  ['in packed objects that are damaged', packed(damaged())],
  ['in packed objects of another length', packed(OBJECTS, { more: '/Length 9' })],
  ['in packed objects that name their length twice', packed(OBJECTS, {
    more: `/Length 9 /Length ${deflateSync(OBJECTS).length}`,
  })],
  ['in packed objects that seem to end early', packed(early, { more: '/Length 8 0 R' })],
  ['in a packed object within the text of another', packed(`1 0 2 9 (a text << ${ACTION} >>)`, {
    first: 8,
  })],
  ['in one of two packed objects of one text', packed(`1 0 2 10 << /A (\n %) ${ACTION} >>`, {
    first: 9,
  })],
  ['in the last of very many packed objects', Buffer.concat([
    ...Array.from({ length: 100_000 }, () => Buffer.from('9 0 obj<</Type/ObjStm>>stream\n')),
    packed(OBJECTS),
  ])],
] // biome-ignore format: a row is a case.

for (const [where, body] of hidden) {
  test(`a script is refused ${where}`, async () => {
    const { outcome } = await outcomeOf(pdf(body))
    assert.ok('fault' in outcome, JSON.stringify(outcome))
    assert.match(outcome.fault, /^holds (a script|(too many )?packed objects)/)
  })
}

const harmless: [what: string, body: Buffer | string][] = [
  ['a text that names a script', `2 0 obj\n<< /Title (On /JavaScript) >>\nendobj\n`],
  ['texts of digits', `2 0 obj\n<< /A <4142 43\n> /B <> /C [<00> (/Launch)] >>\nendobj\n`],
  ['a stream that names objects', stream('BT (as in 3 0 obj << >>) Tj ET')],
  ['a stream that names a script', stream('BT (name it /JavaScript) Tj ET')],
  ['a comment behind a dictionary', '2 0 obj\n<< /A (/Launch) >> % a note\nstream\nx\nendstream\n'],
  ['packed objects that name a script in a text', packed('1 0 << /Title (/JavaScript) >>')],
  ['packed objects with a length of another object', packed('1 0 << >>', { more: '/Length 8 0 R' })],
  ['packed objects without parameters', packed('1 0 << >>', { more: '/DecodeParms null' })],
] // biome-ignore format: a row is a case.

for (const [what, body] of harmless) {
  test(`a PDF with ${what} is accepted`, async () => {
    const bytes = pdf(body)
    assert.deepEqual((await outcomeOf(bytes)).outcome, { end: bytes.length })
  })
}

describe('what a file costs is some times its size', () => {
  const size = 256 * 1024
  /** A chain of the allocation table that leaps over the file, and entries that begin it anew. */
  const strewn = () => {
    const word = compound([
      { name: 'WordDocument', data: wordStream() },
      ...Array.from({ length: 60 }, (_, at) => ({ name: `S${at}`, data: Buffer.alloc(4096) })),
    ])
    return Buffer.concat([word, Buffer.from('PK\x05\x06\0\0\0\0'), Buffer.alloc(14)])
  }
  const files: [what: string, kind: 'pdf' | 'doc', bytes: Buffer][] = [
    ['streams of objects within each other', 'pdf', repeated('1 0 obj<</Type/ObjStm>>stream\n')],
    ['many encryptions', 'pdf', repeated('trailer<</Encrypt 1 0 R>>\n')],
    ['many streams', 'doc', strewn()],
  ]
  function repeated(text: string): Buffer {
    return pdf(text.repeat(size / text.length))
  }
  for (const [what, kind, bytes] of files) {
    test(`of ${what}`, async () => {
      const { counts } = await outcomeOf(bytes, kind)
      assert.ok(counts.read <= 6 * bytes.length + 4 * 1024 * 1024, `${counts.read} bytes`)
      assert.ok(counts.times <= 70 + bytes.length / 10_000, `${counts.times} times`)
    })
  }

  test('in the work of a processor too, where streams begin and none ends', () => {
    const work = (length: number) => {
      const bytes = Buffer.from('1 0 obj<<>>stream\n'.repeat(length / 18))
      let found = Number.POSITIVE_INFINITY
      for (let repeat = 0; repeat < 3; repeat++) {
        const before = process.cpuUsage()
        new PdfScan().take(bytes)
        const { user, system } = process.cpuUsage(before)
        found = Math.min(found, user + system)
      }
      return found
    }
    const grows = () => work(1024 * 1024) / Math.max(1000, work(32 * 1024))
    // Linear work grows 32 times, quadratic work a thousand times.
    assert.ok([grows, grows, grows, grows].some((growth) => growth() < 250))
  })
})
