/** Fields that decide nothing decline nothing, whatever bytes they have (D-1033). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldTable } from '#iso8583/fields.ts'
import { decode, encode, type Fields } from '#iso8583/message.ts'
import { sale } from '#test/support/network/messages.ts'
import { lenient } from '../message/format.ts'
import { toRequest } from '../message/request.ts'

const PAN = '4000005621471607'
const everyByte = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code))
const dialects = ['ascii', 'bcd', 'ascii_binary_bitmap', 'ebcdic'] as const

/** The fields as they are sent, whatever characters they have. */
const sent = (fields: Fields, dialect: (typeof dialects)[number]) =>
  encode(sale({ pan: PAN, amount: 100n, fields }), dialect, ANY_TEXT)
const ANY_TEXT: ReadonlySet<number> = new Set(fieldTable.map(({ de }) => de))

for (const dialect of dialects) {
  test(`${dialect}: any byte may be in a field of text that decides nothing`, () => {
    for (const { de, type, max, length_prefix } of fieldTable) {
      const isText = type === 'an' || type === 'ans'
      const isFree = !lenient.read.has(de) || [41, 43].includes(de)
      if (!isText || !isFree) continue
      for (let from = 0; from < 256; from += max) {
        const value = everyByte.slice(from, from + max)
        const fields = { [de]: length_prefix === 'fixed' ? value.padEnd(max, '\0') : value }
        const decoded = decode(sent(fields, dialect), dialect, lenient)
        assert.ok(decoded.ok, `DE${de} from byte ${from}`)
        const read = toRequest(decoded.message, 0)
        assert.ok(read.ok && read.request.format_fault === undefined, `DE${de} from byte ${from}`)
        assert.equal(decoded.message.fields[49], '784')
      }
    }
  })

  test(`${dialect}: what was read of DE41 can be sent back as it came`, () => {
    const fields = { 41: 'T\u00e9\0\x01\u00ff  \u0080' }
    const decoded = decode(sent(fields, dialect), dialect, lenient)
    assert.ok(decoded.ok)
    const again = decode(encode(decoded.message, dialect, lenient.text), dialect, lenient)
    assert.ok(again.ok)
    assert.partialDeepStrictEqual(again.message.fields, fields)
  })

  test(`${dialect}: letters in an amount that decides nothing leave it out`, () => {
    const fields = { 5: '000000001000', 28: 'D00000000', 15: '0612' }
    const bytes = sent(fields, dialect)
    const strict = decode(bytes, dialect)
    assert.ok(strict.ok)
    // The first byte of DE5 is behind DE4, whose value is the only one of its kind.
    const marked = sent({ ...fields, 5: '777777777777' }, dialect)
    const at = bytes.findIndex((byte, index) => byte !== marked[index])
    const wrong = Buffer.from(bytes)
    wrong[at] = 0xff
    assert.ok(!decode(wrong, dialect).ok)
    const decoded = decode(wrong, dialect, lenient)
    assert.ok(decoded.ok)
    assert.equal(decoded.message.fields[5], undefined)
    assert.equal(decoded.message.fields[28], 'D00000000')
  })
}
