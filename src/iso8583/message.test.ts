import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vectorFiles } from '#test/support/network/iso8583_samples.ts'
import type { DialectName } from './dialects.ts'
import { decode, EncodeError, encode, type Fault, type Fields, MAX_MESSAGE } from './message.ts'

const bytesOf = (hex: string) => Buffer.from(hex, 'hex')

function faultOf(bytes: Buffer, dialect: DialectName): Fault {
  const decoded = decode(bytes, dialect)
  if (decoded.ok) return assert.fail('it was read')
  return decoded.fault
}

function fieldsOf(bytes: Buffer, dialect: DialectName): Fields {
  const decoded = decode(bytes, dialect)
  if (!decoded.ok) return assert.fail(decoded.fault.reason)
  return decoded.message.fields
}

/** An ASCII message of the MTI, the primary bitmap and the fields behind it. */
const ascii = (text: string) => Buffer.from(text, 'latin1')

for (const [dialect, { vectors, decode_errors, type_errors }] of vectorFiles) {
  test(`${dialect}: every sample is read to its fields and written to its bytes`, () => {
    for (const { id, mti, fields, hex } of vectors) {
      const message = { mti, fields }
      assert.deepEqual(decode(bytesOf(hex), dialect), { ok: true, message }, id)
      assert.equal(encode(message, dialect).toString('hex').toUpperCase(), hex, id)
    }
  })

  test(`${dialect}: every malformed sample is rejected`, () => {
    for (const { id, description, hex } of [...decode_errors, ...type_errors]) {
      assert.equal(decode(bytesOf(hex), dialect).ok, false, `${id} ${description}`)
    }
  })

  test(`${dialect}: a sample cut at any byte is rejected, and one byte more is too`, () => {
    for (const { id, hex } of vectors.slice(0, 8)) {
      const bytes = bytesOf(hex)
      for (let end = 0; end < bytes.length; end += 1) {
        assert.equal(faultOf(bytes.subarray(0, end), dialect).reason, 'truncated', `${id} ${end}`)
      }
      const longer = Buffer.concat([bytes, Buffer.from([0x30])])
      assert.equal(faultOf(longer, dialect).reason, 'trailing', id)
    }
  })

  test(`${dialect}: a value that breaks its type leaves the other fields to answer with`, () => {
    for (const { id, hex } of type_errors) {
      const { reason, de, read } = faultOf(bytesOf(hex), dialect)
      assert.equal(reason, 'characters', id)
      assert.equal(de, 4, id)
      assert.equal(read?.mti, '0100', id)
      assert.equal(read?.fields[4], undefined, id)
      for (const echoed of [2, 3, 7, 11, 37, 41]) assert.ok(read?.fields[echoed], `${id} ${echoed}`)
    }
  })
}

test('a fault that hides what follows still returns the fields before it', () => {
  const { reason, de, at, read } = faultOf(ascii('0800022000000000000010151210070012X'), 'ascii')
  assert.deepEqual([reason, de, at], ['truncated', 11, 30])
  assert.deepEqual(read, { mti: '0800', fields: { 7: '1015121007' } })
})

type Refused = [why: string, dialect: DialectName, hex: string, reason: string, de: number | null]
const hexOf = (text: string) => ascii(text).toString('hex')

const refused: Refused[] = [
  ['another edition', 'ascii', hexOf('11000000000000000000'), 'mti', null],
  ['letters for an MTI', 'ascii', hexOf('01A00000000000000000'), 'mti', null],
  ['a bitmap that is not hex', 'ascii', hexOf('0800000000G000000000'), 'bitmap', null],
  ['bit 65', 'bcd', '080080000000000000008000000000000000', 'bitmap', 65],
  ['a missing second bitmap', 'bcd', '08008000000000000000', 'truncated', null],
  ['a length over the most', 'ascii', hexOf('0100400000000000000020'), 'length', 2],
  ['a length that is not digits', 'ascii', hexOf('010040000000000000001A'), 'length', 2],
  ['a packed length of A to F', 'bcd', '01004000000000000000A1', 'length', 2],
  ['a card number of no digits', 'ascii', hexOf('0100400000000000000000'), 'length', 2],
  ['a pad nibble that is not zero', 'bcd', '0100000020000000000019780000', 'characters', 19],
  ['a control character', 'ascii', hexOf('01000000000000800000TERM\n001'), 'characters', 41],
  ['a byte above 7E', 'ascii', hexOf('01000000000000800000TERM\xe9001'), 'characters', 41],
  ['a blank inside an an field', 'ascii', hexOf('0100000000000400000012 456'), 'characters', 38],
  ['an odd number of hex digits', 'ascii', hexOf('01000000000000000200003ABC'), 'characters', 55],
  ['no hex in a b field', 'ascii', hexOf('0100000000000000000112345678901234XX'), 'characters', 64],
  ['a fee without C or D', 'ascii', hexOf('01000000001000000000X00000001'), 'characters', 28],
  ['a packed track with E', 'bcd', '01000000000020000000041E34', 'characters', 35],
]
for (const [why, dialect, hex, reason, de] of refused) {
  test(`${dialect}: ${why} is rejected as ${reason}`, () => {
    const fault = faultOf(bytesOf(hex), dialect)
    assert.deepEqual([fault.reason, fault.de], [reason, de])
  })
}

