import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeySet } from '#issuing/vault/schema.ts'
import { AesKey, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { encodeFormat4 } from '#pin/format4.ts'
import { pvvOf } from '#pin/pvv.ts'
import { CARD_NUMBER, Desk, purchase, type TestCard, type TestMessage } from '#test/support/desk.ts'

const key = new TdesKey(new Secret(Buffer.from('0123456789abcdeffedcba9876543210', 'hex')))
const zpk_aes = new AesKey(new Secret(Buffer.alloc(16, 3)))
const keys = {
  version: 1,
  cvk: key,
  pvk: key,
  pvki: '1',
  imk_ac: key,
  zpk: key,
  zpk_aes,
  imk_smi: key,
  imk_smc: key,
  cvv2_date_order: 'YYMM',
} as const satisfies KeySet

function openDesk(balance = 10_000n) {
  const desk = new Desk()
  const card = desk.addCard(desk.addAccount(balance).id)
  const value = pvvOf({ ...keys, pan: CARD_NUMBER, pin: new Secret('4831') })
  desk.pins.set(card.card_id, { value, failures: 0 })
  return { desk, card }
}

/** A withdrawal with this PIN. */
function withPin(card: TestCard, digits: string, fields: Partial<TestMessage> = {}): TestMessage {
  const block = encodeFormat4(new Secret(digits), CARD_NUMBER, zpk_aes, Buffer.alloc(8))
  const pin_block = new Secret(block.toString('hex'))
  return purchase(card, 100n, { pin_block, keys, processing_code: '010000', ...fields })
}
const codesOf = (answers: readonly { status_code: string }[]) =>
  answers.map(({ status_code }) => status_code)
const failuresOf = ({ desk, card }: ReturnType<typeof openDesk>) =>
  desk.pins.get(card.card_id)?.failures

test('three wrong PINs in one batch block it for the fourth, and for the right one', () => {
  const { desk, card } = openDesk()
  const batch = ['1111', '2222', '3333', '4444', '4831'].map((pin) => withPin(card, pin))
  assert.deepEqual(codesOf(desk.decide(...batch)), ['1017', '1017', '1017', '1006', '1006'])
  assert.equal(failuresOf({ desk, card }), 3)
  assert.deepEqual(codesOf(desk.decide(withPin(card, '4831'))), ['1006'])
})

test('the right PIN begins anew, whether it comes in the same batch or a later one', () => {
  const { desk, card } = openDesk()
  const pins = ['1111', '2222', '4831', '1111', '2222', '4831']
  const codes = codesOf(desk.decide(...pins.map((pin) => withPin(card, pin))))
  assert.deepEqual(codes, ['1017', '1017', '0000', '1017', '1017', '0000'])
  assert.equal(failuresOf({ desk, card }), 0)
  desk.decide(withPin(card, '1111'))
  assert.equal(failuresOf({ desk, card }), 1)
  assert.deepEqual(codesOf(desk.decide(withPin(card, '4831'))), ['0000'])
  assert.equal(failuresOf({ desk, card }), 0)
})

test('a right PIN begins anew although the money is short', () => {
  const { desk, card } = openDesk(1n)
  desk.decide(withPin(card, '1111'), withPin(card, '2222'))
  assert.equal(failuresOf({ desk, card }), 2)
  assert.deepEqual(codesOf(desk.decide(withPin(card, '4831'))), ['1016'])
  assert.equal(failuresOf({ desk, card }), 0)
})

test('a message that is declined before its PIN is looked at tries none', () => {
  const { desk, card } = openDesk()
  desk.decide(withPin(card, '1111', { expiry: '2001' }), withPin(card, '1111', { late: true }))
  assert.equal(failuresOf({ desk, card }), 0)
})

test('a repeat gets the stored answer and is no second try', () => {
  const { desk, card } = openDesk()
  const wrong = withPin(card, '1111')
  assert.deepEqual(codesOf(desk.decide(wrong, wrong)), ['1017', '1017'])
  assert.deepEqual(codesOf(desk.decide(wrong)), ['1017'])
  assert.equal(failuresOf({ desk, card }), 1)
})

test('an advice with a wrong PIN is no try, and neither is money for the cardholder', () => {
  const { desk, card } = openDesk()
  const advised_approval = { approved: true }
  const advice = withPin(card, '1111', { message_type: '0120', advised_approval })
  const refund = withPin(card, '1111', { processing_code: '200000' })
  assert.deepEqual(codesOf(desk.decide(advice, refund)), ['0000', '0000'])
  assert.equal(failuresOf({ desk, card }), 0)
})

test('cards do not share their tries', () => {
  const { desk, card } = openDesk()
  const other = desk.addCard(card.account_id)
  const kept = desk.pins.get(card.card_id)
  assert.ok(kept)
  desk.pins.set(other.card_id, { ...kept, failures: 2 })
  const codes = codesOf(desk.decide(withPin(other, '1111'), withPin(card, '1111')))
  assert.deepEqual(codes, ['1017', '1017'])
  assert.deepEqual(
    [card, other].map(({ card_id }) => desk.pins.get(card_id)?.failures),
    [1, 3],
  )
})
