import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seed, streamFile, vectorFile } from '#test/support/network/iso8583_samples.ts'
import { createFrameReader, frame, type Header } from './framing.ts'

const max_frame = 4_096

function cut(stream: Buffer, sizes: Iterable<number>): Buffer[] {
  const chunks: Buffer[] = []
  let at = 0
  for (const size of sizes) {
    chunks.push(stream.subarray(at, at + size))
    at += size
  }
  return [...chunks, stream.subarray(at)]
}

/** The frames of a stream that comes in these chunks; it must end between two frames. */
function framesOf(chunks: readonly Buffer[], header: Header): string[] {
  const reader = createFrameReader({ header, max_frame })
  const frames: string[] = []
  for (const chunk of chunks) {
    const pushed = reader.push(chunk)
    assert.equal(pushed.error, null)
    frames.push(...pushed.frames.map((bytes) => bytes.toString('hex')))
  }
  assert.equal(reader.pending(), 0)
  return frames
}

for (const vector of streamFile().vectors) {
  const known = new Map(
    vectorFile(vector.dialect_file).vectors.map(({ id, hex }) => [id, hex.toLowerCase()]),
  )
  const streams: [Header, Buffer][] = [
    ['binary2', Buffer.from(vector.stream_2byte_binary_hex, 'hex')],
    ['ascii4', Buffer.from(vector.stream_4digit_ascii_hex, 'hex')],
  ]
  for (const [header, stream] of streams) {
    test(`${vector.id} ${header}: the same messages come out however the stream is cut`, () => {
      const whole = framesOf([stream], header)
      assert.equal(whole.length, vector.message_ids.length)
      // Some of the stream's messages are not in the sample files; those that are must be equal.
      vector.message_ids.forEach((id, index) => {
        assert.equal(whole[index], known.get(id) ?? whole[index], id)
      })
      assert.deepEqual(framesOf(cut(stream, vector.suggested_chunk_sizes), header), whole)
      assert.deepEqual(framesOf(cut(stream, Array(stream.length).fill(1)), header), whole)
      const framed = whole.map((hex) => frame(Buffer.from(hex, 'hex'), header))
      assert.deepEqual(Buffer.concat(framed), stream)
    })
  }
}

test('any frames, keep-alives among them, come out of any chunks in order', (t) => {
  t.diagnostic(`SEED=${seed}`)
  const bodies = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 12 })
  const sizes = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 40 })
  const headers = fc.constantFrom<Header>('binary2', 'ascii4')
  const inOrder = fc.property(bodies, sizes, headers, (sent, pieces, header) => {
    const stream = Buffer.concat(sent.map((body) => frame(Buffer.from(body), header)))
    const full = sent.filter((body) => body.length > 0)
    const expected = full.map((body) => Buffer.from(body).toString('hex'))
    assert.deepEqual(framesOf(cut(stream, pieces), header), expected)
  })
  fc.assert(inOrder, { seed, numRuns: 300 })
})

test('any bytes give frames or an error, never an exception', (t) => {
  t.diagnostic(`SEED=${seed}`)
  const chunks = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 20 })
  const headers = fc.constantFrom<Header>('binary2', 'ascii4')
  const answered = fc.property(chunks, headers, (pieces, header) => {
    const reader = createFrameReader({ header, max_frame: 512 })
    for (const piece of pieces) {
      const { frames } = reader.push(Buffer.from(piece))
      assert.ok(frames.every(({ length }) => length > 0 && length <= 512))
    }
    assert.ok(reader.pending() <= 516)
  })
  fc.assert(answered, { seed, numRuns: 500 })
})

test('a length of zero is a keep-alive and not a frame', () => {
  const reader = createFrameReader({ header: 'binary2', max_frame })
  const pushed = reader.push(Buffer.from('00000000000141', 'hex'))
  assert.equal(pushed.keep_alives, 2)
  assert.deepEqual(pushed.frames, [Buffer.from('A')])
})

test('frames before a framing error are delivered, and nothing after it', () => {
  const reader = createFrameReader({ header: 'binary2', max_frame: 3 })
  const pushed = reader.push(Buffer.from('000141000442424242', 'hex'))
  assert.deepEqual(pushed.frames, [Buffer.from('A')])
  assert.equal(pushed.error, 'too_long')
  const after = reader.push(Buffer.from('000141', 'hex'))
  assert.deepEqual(after, { frames: [], keep_alives: 0, error: 'too_long' })
})

test('a header that is not digits is a framing error', () => {
  const reader = createFrameReader({ header: 'ascii4', max_frame })
  assert.equal(reader.push(Buffer.from('00')).error, null)
  assert.equal(reader.push(Buffer.from('1x')).error, 'header')
})

test('a reader keeps at most one unfinished frame', () => {
  const reader = createFrameReader({ header: 'binary2', max_frame: 65_535 })
  assert.equal(reader.push(Buffer.from([0xff])).error, null)
  assert.equal(reader.pending(), 1)
  reader.push(Buffer.from([0xff, 1, 2, 3]))
  assert.equal(reader.pending(), 5)
  const last = reader.push(Buffer.alloc(65_532))
  assert.equal(last.frames[0]?.length, 65_535)
  assert.equal(reader.pending(), 0)
})

test('a message that its header cannot count is not framed', () => {
  assert.throws(() => frame(Buffer.alloc(65_536), 'binary2'), RangeError)
  assert.throws(() => frame(Buffer.alloc(10_000), 'ascii4'), RangeError)
})
