/** The money of disputes by random lives (D-1062): the balance of each account after each step. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { programAccountId } from '#issuing/ledger/rules.ts'
import { portionOf } from '#lib/money.ts'
import {
  type Amounts,
  credits,
  type ProvisionalCredit,
  placesOf,
  postingsOf,
} from './rules/money.ts'
import {
  checkMove,
  type DisputeStatus,
  finalStatuses,
  type Outcome,
  steps,
} from './rules/states.ts'

const RUNS = process.env['TEST_DEEP'] ? 20_000 : 1000
const SEED = process.env['TEST_DEEP'] ? undefined : 20_260_101

const TENANT = '00000000-0000-7000-8000-000000000001'
const ids = { transaction_id: 'transaction', account_id: 'account', currency: 'AED' }
const own = (kind: 'DISPUTES' | 'SETTLEMENT' | 'FX' | 'FEES') =>
  programAccountId(TENANT, kind, 'AED')

type Life = Amounts & {
  status: DisputeStatus
  outcome: Outcome | null
  provisional_credit: ProvisionalCredit
}

/** The balances of all accounts, and the debts that became charges. */
class Books {
  readonly balances = new Map<string, bigint>()
  debts = 0n

  of(account: string): bigint {
    return this.balances.get(account) ?? 0n
  }

  move(before: Life, after: Life): void {
    const has = this.of('account')
    const { transfers, debt } = postingsOf(
      TENANT,
      { ...before, ...ids },
      after,
      has > 0n ? has : 0n,
    )
    for (const { debit_account_id, credit_account_id, amount } of transfers) {
      assert.ok(amount > 0n, 'a transfer moves something')
      this.balances.set(debit_account_id, this.of(debit_account_id) - amount)
      this.balances.set(credit_account_id, this.of(credit_account_id) + amount)
    }
    this.debts += debt
  }
}

const life = fc.record({
  amount: fc.bigInt({ min: 1n, max: 100_000n }),
  settled_percent: fc.integer({ min: 90, max: 110 }),
  provisional_credit: fc.constantFrom(...credits),
  funds: fc.bigInt({ min: 0n, max: 50_000n }),
  spent: fc.integer({ min: 0, max: 100 }),
  taken_back: fc.integer({ min: 1, max: 100 }),
  steps: fc.array(fc.constantFrom(...steps), { maxLength: 40 }),
})

test('each state of a dispute has the money where its row of the table has it', () => {
  fc.assert(
    fc.property(life, (one) => {
      const { amount, provisional_credit } = one
      const books = new Books()
      books.balances.set('account', one.funds)
      const settled = (amount * BigInt(one.settled_percent)) / 100n
      const nothing = { represented: 0n, credited: 0n, recovered: 0n }
      let now: Life = {
        ...{ amount, settled, ...nothing, provisional_credit },
        status: 'DRAFT',
        outcome: null,
      }
      let given = one.funds
      for (const step of one.steps) {
        const move = checkMove(now.status, step)
        if (!move.ok) continue
        const { to, outcome = null } = move.value
        const part = portionOf(amount, 100n, BigInt(one.taken_back))
        const represented = step === 'REPRESENT' ? part : step === 'SUBMIT' ? 0n : now.represented
        const placed = { ...now, status: to, outcome, represented }
        const after = { ...placed, ...placesOf(placed) }
        books.move(now, after)
        // The cardholder spends of what the account has, and that leaves these books.
        const spent = (books.of('account') * BigInt(one.spent)) / 100n
        books.balances.set('account', books.of('account') - spent)
        given -= spent
        now = after

        const sum = [...books.balances.values()].reduce((all, balance) => all + balance, 0n)
        assert.equal(sum, given, 'money is neither made nor lost')
        const scheme = portionOf(settled, amount, now.recovered)
        assert.equal(books.of(own('SETTLEMENT')), -scheme, 'the scheme gave its part')
        assert.equal(books.of(own('FX')), scheme - now.recovered, 'exchange is what is between')
        assert.equal(books.of(own('DISPUTES')), now.recovered - now.credited)
        assert.equal(books.of(own('FEES')), -books.debts, 'the program bears what is owed')
        assert.ok(
          books.of('account') >= 0n,
          'a credit that is taken back leaves no account in debt',
        )
        if (finalStatuses.includes(now.status)) assert.equal(books.of(own('DISPUTES')), 0n)
      }
    }),
    { numRuns: RUNS, ...(SEED !== undefined && { seed: SEED }) },
  )
})

test('a dispute that is won leaves the cardholder all, one that is lost what was kept', () => {
  const amounts = { amount: 100n, settled: 100n, represented: 30n, credited: 0n, recovered: 0n }
  for (const provisional_credit of credits) {
    const placeOf = (status: DisputeStatus, outcome: Outcome | null) =>
      placesOf({ ...amounts, status, outcome, provisional_credit })
    const all = { credited: 100n, recovered: 100n }
    const kept = { credited: 70n, recovered: 70n }
    const none = { credited: 0n, recovered: 0n }
    assert.deepEqual(placeOf('WON', 'WON'), all)
    assert.deepEqual(placeOf('EXPIRED', 'WON'), all)
    for (const status of ['LOST', 'ACCEPTED', 'EXPIRED'] as const) {
      assert.deepEqual(placeOf(status, 'LOST'), kept)
    }
    assert.deepEqual(placeOf('WITHDRAWN', null), none)
    assert.deepEqual(placeOf('EXPIRED', null), none)
  }
})
