import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLES_MAX, firstOfEach, type ShadowDecision, shadowCounts } from './rules.ts'

const decision = (fields: Partial<ShadowDecision> = {}): ShadowDecision => ({
  kind: 'VELOCITY',
  id: 'limit',
  code: '1897',
  transaction_id: 't',
  approved: true,
  amount: 100n,
  currency: 'AED',
  ...fields,
})

test('what a batch found is one count for each limit, code, currency and outcome', () => {
  const counts = shadowCounts([
    decision(),
    decision({ amount: 50n, transaction_id: 'u' }),
    decision({ approved: false }),
    decision({ kind: 'mccs' }),
  ])
  assert.deepEqual(
    counts.map(({ kind, approved, number, amount }) => [kind, approved, number, amount]),
    [
      ['VELOCITY', true, 2, 150n],
      ['VELOCITY', false, 1, 100n],
      ['mccs', true, 1, 100n],
    ],
  )
  assert.deepEqual(counts[0]?.transaction_ids, ['t', 'u'])
})

test('a count names the newest transactions only', () => {
  const many = Array.from({ length: 30 }, (_, at) => decision({ transaction_id: `t${at}` }))
  const [count] = shadowCounts(many)
  assert.deepEqual([count?.number, count?.transaction_ids.length], [30, EXAMPLES_MAX])
  assert.equal(count?.transaction_ids.at(-1), 't29')
})

test('a limit that is linked twice would decline once', () => {
  const finding = { kind: 'VELOCITY', id: 'limit', code: '1897', detail: '' } as const
  assert.deepEqual(firstOfEach([finding, { ...finding, code: '1898' }]), [finding])
})
