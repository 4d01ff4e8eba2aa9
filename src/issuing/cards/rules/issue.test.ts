import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkExpiry, checkReplacement, initialStatus } from './issue.ts'

describe('expiry', () => {
  const now = new Date('2026-11-30T23:59:59.999Z')
  const table: [requested: string | undefined, months: number, expected: string][] = [
    [undefined, 36, '2029-11'],
    [undefined, 1, '2026-12'],
    ['2026-11', 36, '2026-11'],
    ['2026-10', 36, 'validation_failed'],
    ['2036-11', 36, '2036-11'],
    ['2036-12', 36, 'validation_failed'],
    ['0001-01', 36, 'validation_failed'],
  ]
  for (const [requested, months, expected] of table) {
    test(`${requested ?? `in ${months} months`} is ${expected}`, () => {
      const result = checkExpiry(requested, months, now)
      assert.equal(result.ok ? result.value : result.code, expected)
      if (!result.ok) assert.equal(result.errors?.[0]?.path, 'expiry_date')
    })
  }
})

test('the product sets the first status for each type of card', () => {
  const product = {
    initial_status_of_physical_card: 'INACTIVE',
    initial_status_of_virtual_card: 'ACTIVE',
  } as const
  assert.deepEqual(initialStatus(product, 'PHYSICAL'), {
    status: 'INACTIVE',
    status_reason_code: 'I0',
  })
  assert.deepEqual(initialStatus(product, 'VIRTUAL'), {
    status: 'ACTIVE',
    status_reason_code: 'A0',
  })
})

describe('replacement', () => {
  const requested = { user_id: 'u', card_product_id: 'p' }
  const old = {
    status: 'TERMINATED' as const,
    user_id: 'u',
    card_product_id: 'p',
    account_id: 'a',
    replaced_by_card_id: null,
  }
  const table: [name: string, old: object, requested: object, expected: string][] = [
    ['a terminated card, once', {}, {}, 'allowed'],
    ['its account may be named', {}, { account_id: 'A' }, 'allowed'],
    ['a card that is not TERMINATED', { status: 'SUSPENDED' }, {}, 'card_not_terminated'],
    ['a second time', { replaced_by_card_id: 'c' }, {}, 'card_already_replaced'],
    ['for another user', {}, { user_id: 'v' }, 'user_id'],
    ['under another product', {}, { card_product_id: 'q' }, 'card_product_id'],
    ['on another account', {}, { account_id: 'b' }, 'account_id'],
    ['on an account where there was none', { account_id: null }, { account_id: 'b' }, 'account_id'],
  ]
  for (const [name, before, change, expected] of table) {
    test(`${name}: ${expected}`, () => {
      const result = checkReplacement({ ...old, ...before }, { ...requested, ...change })
      const reported = result.ok ? 'allowed' : (result.errors?.[0]?.path ?? result.code)
      assert.equal(reported, expected)
    })
  }
})
