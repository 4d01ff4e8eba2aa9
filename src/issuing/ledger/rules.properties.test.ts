import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  checkCredit,
  checkDebit,
  covers,
  credit,
  forceDebit,
  forceHold,
  placeHold,
  releaseHold,
} from './rules.ts'
import type { AccountState } from './schema.ts'

const RUNS = process.env['TEST_DEEP'] ? 20_000 : 500
const SEED = process.env['TEST_DEEP'] ? undefined : 20_260_101

const kinds = [
  ...['place', 'forcePlace', 'release', 'post', 'postBeyond'],
  ...['debit', 'forceDebit', 'credit', 'transfer'],
] as const
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  account: fc.nat(2),
  other: fc.nat(2),
  amount: fc.bigInt({ min: 1n, max: 500n }),
  pick: fc.nat(20),
})
type Step = { kind: string; account: number; other: number; amount: bigint; pick: number }

/** Three accounts, their open holds, and all that left or entered them from outside. */
class Books {
  accounts: AccountState[] = [0, 1, 2].map((at) => ({
    id: String(at),
    balance: 0n,
    held: 0n,
    floor: 0n,
  }))
  holds: { account: number; amount: bigint }[] = []
  outside = 0n

  take({ kind, account: at, other, amount, pick }: Step): void {
    const before = this.account(at)
    if (kind === 'place' || kind === 'forcePlace') {
      const isCovered = covers(before, amount)
      if (kind === 'place' && !isCovered) return
      this.accounts[at] = isCovered ? placeHold(before, amount) : forceHold(before, amount)
      this.holds.push({ account: at, amount })
    } else if (kind === 'debit') {
      const result = checkDebit(before, amount)
      if (result.ok) this.fromOutside(at, result.value, -amount)
    } else if (kind === 'forceDebit') this.fromOutside(at, forceDebit(before, amount), -amount)
    else if (kind === 'credit') this.fromOutside(at, credit(before, amount), amount)
    else if (kind === 'transfer') this.transfer(at, other, amount)
    else this.end(kind, amount, pick)
  }

  /** A hold is released or posted, in part or beyond its amount. */
  end(kind: string, amount: bigint, pick: number): void {
    const hold = this.holds[pick % Math.max(1, this.holds.length)]
    if (!hold || hold.amount === 0n) return
    const part = amount < hold.amount ? amount : hold.amount
    const freed = releaseHold(this.account(hold.account), part)
    hold.amount -= part
    if (kind === 'release') {
      this.accounts[hold.account] = freed
      return
    }
    const posted = kind === 'postBeyond' ? part + amount : part
    this.fromOutside(hold.account, forceDebit(freed, posted), -posted)
  }

  transfer(from: number, to: number, amount: bigint): void {
    if (from === to) return
    const taken = checkDebit(this.account(from), amount)
    const credited = checkCredit(this.account(to), amount)
    if (!taken.ok || !credited.ok) return
    this.accounts[from] = taken.value
    this.accounts[to] = credited.value
  }

  fromOutside(at: number, after: AccountState, amount: bigint): void {
    this.accounts[at] = after
    this.outside -= amount
  }

  account(at: number): AccountState {
    const account = this.accounts[at]
    assert.ok(account)
    return account
  }
}

const voluntary = new Set(['place', 'debit', 'credit', 'transfer'])

test('whatever happens, balances, holds and floors agree and all money sums to zero', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const books = new Books()
      for (const one of steps) {
        const floors = books.accounts.map(({ floor }) => floor)
        books.take(one)
        books.accounts.forEach((account, at) => {
          const { balance, held, floor } = account
          const open = books.holds.filter((hold) => hold.account === at)
          assert.equal(
            held,
            open.reduce((sum, { amount }) => sum + amount, 0n),
          )
          assert.ok(held >= 0n)
          // The floor is reached exactly, or it is zero: this is the constraint of the database.
          assert.equal(floor, balance - held < 0n ? balance - held : 0n)
          if (voluntary.has(one.kind)) assert.ok(floor >= (floors[at] ?? 0n))
        })
        const total = books.accounts.reduce((sum, { balance }) => sum + balance, books.outside)
        assert.equal(total, 0n)
      }
    }),
    { numRuns: RUNS, ...(SEED !== undefined && { seed: SEED }) },
  )
})
