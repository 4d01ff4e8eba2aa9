import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  afterFailure,
  checkAttempt,
  checkCount,
  checkMove,
  FAILURES_MAX,
  LIVING_TOKENS_MAX,
} from './rules.ts'
import type { TokenStatus } from './schema.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-01T12:00:00.001Z')

describe('whether an attempt is checked', () => {
  const table: [status: string, until: Date | null, expected: string][] = [
    ['ACTIVE', null, 'allowed'],
    ['ACTIVE', later, 'provisioning_blocked'],
    ['ACTIVE', now, 'allowed'],
    ['SUSPENDED', later, 'provisioning_blocked'],
    ['SUSPENDED', now, 'card_not_active'],
    ['SUSPENDED', null, 'card_not_active'],
    ['INACTIVE', null, 'card_not_active'],
    ['TERMINATED', null, 'card_not_active'],
  ]
  for (const [status, provisioning_blocked_until, expected] of table) {
    const until = provisioning_blocked_until?.toISOString() ?? 'no block'
    test(`${status} with ${until}: ${expected}`, () => {
      const result = checkAttempt({ status, provisioning_blocked_until }, now)
      assert.equal(result.ok ? 'allowed' : result.code, expected)
    })
  }
})

test(`the wrong attempt number ${FAILURES_MAX} blocks for 24 hours, none before it`, () => {
  for (let before = 0; before < FAILURES_MAX - 1; before++) {
    assert.deepEqual(afterFailure(before, now), { failures: before + 1, blocked_until: undefined })
  }
  const { blocked_until } = afterFailure(FAILURES_MAX - 1, now)
  assert.equal(blocked_until?.toISOString(), '2026-03-02T12:00:00.000Z')
})

test(`a card has at most ${LIVING_TOKENS_MAX} tokens that are not deleted`, () => {
  assert.equal(checkCount(LIVING_TOKENS_MAX - 1).ok, true)
  assert.equal(checkCount(LIVING_TOKENS_MAX).ok, false)
})

describe('the status changes of a token', () => {
  const table = `
    ACTIVE    SUSPENDED allowed
    ACTIVE    DELETED   allowed
    ACTIVE    ACTIVE    rejected
    SUSPENDED ACTIVE    allowed
    SUSPENDED DELETED   allowed
    SUSPENDED SUSPENDED rejected
    DELETED   ACTIVE    rejected
    DELETED   SUSPENDED rejected
    DELETED   DELETED   rejected`
  for (const line of table.trim().split('\n')) {
    test(line.trim().replace(/\s+/g, ' '), () => {
      const [from, to, expected] = line.trim().split(/\s+/)
      const result = checkMove(from as TokenStatus, to as TokenStatus)
      assert.equal(result.ok ? 'allowed' : 'rejected', expected)
      if (!result.ok) assert.equal(result.code, 'token_status_move_refused')
    })
  }
})