for (const dialect of ['ascii', 'bcd'] as const) {
  for (const [why, pan] of [
    ['no digits', ''],
    ['twenty digits', '45321234567890123456'],
  ] as const) {
    test(`${dialect}: the fields after a card number of ${why} are read`, () => {
      const after = { 7: '0612101112', 11: '000123', 33: '12345' }
      const rest = encode({ mti: '0100', fields: after }, dialect)
      const packed = dialect === 'bcd'
      const [bitmap, start] = packed ? [2, 10] : [4, 20]
      // encode refuses such a number: its bit is set in the bitmap, and its bytes follow that.
      rest[bitmap] = (rest[bitmap] ?? 0) | (packed ? 0x40 : 0x04)
      const number = Buffer.from(
        String(pan.length).padStart(2, '0') + pan,
        packed ? 'hex' : 'latin1',
      )
      const bytes = Buffer.concat([rest.subarray(0, start), number, rest.subarray(start)])
      const { reason, de, read } = faultOf(bytes, dialect)
      assert.deepEqual([reason, de, read?.fields], ['length', 2, after])
    })
  }
}

test('more bytes than a frame can hold are rejected unread', () => {
  assert.equal(faultOf(Buffer.alloc(MAX_MESSAGE + 1, 0x30), 'ascii').reason, 'too_long')
})

test('what networks write in two ways is read as one', () => {
  assert.deepEqual(fieldsOf(ascii('0100000000002000000008411D3101'), 'ascii'), { 35: '411=3101' })
  const pinBlock = '01000000000000001000abcdef0123456789'
  assert.deepEqual(fieldsOf(ascii(pinBlock), 'ascii'), { 52: 'ABCDEF0123456789' })
  const emptySecond = `0800${'8000000000000000'}${'0'.repeat(16)}`
  assert.deepEqual(fieldsOf(ascii(emptySecond), 'ascii'), {})
  assert.deepEqual(fieldsOf(ascii('0110000000000400000012AB  '), 'ascii'), { 38: '12AB  ' })
})

test('x+n has its sign as a character and packs only its digits', () => {
  const message = { mti: '0100', fields: { 28: 'D00000150' } }
  assert.equal(encode(message, 'bcd').toString('hex'), '010000000010000000004400000150')
  assert.equal(
    encode(message, 'ebcdic').toString('hex'),
    `f0f1f0f00000001000000000c4f0f0f0f0f0f1f5f0`,
  )
  assert.deepEqual(fieldsOf(encode(message, 'bcd'), 'bcd'), message.fields)
})

test('a message made wrong is an error that names the field and not the value', () => {
  const wrong: [number, string][] = [
    [1, '8000000000000000'],
    [2, '45321234567890123456'],
    [3, '12345'],
    [4, '00000000010A'],
    [28, 'X00000001'],
    [38, 'AB\t\t\t\t'],
    [43, 'é'.repeat(40)],
    [52, '12345678901234567'],
    [55, 'ABC'],
    [65, '1'],
  ]
  for (const [de, value] of wrong) {
    for (const [dialect] of vectorFiles) {
      const make = () => encode({ mti: '0100', fields: { [de]: value } }, dialect)
      assert.throws(make, (error) => {
        assert.ok(error instanceof EncodeError, `${dialect} ${de}`)
        assert.equal(error.de, de)
        return !error.message.includes(value)
      })
    }
  }
  assert.throws(() => encode({ mti: '100', fields: {} }, 'ascii'), EncodeError)
  assert.throws(() => encode({ mti: '01X0', fields: {} }, 'bcd'), EncodeError)
})
