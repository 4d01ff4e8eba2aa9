import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { messages, seed, vectorFiles } from '#test/support/network/iso8583_samples.ts'
import { describe, describeFault, maskedPan } from './describe.ts'
import { decode, type Fields } from './message.ts'
import { writeElements } from './tlv48.ts'

const pan = '5291001234567892'
const track2 = `${pan}=31042010000358592`
const secrets: Fields = {
  2: pan,
  14: '3104',
  34: `A${pan}`,
  35: track2,
  36: `01${pan}=978`,
  45: `B${pan}^DOE/JOHN^31042010000358592`,
  48: writeElements([
    ['92', '773'],
    ['42', '010'],
    ['43', 'AAVAA'],
    ['61', '1'],
    ['87', 'N'],
  ]),
  52: '0123456789ABCDEF',
  54: '1002784C000047167074',
  55: '9F2608AAAABBBBCCCCDDDD',
  102: 'AE070331234567890123456',
  103: 'AE070331234567890123457',
  123: '0123456789ABCDEF0123456789ABCDEF',
  126: '773',
}

test('a message is one line without secrets', () => {
  const fields = { ...secrets, 3: '000000', 39: '00' }
  assert.equal(
    describe({ mti: '0100', fields }),
    '0100 2=529100******7892 3=000000 14=(4) 34=(17) 35=(34) 36=(22) 39=00 45=(44) ' +
      '48=[92:(3) 42:010 43:(5) 61:1 87:N] 52=(16) 54=(20) 55=(22) 102=(23) 103=(23) ' +
      '123=(32) 126=(3)',
  )
})

test('no secret of any message is in its description', (t) => {
  t.diagnostic(`SEED=${seed}`)
  const silent = fc.property(messages, ({ mti, fields }) => {
    const line = describe({ mti, fields: { ...fields, ...secrets, 43: `${pan} ${pan}` } })
    for (const secret of [pan, '0123456789ABCDEF', 'AAVAA', 'DOE/JOHN', '9F2608AAAA']) {
      assert.ok(!line.includes(secret), secret)
    }
    assert.match(line, / 35=\(34\) .*48=\[92:\(3\) 42:010 43:\(5\) /)
    assert.match(line, /^[ -~]+$/)
  })
  fc.assert(silent, { seed, numRuns: 200 })
})

test('no sample shows its card number, track, PIN block, CVV2 or chip data', () => {
  for (const [, { vectors }] of vectorFiles) {
    for (const { id, mti, fields } of vectors) {
      const line = describe({ mti, fields })
      for (const de of [2, 35, 45, 52, 55, 102, 103, 123]) {
        assert.ok(!line.includes(fields[de] ?? '\n'), `${id} DE${de}`)
      }
      if (fields[48]?.startsWith('92')) assert.match(line, /48=\[92:\(3\)/)
    }
  }
})

test('a card number elsewhere in its message is masked there too', () => {
  const line = describe({ mti: '0100', fields: { 35: track2, 60: `REF ${pan}`, 48: `6116${pan}` } })
  assert.equal(line, '0100 35=(34) 48=[61:529100******7892] 60="REF 529100******7892"')
})

test('no value can begin a line or pretend to be another field', () => {
  const line = describe({
    mti: '01\n0',
    fields: { 43: 'A" 39=00\r\n0110 39=00\u2028', 41: 'T E R M ' },
  })
  assert.equal(line, '"01?0" 41="T E R M " 43="A\\" 39=00??0110 39=00?"')
})

test('DE48 that cannot be parsed is hidden whole', () => {
  assert.equal(describe({ mti: '0100', fields: { 48: '92037' } }), '0100 48=(5)')
})

test('a short or strange card number is all stars', () => {
  assert.equal(maskedPan('123456789012'), '************')
  assert.equal(maskedPan('52910012345678X2'), '****************')
  assert.equal(maskedPan('5291001234567892123'), '529100*********2123')
})

test('a fault is described with its place and what was read, masked', () => {
  const bytes = Buffer.from(`0100600000000000000016${pan}00000X`, 'latin1')
  const decoded = decode(bytes, 'ascii')
  assert.ok(!decoded.ok)
  const line = describeFault(decoded.fault)
  assert.equal(line, 'characters at DE3, byte 38 of 0100 2=529100******7892')
  const nothing = decode(Buffer.alloc(0), 'ascii')
  assert.ok(!nothing.ok)
  assert.equal(describeFault(nothing.fault), 'truncated at byte 0')
})
