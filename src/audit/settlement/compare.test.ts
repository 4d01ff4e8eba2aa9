/** The findings of a comparison of a settlement file with the issuer's book. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayOf } from '../reconciliation/rules/day.ts'
import type { IssuerTransaction } from '../reconciliation/rules/model.ts'
import { Comparison } from './compare.ts'
import type { Claim } from './read.ts'

const NOON = new Date('2026-11-25T12:00:00.000Z')
const RRN = 'ABCDEFGH0001'

let ids = 0
const claim = (changes: Partial<Claim> = {}): Claim => ({
  number: 1,
  type: 'CAPTURE',
  rrn: RRN,
  stan: '000001',
  transmitted: '1125120000',
  approval_code: 'ABC123',
  card_acceptor_id: 'M',
  terminal_id: 'T',
  amount: 10_050n,
  currency: 'AED',
  time: NOON,
  ...changes,
})

/** A transaction with postings of these amounts. */
function transaction(
  postings: readonly bigint[],
  changes: Partial<IssuerTransaction> & { at?: Date } = {},
): IssuerTransaction {
  const { at = NOON, ...rest } = changes
  const total = postings.reduce((sum, amount) => sum + amount, 0n)
  return {
    tenant_id: 'tenant',
    id: `transaction ${ids++}`,
    rrn: RRN,
    acceptor: 'M',
    key: '000000|1125115900',
    type: 'PURCHASE',
    status: 'SETTLED',
    currency: 'AED',
    authorized: total,
    amount: total,
    held: 0n,
    cleared_amount: total,
    posted_amount: total,
    postings: postings.map((amount) => ({ id: `posting ${ids++}`, amount, created: at })),
    created: at,
    ...rest,
  }
}
const refunded = (amount: bigint, changes: Partial<IssuerTransaction> = {}) =>
  transaction([amount], { type: 'REFUND', key: '000002|1125120000', ...changes })
const refund = (changes: Partial<Claim> = {}) =>
  claim({ type: 'REFUND', stan: '000002', amount: 4_025n, ...changes })

/** The kinds of findings, in portions of claims, then of the remaining postings. */
function found(portions: readonly Claim[][], issuer: readonly IssuerTransaction[]): string[] {
  const comparison = new Comparison(dayOf('2026-11-25'))
  const known = Map.groupBy(issuer, ({ rrn }) => rrn)
  const findings = portions.flatMap((claims) => comparison.records(claims, known))
  return [...findings, ...comparison.left(issuer)].map(
    ({ kind, record, detail }) =>
      `${kind} ${record?.number ?? '-'}${detail.endsWith('.') ? '' : '!'}`,
  )
}

test('a capture and a refund that were posted agree', () => {
  assert.deepEqual(found([[claim(), refund()]], [transaction([10_050n]), refunded(4_025n)]), [])
})

test('a record of an unknown payment is unknown, and one of a known payment missing', () => {
  assert.deepEqual(found([[claim(), refund({ number: 2 })]], []), ['unknown 1', 'unknown 2'])
  assert.deepEqual(found([[claim(), refund({ number: 2 })]], [transaction([])]), [
    'missing 1',
    'missing 2',
  ])
})

test('a refund is found by its trace number and time, not by its amount', () => {
  const other = refunded(4_025n, { key: '000009|1125120000' })
  assert.deepEqual(found([[refund()]], [other]), ['missing 1', 'not_in_file -'])
})

test('another amount and another currency are named once', () => {
  assert.deepEqual(found([[claim()]], [transaction([10_051n])]), ['other_amount 1'])
  assert.deepEqual(found([[claim()]], [transaction([10_050n], { currency: 'USD' })]), [
    'other_currency 1',
  ])
  assert.deepEqual(found([[refund()]], [refunded(4_026n)]), ['other_amount 1'])
})

test('captures of one payment get the postings of their amounts, in any order', () => {
  const two = [claim({ amount: 6_000n }), claim({ number: 2, stan: '000003', amount: 4_050n })]
  const posted = transaction([4_050n, 6_000n])
  assert.deepEqual(found([two], [posted]), [])
  assert.deepEqual(found([two.slice(0, 1), two.slice(1)], [posted]), [])
  const wrong = [claim({ amount: 6_001n }), two[1] ?? claim()]
  assert.deepEqual(found([wrong], [posted]), ['other_amount 1'])
})

test('a record that is there twice is found, also in another portion', () => {
  const twice = [claim(), claim({ number: 2 })]
  assert.deepEqual(found([twice], [transaction([10_050n])]), ['twice 2'])
  assert.deepEqual(found([[claim()], [claim({ number: 2 })]], [transaction([10_050n])]), [
    'twice 2',
  ])
})

test('a second capture of one posting is missing', () => {
  const second = claim({ number: 2, stan: '000003' })
  assert.deepEqual(found([[claim()], [second]], [transaction([10_050n])]), ['missing 2'])
})

test('what the issuer posted and the file lacks is found, of its day only', () => {
  assert.deepEqual(found([[]], [transaction([10_050n]), refunded(5n)]), [
    'not_in_file -',
    'not_in_file -',
  ])
  const yesterday = new Date('2026-11-24T12:00:00.000Z')
  assert.deepEqual(found([[]], [transaction([10_050n], { at: yesterday })]), [])
})

test('a record that was posted on another day is found, but not around midnight', () => {
  const on = (at: string) => found([[claim()]], [transaction([10_050n], { at: new Date(at) })])
  assert.deepEqual(on('2026-11-24T23:54:59.999Z'), ['other_day 1'])
  assert.deepEqual(on('2026-11-24T23:55:00.000Z'), [])
  assert.deepEqual(on('2026-11-26T00:04:59.999Z'), [])
  assert.deepEqual(on('2026-11-26T00:05:00.000Z'), ['other_day 1'])
})

test('postings near midnight that the file lacks are counted apart', () => {
  const comparison = new Comparison(dayOf('2026-11-25'))
  const near = ['2026-11-25T00:04:59.999Z', '2026-11-25T23:55:00.001Z']
  const far = ['2026-11-25T00:05:00.000Z', '2026-11-25T23:55:00.000Z']
  const at = (times: string[]) => times.map((time) => transaction([1n], { at: new Date(time) }))
  assert.deepEqual(comparison.left(at(near)), [])
  assert.equal(comparison.over_midnight, 2)
  assert.equal(comparison.left(at(far)).length, 2)
  assert.equal(comparison.over_midnight, 2)
})
