import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bmp, jpeg, png } from '#test/support/files.ts'
import { walkBmp, walkJpeg, walkPng } from './images.ts'
import { inspectorOf, type Walk } from './walk.ts'

function faultOf(walk: () => Walk, bytes: Buffer, chunk = bytes.length): string | undefined {
  const inspector = inspectorOf(walk())
  for (let at = 0; at < bytes.length; at += chunk) {
    const fault = inspector.take(bytes.subarray(at, at + chunk))
    if (fault !== undefined) return fault
  }
  return inspector.end()
}

const PIXELS = 'has more than 150000000 pixels or 40000 on a side'
const [APPLICATION, FRAME] = [0xe2, 0xc0]

/** A segment of JPEG: a marker, its length, and its bytes. */
function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.of(0xff, marker, 0, 0)
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** A picture with further segments behind its first marker. */
const jpegWith = (...more: Buffer[]) =>
  Buffer.concat([jpeg().subarray(0, 2), ...more, jpeg().subarray(2)])

describe('a JPEG', () => {
  test('is rejected for the size in its second frame', () => {
    const huge = segment(FRAME, Buffer.of(8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0))
    const at = jpeg().indexOf(Buffer.of(0xff, 0xda))
    const twice = [jpeg().subarray(0, at), huge, jpeg().subarray(at)]
    assert.equal(faultOf(walkJpeg, Buffer.concat(twice)), PIXELS)
  })

  test('is accepted with a megabyte of profiles before its frame', () => {
    const profiles = Array.from({ length: 17 }, () => segment(APPLICATION, Buffer.alloc(65_000)))
    assert.equal(faultOf(walkJpeg, jpegWith(...profiles)), undefined)
  })
})

for (const [kind, walk, whole] of [
  ['JPEG', walkJpeg, jpeg()],
  ['PNG', walkPng, png({ filler: Buffer.alloc(40) })],
  ['BMP', walkBmp, bmp()],
] as const) {
  describe(`a ${kind}`, () => {
    test('is accepted in pieces of any length', () => {
      for (const chunk of [1, 2, 3, 7, whole.length]) {
        assert.equal(faultOf(walk, whole, chunk), undefined, `${chunk}`)
      }
    })

    test('is rejected that is cut at any place', () => {
      for (let length = 1; length < whole.length; length++) {
        assert.notEqual(faultOf(walk, whole.subarray(0, length)), undefined, `${length}`)
      }
    })
  })
}
