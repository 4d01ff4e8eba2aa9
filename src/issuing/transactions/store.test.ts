/** The constraints of `transactions` reject what the rules never write (D-376). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectToSchema, violationOf } from '#test/support/inspection/violations.ts'

const client = await connectToSchema()

const ID = '0197dddd-0000-7000-8000-00000000000a'
const NOW = '2030-01-01T00:00:00Z'
const settled = {
  tenant_id: ID,
  id: ID,
  transaction_type: 'PURCHASE',
  sequence: 1,
  details: {},
  status: 'SETTLED',
  status_code: '0000',
  amount: 100,
  currency: 'AED',
  cleared_amount: 100,
  refunded_amount: 0,
  held: 0,
  hold_expires: null,
  created: NOW,
}
const pending = { status: 'PENDING', held: 60, hold_expires: NOW, cleared_amount: 0 }
const nothing = { cleared_amount: 0 }

const sound: [what: string, change: object][] = [
  ['one that is settled', {}],
  ['one that is held', pending],
  ['one of which a part is held and a part cleared', { ...pending, cleared_amount: 40 }],
  ['one that was cleared above what was authorized', { cleared_amount: 250 }],
  ['one that was refunded in full', { refunded_amount: 100 }],
  ['one that was reversed in full', { ...nothing, status: 'VOIDED' }],
  ['one whose hold has expired', { ...nothing, status: 'EXPIRED' }],
  ['a declined one of no known card', { ...nothing, status: 'DECLINED', card_id: null }],
  ['one without a currency', { ...nothing, currency: 'XXX' }],
  ['one whose currency is a number', { ...nothing, currency: '000' }],
  ['a verification of zero', { ...nothing, transaction_type: 'VERIFICATION', amount: 0 }],
]
for (const [what, change] of sound) {
  test(`the table stores ${what}`, async () => {
    assert.equal(await violationOf(client, 'transactions', { ...settled, ...change }), undefined)
  })
}

const faulty: [what: string, constraint: string, change: object][] = [
  ['a negative amount', 'amount_check', { amount: -1 }],
  ['a negative hold', 'held', { ...pending, held: -1 }],
  ['a hold of what is not open', 'held', { held: 1 }],
  ['one without a change', 'sequence_check', { sequence: 0 }],
  ['a negative cleared amount', 'cleared', { cleared_amount: -1, refunded_amount: -1 }],
  ['more refunded than cleared', 'refunded', { refunded_amount: 101 }],
  ['a negative refund', 'refunded', { refunded_amount: -1 }],
  ['a refund of what was never cleared', 'refunded', { ...pending, refunded_amount: 1 }],
  ['a declined one that was cleared', 'cleared', { status: 'DECLINED' }],
  ['a reversed one that is still cleared', 'cleared', { status: 'VOIDED' }],
  ['an expired one that was cleared', 'cleared', { status: 'EXPIRED' }],
  ['a hold without an end', 'held', { ...pending, hold_expires: null }],
  ['the end of a hold that is not open', 'held', { hold_expires: NOW }],
  ['an unknown status', 'status_check', { ...nothing, status: 'OPEN' }],
  ['an unknown type', 'transaction_type_check', { transaction_type: 'SALE' }],
  ['a status code of three digits', 'status_code_check', { status_code: '000' }],
  ['a currency of two digits', 'currency_check', { currency: '78' }],
  ['a currency in small letters', 'currency_check', { currency: 'aed' }],
]
for (const [what, constraint, change] of faulty) {
  test(`the table rejects ${what}`, async () => {
    const rejected = await violationOf(client, 'transactions', { ...settled, ...change })
    assert.equal(rejected, `transactions_${constraint}`)
  })
}
