import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseHeader } from './tr31_header.ts'

/** A block of the right total length around a header with these optional blocks. */
function blockOf(count: string, optional: string, version = 'B'): string {
  const rest = 'A'.repeat(64)
  const length = String(16 + optional.length + rest.length).padStart(4, '0')
  return `${version}${length}P0TE00N${count}00${optional}${rest}`
}

test('a header without optional blocks takes 16 characters', () => {
  assert.deepEqual(parseHeader(blockOf('00', '')), {
    header: {
      version: 'B',
      key_usage: 'P0',
      algorithm: 'T',
      mode_of_use: 'E',
      key_version: '00',
      exportability: 'N',
      optional_blocks: [],
    },
    length: 16,
  })
})

test('optional blocks are read by their lengths', () => {
  const parsed = parseHeader(blockOf('02', 'KS0C01234567PB0Cxxxxxxxx'))
  assert.equal(parsed?.length, 40)
  assert.deepEqual(parsed?.header.optional_blocks, [
    { id: 'KS', data: '01234567' },
    { id: 'PB', data: 'xxxxxxxx' },
  ])
})

const extended: [string, string, number][] = [
  ['one byte of length', 'CT000118', 24 - 8],
  ['two bytes of length', 'CT00020018', 24 - 10],
  ['three bytes of length', 'CT0003000018', 24 - 12],
  ['256 bytes', 'CT00020100', 256 - 10],
  ['4096 bytes', 'CT00021000', 4096 - 10],
  ['the most that fits beside a key', `CT0002${(9912).toString(16).toUpperCase()}`, 9912 - 10],
]

for (const [what, head, bytes] of extended) {
  test(`an optional block with an extended length is read: ${what}`, () => {
    const data = 'x'.repeat(bytes)
    const parsed = parseHeader(blockOf('01', `${head}${data}`))
    assert.deepEqual(parsed?.header.optional_blocks, [{ id: 'CT', data }])
    assert.equal(parsed?.length, 16 + head.length + bytes)
  })
}

const broken: [string, string][] = [
  ['an empty text', ''],
  ['another version', blockOf('00', '', 'E')],
  ['a length that lies', `${blockOf('00', '')}A`],
  ['fewer optional blocks than it says', blockOf('01', '')],
  ['an optional block past the end', blockOf('01', 'KSFF0000')],
  ['an optional block shorter than its own head', blockOf('01', 'KS03xxxx')],
  ['an optional block twice', blockOf('02', 'KS08xxxxKS08xxxx')],
  ['optional blocks that fill no cipher block', blockOf('01', 'KS05x')],
  ['optional blocks of 8 under AES', blockOf('01', 'KS08xxxx', 'D')],
  ['an optional block in lower case', blockOf('01', 'ks08xxxx')],
  ['an optional block with a control character', blockOf('01', 'KS08xx\nx')],
  ['a long length of no digits', blockOf('01', 'CT0000xx')],
  ['a long length that is cut off', blockOf('01', 'CT0003zz')],
  ['a long length of no bytes', blockOf('01', `CT0000${'x'.repeat(10)}`)],
  ['a long length of four bytes', blockOf('01', `CT000400000018${'x'.repeat(10)}`)],
  ['a long length of 255 bytes', blockOf('01', `CT00FF${'0'.repeat(10)}`)],
  ['a long length counted in digits', blockOf('01', `CT00040018${'x'.repeat(14)}`)],
  ['a long length shorter than its own head', blockOf('01', `CT00020009${'x'.repeat(6)}`)],
  ['a long length past the end', blockOf('01', `CT0002FFFF${'x'.repeat(6)}`)],
  ['a long length of millions', blockOf('01', `CT0003FFFFFF${'x'.repeat(4)}`)],
  ['a long length in lower case', blockOf('01', `CT0002010a${'x'.repeat(0x10a - 10)}`)],
]

for (const [what, block] of broken) {
  test(`${what} is rejected`, () => assert.equal(parseHeader(block), undefined))
}
