/**
 * What counts against the velocity limits of a batch (D-42, D-430): a transaction counts what is
 * held and posted for it, at most what was authorized, and what is given back goes to the window in
 * which it was counted.
 */

import {
  type Count,
  countIn,
  type HolderCounters,
  isInScope,
  type StoredCount,
  type VelocityRule,
  windowName,
} from '#issuing/limits/rules.ts'
import type { Counted, TransactionRow } from '#issuing/transactions/rules.ts'
import type { OpenTransaction } from './evidence.ts'
import { isDebit, isWithdrawal } from './kinds.ts'

/** What counts of a transaction as it is, minor units of the account's currency. */
export function countedOf({
  status,
  held,
  cleared_amount,
  transaction_type,
  ...row
}: TransactionRow) {
  if (status === 'DECLINED' || !isDebit(transaction_type)) return 0n
  const taken = held + cleared_amount
  const authorized = row.billing_amount ?? row.amount
  return taken < authorized ? taken : authorized
}

type RulesOf = (card_id: string | null) => readonly VelocityRule[]

export class Counters {
  readonly #now: Date
  readonly #time_zone: string
  readonly #rulesOf: RulesOf
  readonly #read: ReadonlyMap<string, HolderCounters>
  readonly #counts = new Map<string, Map<string, StoredCount>>()
  readonly #changed = new Set<string>()
  /** The transactions of the present message, and what counted of them before it. */
  readonly #before = new Map<OpenTransaction, bigint>()

  constructor(now: Date, time_zone: string, rulesOf: RulesOf, read: readonly HolderCounters[]) {
    this.#now = now
    this.#time_zone = time_zone
    this.#rulesOf = rulesOf
    this.#read = new Map(read.map((one) => [one.holder_id, one]))
    for (const { holder_id, counters } of read) {
      this.#counts.set(holder_id, new Map(Object.entries(counters)))
    }
  }

  /** What has counted in the present window. */
  of(rule: VelocityRule): Count {
    const { holder_id, counter } = rule
    const stored = this.#counts.get(holder_id)?.get(counter)
    return countIn(stored, windowName(rule.limit, this.#now, this.#time_zone))
  }

  /** Called before a transaction changes. */
  watch(open: OpenTransaction, isNew = false): void {
    if (this.#before.has(open)) return
    if (open.row.counted === undefined && this.#rulesOf(open.row.card_id).length === 0) return
    this.#before.set(open, isNew ? 0n : countedOf(open.row))
  }

  /** Counts, or gives back, what the present message has changed. */
  recount(): void {
    if (this.#before.size === 0) return
    for (const [{ row }, before] of this.#before) {
      const after = countedOf(row)
      if (after > before) this.#count(row, after - before, before === 0n)
      if (after < before) this.#giveBack(row, before - after, after === 0n)
    }
    this.#before.clear()
  }

  /** What rests on the sum of the holder's accounts has changed: the row gets a new version. */
  touch(holder_id: string): void {
    if (this.#read.has(holder_id)) this.#changed.add(holder_id)
  }

  /** What is written, with the versions that were read. */
  get changed(): HolderCounters[] {
    return [...this.#changed].sort().map((holder_id) => ({
      holder_id,
      version: this.#read.get(holder_id)?.version ?? 0n,
      counters: Object.fromEntries(this.#counts.get(holder_id) ?? []),
    }))
  }

  /** Those that were read and stay as they are. */
  get unchanged(): { id: string; version: bigint }[] {
    return [...this.#read.values()]
      .filter(({ holder_id }) => !this.#changed.has(holder_id))
      .map(({ holder_id: id, version }) => ({ id, version }))
  }

  #count(row: TransactionRow, amount: bigint, isFirst: boolean): void {
    const number = isFirst ? 1 : 0
    const counted: Counted[] = [...(row.counted ?? [])]
    for (const rule of this.#rulesOf(row.card_id)) {
      const { limit, holder_id, counter } = rule
      const counters = this.#counts.get(holder_id)
      if (!counters || limit.period === null) continue
      if (!isInScope(limit, isWithdrawal(row.transaction_type))) continue
      const window = windowName(limit, this.#now, this.#time_zone)
      this.#add(holder_id, counter, window, { amount, number })
      counted.push([holder_id, counter, window, String(amount), number])
    }
    if (counted.length > 0) row.counted = counted
  }

  /** From what counted last: an increment before the authorization that it raised. */
  #giveBack(row: TransactionRow, amount: bigint, isAll: boolean): void {
    const open = new Map<string, bigint>()
    const left: Counted[] = []
    for (const [holder_id, counter, window, text, number] of [...(row.counted ?? [])].reverse()) {
      const name = `${holder_id} ${counter}`
      const due = open.get(name) ?? amount
      const counted = BigInt(text)
      const taken = counted < due ? counted : due
      open.set(name, due - taken)
      const uncounted = isAll ? number : 0
      this.#add(holder_id, counter, window, { amount: -taken, number: -uncounted })
      const rest = counted - taken
      if (rest > 0n || number > uncounted) {
        left.push([holder_id, counter, window, String(rest), number - uncounted])
      }
    }
    row.counted = left.reverse()
  }

  /** A window that has ended is replaced by what counts in the next, and gets nothing back. */
  #add(holder_id: string, counter: string, window: string, { amount, number }: Count): void {
    const counters = this.#counts.get(holder_id)
    const stored = counters?.get(counter)
    if (!counters || (amount <= 0n && number <= 0 && stored?.[0] !== window)) return
    const before = countIn(stored, window)
    const sum = before.amount + amount
    const count = Math.max(before.number + number, 0)
    counters.set(counter, [window, String(sum > 0n ? sum : 0n), count])
    this.#changed.add(holder_id)
  }
}
