import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  available,
  BALANCE_MAX,
  checkCredit,
  checkDebit,
  covers,
  credit,
  debit,
  forceDebit,
  forceHold,
  placeHold,
  releaseHold,
} from './rules.ts'
import type { AccountState } from './schema.ts'

type Action = (account: AccountState, amount: bigint) => AccountState
const actions: Record<string, Action> = {
  placeHold,
  forceHold,
  releaseHold,
  debit,
  forceDebit,
  credit,
  checkDebit: (account, amount) => {
    const result = checkDebit(account, amount)
    return result.ok ? result.value : account
  },
}

// before: balance held floor | action amount | after: balance held floor, or that it is not covered
const table = `
  100    0    0 | placeHold 100   | 100  100    0
  100    0    0 | placeHold 101   | not covered
  100   40    0 | placeHold 60    | 100  100    0
  100   40    0 | placeHold 61    | not covered
  -20    0  -20 | placeHold 1     | not covered
  100   40    0 | forceHold 60    | 100  100    0
  100   40    0 | forceHold 80    | 100  120  -20
  100  120  -20 | forceHold 5     | 100  125  -25
  100   40    0 | releaseHold 40  | 100    0    0
  100  120  -20 | releaseHold 10  | 100  110  -10
  100  120  -20 | releaseHold 90  | 100   30    0
  100    0    0 | debit 100       |   0    0    0
  100   40    0 | debit 60        |  40   40    0
  100   40    0 | debit 61        | not covered
  -20    0  -20 | debit 1         | not covered
    0    0    0 | debit 1         | not covered
   10    0    0 | forceDebit 10   |   0    0    0
   10    0    0 | forceDebit 30   | -20    0  -20
  100  100    0 | forceDebit 30   |  70  100  -30
  -20    0  -20 | forceDebit 5    | -25    0  -25
  -20    0  -20 | credit 5        | -15    0  -15
  -20    0  -20 | credit 20       |   0    0    0
  -20    0  -20 | credit 50       |  30    0    0
    0    0    0 | credit 7        |   7    0    0`

for (const line of table.trim().split('\n')) {
  test(line.trim().replace(/\s+/g, ' '), () => {
    const [before = '', action = '', after = ''] = line.split('|').map((part) => part.trim())
    const [name = '', amount = ''] = action.split(' ')
    const act = actions[name]
    assert.ok(act)
    if (after === 'not covered') {
      assert.equal(covers(state(before), BigInt(amount)), false)
      assert.throws(() => act(state(before), BigInt(amount)), /does not cover/)
    } else assert.deepEqual(act(state(before), BigInt(amount)), state(after))
  })
}

function state(text: string): AccountState {
  const [balance = 0n, held = 0n, floor = 0n] = text.split(/\s+/).map(BigInt)
  return { id: 'a', balance, held, floor }
}

describe('limits and broken promises', () => {
  test('a credit may fill the balance to 15 digits and no further; a refund may', () => {
    const nearlyFull = { id: 'a', balance: BALANCE_MAX - 1n, held: 0n, floor: 0n }
    assert.ok(checkCredit(nearlyFull, 1n).ok)
    const result = checkCredit(nearlyFull, 2n)
    assert.equal(result.ok ? 'allowed' : result.code, 'balance_too_large')
    assert.equal(credit(nearlyFull, 2n).balance, BALANCE_MAX + 1n)
  })

  test('an allowed debit answers the account afterwards', () => {
    const result = checkDebit(state('100 40 0'), 60n)
    assert.deepEqual(result.ok && result.value, state('40 40 0'))
  })

  test('an error names the account', () => {
    const result = checkDebit(state('0 0 0'), 1n)
    assert.deepEqual(result, {
      ok: false,
      code: 'insufficient_funds',
      extra: { account_id: 'a' },
    })
  })

  test('releasing more than is held is a fault of the program', () => {
    assert.throws(() => releaseHold(state('100 40 0'), 41n), RangeError)
  })

  for (const [name, action] of Object.entries(actions)) {
    test(`${name} of a negative amount is a fault of the program`, () => {
      assert.throws(() => action(state('100 40 0'), -1n), RangeError)
    })
  }

  test('available is what was posted less what is held, below zero too', () => {
    assert.equal(available(state('100 40 0')), 60n)
    assert.equal(available(state('-20 5 -25')), -25n)
  })
})
