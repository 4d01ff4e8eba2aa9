/** The constraints of the ledger's tables reject what the rules never write (D-376). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectToSchema, violationOf } from '#test/support/inspection/violations.ts'

const client = await connectToSchema()

const ID = '0197dddd-0000-7000-8000-00000000000a'
const OTHER = '0197dddd-0000-7000-8000-00000000000b'
const NOW = '2030-01-01T00:00:00Z'
const money = { tenant_id: ID, id: ID, currency: 'AED', created: NOW }

const rows = {
  accounts: {
    ...money,
    kind: 'CARD',
    status: 'ACTIVE',
    balance: 100,
    held: 40,
    floor: 0,
    modified: NOW,
  },
  transfers: {
    ...money,
    kind: 'LOAD',
    debit_account_id: ID,
    credit_account_id: OTHER,
    amount: 100,
  },
  holds: { ...money, account_id: ID, amount: 40 },
}
type Table = keyof typeof rows

const sound: [what: string, table: Table, change?: object][] = [
  ['an account with a hold', 'accounts'],
  ['an overdrawn account', 'accounts', { balance: -60, held: 0, floor: -60 }],
  ['a settlement account, which has no balance', 'accounts', { kind: 'SETTLEMENT', balance: null }],
  ['a transfer', 'transfers'],
  ['the clearing of a hold', 'transfers', { kind: 'CLEARING' }],
  ['a hold', 'holds'],
  ['a hold that was posted in full', 'holds', { amount: 0 }],
]
for (const [what, table, change] of sound) {
  test(`the ledger stores ${what}`, async () => {
    assert.equal(await violationOf(client, table, { ...rows[table], ...change }), undefined)
  })
}

const faulty: [what: string, constraint: string, table: Table, change: object][] = [
  ['more held than there is', 'accounts_funds', 'accounts', { held: 101 }],
  ['a negative sum of holds', 'accounts_held', 'accounts', { held: -1 }],
  ['a floor above zero', 'accounts_floor', 'accounts', { floor: 1 }],
  ['an account of an unknown kind', 'accounts_kind_check', 'accounts', { kind: 'SAVINGS' }],
  ['an account of an unknown status', 'accounts_status_check', 'accounts', { status: 'CLOSED' }],
  ['an account in digits', 'accounts_currency_check', 'accounts', { currency: '784' }],
  ['a transfer of an unknown kind', 'transfers_kind_check', 'transfers', { kind: 'GIFT' }],
  ['a transfer of nothing', 'transfers_amount_check', 'transfers', { amount: 0 }],
  ['a transfer to itself', 'transfers_check', 'transfers', { credit_account_id: ID }],
  ['a transfer in digits', 'transfers_currency_check', 'transfers', { currency: '784' }],
  ['a negative hold', 'holds_amount_check', 'holds', { amount: -1 }],
  ['a hold in small letters', 'holds_currency_check', 'holds', { currency: 'aed' }],
]
for (const [what, constraint, table, change] of faulty) {
  test(`the ledger rejects ${what}`, async () => {
    assert.equal(await violationOf(client, table, { ...rows[table], ...change }), constraint)
  })
}
