import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ask, bytes, done, imported, message, ZMK_UNDER_LMK } from '#test/support/services/hsm.ts'
import { answerTo, commands } from './answer.ts'

const textOf = (answer: Buffer) => answer.toString('latin1')
const CHECK_VALUE = done('NC').slice(0, 16)

test('NC says the check value of the LMK and a firmware of nine characters', () => {
  assert.match(done('NC'), /^[0-9A-F]{16}.{9}$/)
  assert.equal(done('NC', '%00'), done('NC'))
  assert.notEqual(done('NC', '%01').slice(0, 16), CHECK_VALUE)
})

test('the header comes back unchanged, of whatever length and bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 255 }), (array) => {
      const header = Buffer.from(array)
      const answer = answerTo(message(header, 'B20003abc'), header.length)
      assert.ok(answer.equals(message(header, 'B300abc')))
    }),
  )
})

test('a trailer comes back behind every answer', () => {
  const trailer = '\x19behind it'
  for (const [command, answer] of [
    ['B20003abc', 'B300abc'],
    ['B2FFFFabc', 'B380'],
    ['QQ', 'QR68'],
    ['BU99', 'BV15'],
  ] as const) {
    assert.equal(textOf(answerTo(message('0001', command, trailer), 4)), `0001${answer}${trailer}`)
  }
  const long = `\x19${'x'.repeat(33)}`
  assert.equal(textOf(answerTo(message('0001B20003abc', long), 4)), '0001B315')
})

test('a command that is none is answered by a code', () => {
  assert.equal(textOf(answerTo(message('0001QQ'), 4)), '0001QR68')
  assert.equal(textOf(answerTo(message('0001XZ'), 4)), '0001X[68')
  assert.equal(textOf(answerTo(message('0001\0\xff'), 4)), '0001Z[68')
  assert.equal(textOf(answerTo(message('0001N'), 4)), '0001Z[15')
  assert.equal(textOf(answerTo(message('00'), 4)), '00Z[15')
  assert.equal(textOf(answerTo(message(''), 4)), 'Z[15')
})

const KEY = '0123456789ABCDEF1032547698BADCFE'
const zpk = imported('001', KEY)
const pvk = imported('002', KEY, '#V2N00E00')
const imk = imported('109', KEY)
const smi = imported('209', KEY)
const smc = imported('309', KEY)
const zak = imported('008', KEY)
const cvk = imported('402', KEY)
const aes = done('A0', '0FFFS#P0A1B00E00').slice(0, -6)
const ACCOUNT = '550000025321'
const pin = done('JA', ACCOUNT)
const block = done('JG', zpk, '01', ACCOUNT, pin)
const pvv = done('DG', pvk, pin, ACCOUNT, '1')
const offsetData = [ACCOUNT, '0123456789012345', '4000000012N0']
const offset = done('BK', '001', zpk, pvk, block, '01', '04', ...offsetData)
const card = bytes('8290070258550100')

/** A whole message of each command, and of its forms. */
const whole: Buffer[] = [
  message('NC'),
  message('B20003abc'),
  message('BUFF1', zpk, ';001;00'),
  message('A01001U;0', ZMK_UNDER_LMK, 'R'),
  message('A00FFFS%01#V2T2N00E00'),
  message('A6001', ZMK_UNDER_LMK, done('A8', '001', ZMK_UNDER_LMK, zpk, 'R').slice(0, -6), 'S'),
  message('A8FFF', ZMK_UNDER_LMK, pvk, 'S&V2N00E00'),
  message('CW', cvk, '4123456789012345;8701101'),
  message('CY', cvk, '5614123456789012345;8701101%00'),
  message('EC', zpk, pvk, block, '01', ACCOUNT, '1', pvv),
  message('EC', aes, pvk, block, block, '484000000000000002;1', pvv),
  message('EA', zpk, pvk, '12', block, '01', '04', ...offsetData, offset),
  message('BK001', zpk, pvk, block, '01', '04', ...offsetData),
  message('FW001', zpk, pvk, block, '01', ACCOUNT, '1'),
  message('CU001', zpk, pvk, block, '01', ACCOUNT, '1', pvv, block),
  message('CC', zpk, zpk, '12', block, '0147', ACCOUNT),
  message('JA', ACCOUNT, '06'),
  message('BA1234FFFFFFFFFFFF', ACCOUNT),
  message('DE', pvk, pin, '04', ...offsetData),
  message('DG', pvk, pin, ACCOUNT, '1'),
  message('JE', zpk, block, '01', ACCOUNT),
  message('JG', aes, '484000000000000002', pin),
  message('KQ31', imk, card, bytes('0001'), bytes('00000001'), '08', card, ';', card, card),
  message('KW33', imk, '09', bytes('40000000000000020101'), '08', card, ';', card, card),
  message('KW22', imk, card, bytes('0001'), card, '00'),
  message('KU11', smi, card, card, '0008', card, ';', smc, card, '00040008', card, ';'),
  message('KY03', smi, card, card, '0008', card, ';%00'),
  message('M600131008', zak, '0008', card),
  message('M800031008', zak, '0008', card, 'A1C72E74\x19trailer'),
]

test('the messages that are spoilt below are of all commands', () => {
  const names = new Set(whole.map((bytes) => bytes.toString('latin1', 0, 2)))
  assert.deepEqual([...names].sort(), [...commands.keys()].sort())
})

/** The answer is one of its command, with a code, and no fault of the simulator itself. */
function assertAnswered(sent: Buffer): void {
  const answer = textOf(answerTo(message('head', sent), 4))
  assert.match(answer.slice(0, 8), /^head[A-Z].([0-9][0-9]|[AB][0-9])$/)
  assert.notEqual(answer.slice(6, 8), '41', sent.toString('latin1'))
}

const spoilt = fc.oneof(
  fc.uint8Array({ maxLength: 9 }),
  fc.constantFrom('%', ';', '\x19', 'S', 'U'),
)

test('no bytes in place of others make a command fail, however a message is cut or continued', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...whole),
      fc.nat(200),
      fc.nat(9),
      spoilt,
      (sent, at, cut, other) => {
        const from = 2 + (at % Math.max(1, sent.length - 2))
        assertAnswered(sent.subarray(0, from))
        const between = typeof other === 'string' ? other : Buffer.from(other)
        assertAnswered(message(sent.subarray(0, from), between, sent.subarray(from + cut)))
      },
    ),
    { numRuns: 3_000 },
  )
})

test('no bytes behind a command make it fail', () => {
  const names = [...commands.keys()]
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.uint8Array({ maxLength: 120 }), (name, array) => {
      assertAnswered(message(name, Buffer.from(array)))
      assert.notEqual(ask(name, Buffer.from(array)).code, '41')
    }),
    { numRuns: 1_000 },
  )
})
