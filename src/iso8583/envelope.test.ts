import assert from 'node:assert/strict'
import { test } from 'node:test'
import { enveloped, opened } from './envelope.ts'

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex')
const hex = (buffer: Buffer | undefined) => buffer?.toString('hex')
const MESSAGE = bytes('08100001')

test('a TPDU comes back with its addresses exchanged', () => {
  const read = opened(Buffer.concat([bytes('60 1234 abcd'), MESSAGE]), 'tpdu')
  assert.equal(hex(read?.message), hex(MESSAGE))
  assert.equal(hex(enveloped(MESSAGE, 'tpdu', read?.envelope)), `60abcd1234${hex(MESSAGE)}`)
  assert.equal(hex(enveloped(MESSAGE, 'tpdu')), `6000000000${hex(MESSAGE)}`)
})

test('a header of Base I comes back with its addresses exchanged and the length of the answer', () => {
  const rest = '0102030405060708090a0b'
  const read = opened(Buffer.concat([bytes(`160102 0033 111111 222222 ${rest}`), MESSAGE]), 'base1')
  const answer = enveloped(MESSAGE, 'base1', read?.envelope)
  assert.equal(hex(answer), `160102001a222222111111${rest}${hex(MESSAGE)}`)
  const own = enveloped(MESSAGE, 'base1')
  assert.deepEqual([own.length, own.readUInt16BE(3)], [26, 26])
})

test('bytes without the envelope are not opened', () => {
  for (const [name, from] of [
    ['tpdu', '6012'],
    ['tpdu', '0800123456789a'],
    ['base1', '16'.repeat(21)],
    ['base1', '08'.repeat(40)],
  ] as const) {
    assert.equal(opened(bytes(from), name), undefined)
  }
  assert.equal(hex(opened(MESSAGE, 'none')?.message), hex(MESSAGE))
  assert.equal(hex(enveloped(MESSAGE, 'none', Buffer.alloc(0))), hex(MESSAGE))
})
