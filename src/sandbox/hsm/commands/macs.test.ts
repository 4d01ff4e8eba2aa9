import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, done, imported } from '#test/support/services/hsm.ts'

// The samples of ISO 9797-1 (algorithm 3) and of NIST SP 800-38B (CMAC under TDES).
const ISO = '0123456789ABCDEFFEDCBA9876543210'
const MESSAGE = 'Now is the time for all '
const NIST = '8AA83BF8CBDA10620BC1BF19FBB6CD58BC313D4A371CA8B5'
const NIST_MESSAGE = Buffer.from('6BC1BEE22E409F96E93D7E117393172AAE2D8A57', 'hex')

test('M6 and M8 make and verify the code of the sample of ISO 9797-1', () => {
  for (const [type, more] of [
    ['008', ''],
    ['003', ''],
    ['FFF', '#M3C00E00'],
  ] as const) {
    const key = imported(type === 'FFF' ? '008' : type, ISO, more)
    for (const [size, mac] of [
      ['0', 'A1C72E74'],
      ['1', 'A1C72E74EA3FA9B6'],
    ] as const) {
      assert.equal(done('M6', '00', size, '31', type, key, '0018', MESSAGE), mac)
      assert.equal(done('M8', '00', size, '31', type, key, '0018', MESSAGE, mac), '')
      const wrong = `${mac.slice(0, -1)}0`
      assert.equal(ask('M8', '00', size, '31', type, key, '0018', MESSAGE, wrong).code, '01')
    }
  }
})

test('M6 makes the code of the sample of SP 800-38B', () => {
  const key = imported('008', NIST)
  assert.equal(done('M6', '00152', '008', key, '0014', NIST_MESSAGE), '743DDBE0CE2DC2ED')
  const hex = NIST_MESSAGE.toString('hex')
  assert.equal(done('M6', '01152', '008', key, '0028', hex), '743DDBE0CE2DC2ED')
})

test('M6 pads by the method that is asked for', () => {
  const key = imported('008', ISO)
  const made = (padding: string, message: string) =>
    ask(
      'M6',
      '001',
      '1',
      padding,
      '008',
      key,
      message.length.toString(16).padStart(4, '0'),
      message,
    )
  assert.equal(made('0', MESSAGE).text, made('1', MESSAGE).text)
  assert.notEqual(made('2', MESSAGE).text, made('1', MESSAGE).text)
  assert.equal(made('1', 'Now').text, made('0', 'Now\0\0\0\0\0').text)
  assert.equal(made('2', 'Now').text, made('0', 'Now\x80\0\0\0\0').text)
  assert.equal(made('0', 'Now').code, '80')
})

test('what is wrong with a code has a code', () => {
  const key = imported('008', ISO)
  assert.equal(ask('M6', '1003', '1', '008', key, '0003', 'Now').code, '15')
  assert.equal(ask('M6', '0004', '1', '008', key, '0003', 'Now').code, '15')
  assert.equal(ask('M6', '0003', '1', '001', key, '0003', 'Now').code, '28')
  assert.equal(ask('M6', '0003', '1', '008', key, '0004', 'Now').code, '80')
  assert.equal(ask('M6', '0103', '1', '008', key, '0003', 'Now').code, '15')
  const aes = done('A0', '0FFFS#M6A1C00E00').slice(0, -6)
  assert.equal(ask('M6', '0003', '1', 'FFF', aes, '0003', 'Now').code, 'A7')
  assert.equal(done('M6', '0005', '1', 'FFF', aes, '0003', 'Now').length, 8)
})
