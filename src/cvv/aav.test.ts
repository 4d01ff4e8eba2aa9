import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { describe, test } from 'node:test'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { macOf } from '#mac/mac.ts'
import { AAV_METHOD, AAV_MS, judgeAav, makeAav, makeAavByModule, questionOfAav } from './aav.ts'

const key = createSecretKey(Buffer.alloc(32, 1))
const payment = {
  card_id: '0190aaaa-0000-7000-8000-000000000001',
  amount: 1250n,
  currency: 'AED',
  merchant_id: 'SHOP1',
}
const made = new Date('2026-11-28T12:00:00.900Z')
const aav = makeAav(key, payment, { challenge_id: '0190aaaa-0000-7000-8000-0000deadbeef', made })
const later = new Date(made.getTime() + 60_000)

describe('an AAV', () => {
  test('has 28 characters: version, time, reference and code', () => {
    const bytes = Buffer.from(aav.reveal(), 'base64')
    assert.equal(aav.reveal().length, 28)
    assert.equal(bytes.readUInt8(), 1)
    assert.equal(bytes.readUInt32BE(1), Date.parse('2026-11-28T12:00:00Z') / 1000)
    assert.equal(bytes.subarray(5, 9).toString('hex'), 'deadbeef')
    assert.equal(bytes.length, 21)
  })

  test('is right for its payment, and late after a day', () => {
    assert.equal(judgeAav(key, payment, aav, later), 'right')
    assert.equal(judgeAav(key, payment, aav, new Date(made.getTime() + AAV_MS)), 'late')
  })

  for (const [name, change] of [
    ['amount', { amount: 1251n }],
    ['currency', { currency: 'USD' }],
    ['merchant', { merchant_id: 'SHOP2' }],
    ['card', { card_id: '0190aaaa-0000-7000-8000-000000000002' }],
  ] as const) {
    test(`is wrong for another ${name}`, () => {
      assert.equal(judgeAav(key, { ...payment, ...change }, aav, later), 'wrong')
    })
  }

  test('is wrong under another key', () => {
    const other = createSecretKey(Buffer.alloc(32, 2))
    assert.equal(judgeAav(other, payment, aav, later), 'wrong')
  })

  test('is wrong with any bit of it changed, and in another shape', () => {
    const bytes = Buffer.from(aav.reveal(), 'base64')
    for (let bit = 0; bit < 8 * bytes.length; bit++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      const value = new Secret(changed.toString('base64'))
      assert.equal(judgeAav(key, payment, value, later), 'wrong')
    }
    for (const text of ['', 'x', aav.reveal().slice(1), `${aav.reveal()}A`, '*'.repeat(28)]) {
      assert.equal(judgeAav(key, payment, new Secret(text), later), 'wrong')
    }
  })
})

describe('an AAV of a module', async () => {
  const tdes = new TdesKey(new Secret(Buffer.from('0123456789ABCDEFFEDCBA9876543210', 'hex')))
  const codeOf = (message: Buffer) => macOf(tdes, AAV_METHOD, message)
  const challenge_id = '0190aaaa-0000-7000-8000-0000deadbeef'
  const own = await makeAavByModule(async (message) => codeOf(message), payment, {
    challenge_id,
    made,
  })
  const bytes = Buffer.from(own.reveal(), 'base64')

  test('has version 2, the code of ISO 9797-1 algorithm 3, and zeros', () => {
    assert.equal(bytes.length, 21)
    const head = bytes.subarray(0, 9).toString('hex')
    assert.equal(head, `02${Buffer.from(aav.reveal(), 'base64').toString('hex', 1, 9)}`)
    const text = `${head}|${payment.card_id}|1250|AED|SHOP1`
    assert.deepEqual(bytes.subarray(9, 17), codeOf(Buffer.from(text)))
    assert.deepEqual(bytes.subarray(17), Buffer.alloc(4))
    assert.equal(own.reveal(), 'AmsKwkDerb7vXHPuPqHecGkAAAAA')
  })

  test('is a question about its payment, and late after a day', () => {
    const asked = questionOfAav(payment, own)
    assert.ok(asked)
    assert.deepEqual(codeOf(asked.message), asked.code)
    assert.equal(asked.isLate(later), false)
    assert.equal(asked.isLate(new Date(made.getTime() + AAV_MS)), true)
    const other = questionOfAav({ ...payment, amount: 1251n }, own)
    assert.ok(other)
    assert.notDeepEqual(codeOf(other.message), other.code)
  })

  test('is none in another form or version, and none in software', () => {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(1, 20)
    const forms = [aav.reveal(), changed.toString('base64'), own.reveal().slice(1), '', 'x']
    for (const text of forms) assert.equal(questionOfAav(payment, new Secret(text)), undefined)
    assert.equal(judgeAav(key, payment, own, later), 'wrong')
  })
})
