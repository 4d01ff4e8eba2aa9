/** A stored decision, with some of its checks made again (D-483). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NOT_CHECKED, type TransactionRow } from '#issuing/transactions/rules.ts'
import { Secret } from '#lib/secret.ts'
import { Desk, heldOf, purchase, settingsOf, type TestMessage } from '#test/support/desk.ts'
import { type Proposed, redecide } from './redecide.ts'
import { requestedOf, requestOf } from './stored_request.ts'

const desk = new Desk()
const account = desk.addAccount(1_000n)
const card = desk.addCard(account.id, { partial_approval: true })
const decided = (amount: bigint, fields: Partial<TestMessage> = {}): TransactionRow =>
  desk.row(desk.ask(purchase(card, amount, fields)))

const proposed = (settings: Parameters<typeof settingsOf>[1], fields: Partial<Proposed> = {}) => ({
  card: heldOf({ ...card, settings: settingsOf({}, settings) }),
  limits: { velocity: [], balance: [] },
  more: 0n,
  less: 0n,
  settings: desk.settings,
  again: new Set(['switches', 'amount bounds']),
  also: new Set<string>(),
  now: desk.now,
  ...fields,
})

describe('a stored message', () => {
  test('has what its checks asked, and no value of a proof', () => {
    const sent = { three_ds: 'ATTEMPTED', recurring: true, partial_capable: true } as const
    const row = decided(10n, { ...sent, cvv2: new Secret('123') })
    const asked = { cvv2: true, partial: true, recurring: true, three_ds: 'ATTEMPTED' }
    assert.deepEqual(row.asked, asked)
    const request = requestOf(row)
    assert.partialDeepStrictEqual(request, { ...sent, amount: 10n, processing_code: '000000' })
    assert.equal(request.pin_block, undefined)
    assert.ok(request.cvv2)
    assert.equal('asked' in decided(10n), false)
  })

  test('has the amount that it requested where less was approved', () => {
    const row = decided(5_000n, { partial_capable: true })
    assert.equal(row.status_code, '0002')
    assert.deepEqual([requestOf(row).amount, requestedOf(row)], [5_000n, 5_000n])
    desk.ask({ ...purchase(card, 0n), message_type: '0400', original: { transaction_id: row.id } })
  })
})

describe('a decision', () => {
  test('turns by the checks that are made again alone', () => {
    const row = decided(10n)
    assert.deepEqual(redecide(row, proposed({})), { code: undefined })
    assert.deepEqual(redecide(row, proposed({ ecommerce_non_3ds: false })), { code: '1868' })
    const none = { again: new Set<string>() }
    assert.deepEqual(redecide(row, proposed({ ecommerce_non_3ds: false }, none)), {
      code: undefined,
    })
  })

  test('asks what hour it was in the time zone of the tenant', () => {
    const row = decided(10n, { processing_code: '010000' })
    const codeIn = (time_zone: string) =>
      redecide(row, proposed({ atm_night: false }, { settings: { ...desk.settings, time_zone } }))
    assert.deepEqual(codeIn('UTC'), { code: undefined })
    assert.deepEqual(codeIn('America/New_York'), { code: undefined })
    assert.deepEqual(codeIn('America/Los_Angeles'), { code: '1903' })
  })

  test('keeps an earlier code, and gets a later one where its own is gone', () => {
    const poor = decided(100_000n)
    assert.equal(poor.status_code, '1016')
    assert.deepEqual(redecide(poor, proposed({})), { code: '1016' })
    assert.deepEqual(redecide(poor, proposed({ max_amount: '1' })), { code: '1883' })
  })

  test('is unknown where a check was not made that would decide now', () => {
    const row = decided(10n)
    const trace = row.trace.map(([name, detail]) =>
      name === 'switches'
        ? ([name, 'card atm off', '1862'] as const)
        : ([name, name === 'merchants' ? NOT_CHECKED : detail] as const),
    )
    const stored = { ...row, status: 'DECLINED' as const, status_code: '1862', trace }
    assert.equal(redecide(stored, proposed({})), 'unknown')
    assert.deepEqual(redecide(stored, proposed({ ecommerce_non_3ds: false })), { code: '1868' })
  })
})
