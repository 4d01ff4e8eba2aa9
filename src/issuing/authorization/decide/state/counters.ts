/**
 * What counts against the velocity limits of a batch (D-42, D-430): a transaction counts what is
 * held and posted for it, at most what was authorized, and what is given back goes to the window in
 * which it was counted.
 */

import {
  type Count,
  counterName,
  countIn,
  type HolderCounters,
  isInScope,
  type LimitTerms,
  type StoredCount,
  type VelocityRule,
  windowName,
} from '#issuing/limits/rules.ts'
import type { Counted, TransactionRow } from '#issuing/transactions/rules.ts'
import type { OpenTransaction } from '../checks/evidence.ts'
import { isDebit, isWithdrawal } from '../kinds.ts'

/** What counts of a transaction as it is, minor units of the account's currency. */
export function countedOf(row: TransactionRow): bigint {
  if (row.status === 'DECLINED' || !isDebit(row.transaction_type)) return 0n
  const taken = row.held + row.cleared_amount
  const authorized = row.billing_amount ?? row.amount
  return taken < authorized ? taken : authorized
}

/** By group and limit, as they are stored. */
type ChangedCounters = Record<string, Record<string, StoredCount>>

type RulesOf = (card_id: string | null) => readonly VelocityRule[]

export class Counters {
  readonly #now: Date
  readonly #time_zone: string
  readonly #rulesOf: RulesOf
  readonly #read: ReadonlyMap<string, HolderCounters>
  /** Of the holders at whom something has counted. */
  readonly #counted = new Map<string, ChangedCounters>()
  readonly #present = new Map<LimitTerms, { name: string; window: string }>()
  readonly #touched = new Set<string>()
  #changed: readonly HolderCounters[] | undefined
  /** The transactions of the present message, and what counted of them before it. */
  readonly #before = new Map<OpenTransaction, bigint>()

  constructor(now: Date, time_zone: string, rulesOf: RulesOf, read: readonly HolderCounters[]) {
    this.#now = now
    this.#time_zone = time_zone
    this.#rulesOf = rulesOf
    this.#read = new Map(read.map((one) => [one.holder_id, one]))
  }

  /** What has counted in the present window. */
  of({ limit, holder_id, group }: VelocityRule): Count {
    const { name, window } = this.#nowOf(limit)
    return countIn(this.#countersOf(holder_id)?.[group]?.[name], window)
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
    if (!this.#read.has(holder_id)) return
    this.#touched.add(holder_id)
    this.#changed = undefined
  }

  /** What is written, with the versions that were read. */
  get changed(): readonly HolderCounters[] {
    this.#changed ??= [...this.#touched].sort().map((holder_id) => ({
      holder_id,
      version: this.#read.get(holder_id)?.version ?? 0n,
      counters: this.#countersOf(holder_id) ?? {},
    }))
    return this.#changed
  }

  /** Those that were read and stay as they are. */
  get unchanged(): { id: string; version: bigint }[] {
    return [...this.#read.values()]
      .filter(({ holder_id }) => !this.#touched.has(holder_id))
      .map(({ holder_id: id, version }) => ({ id, version }))
  }

  /** The name of a limit in counters, and of its present window. */
  #nowOf(limit: LimitTerms): { name: string; window: string } {
    const known = this.#present.get(limit)
    if (known) return known
    const window = windowName(limit, this.#now, this.#time_zone)
    const present = { name: counterName(limit), window }
    this.#present.set(limit, present)
    return present
  }

  /** As they are now; undefined for a holder that was not read. */
  #countersOf(holder_id: string): HolderCounters['counters'] | undefined {
    return this.#counted.get(holder_id) ?? this.#read.get(holder_id)?.counters
  }

  /**
   * As they are now, in an object that may be changed: what was read is also another batch's.
   * Undefined for a holder that was not read.
   */
  #changeable(holder_id: string): ChangedCounters | undefined {
    const known = this.#counted.get(holder_id)
    const read = this.#read.get(holder_id)
    if (known || !read) return known
    const copy: ChangedCounters = {}
    for (const name of Object.keys(read.counters)) copy[name] = { ...read.counters[name] }
    this.#counted.set(holder_id, copy)
    return copy
  }

  #count(row: TransactionRow, amount: bigint, isFirst: boolean): void {
    const number = isFirst ? 1 : 0
    const counted: Counted[] = [...(row.counted ?? [])]
    const withdraws = isWithdrawal(row.transaction_type)
    // The rules of a group follow each other.
    let [holder, name, windows]: [string, string, Record<string, string>] = ['', '', {}]
    for (const { limit, holder_id, group } of this.#rulesOf(row.card_id)) {
      if (limit.period === null || !this.#read.has(holder_id)) continue
      if (!isInScope(limit, withdraws)) continue
      const present = this.#nowOf(limit)
      this.#add(holder_id, group, present.name, present.window, { amount, number })
      if (holder_id !== holder || group !== name) {
        ;[holder, name, windows] = [holder_id, group, {}]
        counted.push([holder_id, group, String(amount), number, windows])
      }
      windows[present.name] = present.window
    }
    if (counted.length > 0) row.counted = counted
  }

  /** From what counted last: an increment before the authorization that it raised. */
  #giveBack(row: TransactionRow, amount: bigint, isAll: boolean): void {
    const open = new Map<string, bigint>()
    const left: Counted[] = []
    for (const [holder_id, group, text, number, windows] of [...(row.counted ?? [])].reverse()) {
      const counted = BigInt(text)
      const uncounted = isAll ? number : 0
      const rests = new Map<bigint, Record<string, string>>()
      for (const [id, window] of Object.entries(windows)) {
        const counter = `${holder_id} ${group} ${id}`
        const due = open.get(counter) ?? amount
        const taken = counted < due ? counted : due
        open.set(counter, due - taken)
        this.#add(holder_id, group, id, window, { amount: -taken, number: -uncounted })
        const rest = counted - taken
        if (rest === 0n && number === uncounted) continue
        rests.set(rest, { ...rests.get(rest), [id]: window })
      }
      for (const [rest, of] of rests) {
        left.push([holder_id, group, String(rest), number - uncounted, of])
      }
    }
    row.counted = left.reverse()
  }

  /** A window that has ended is replaced by what counts in the next, and gets nothing back. */
  #add(holder_id: string, name: string, id: string, window: string, more: Count): void {
    const { amount, number } = more
    const stored = this.#countersOf(holder_id)?.[name]?.[id]
    const isOpen = stored?.[0] === window
    if (amount <= 0n && number <= 0 && !isOpen) return
    const counters = this.#changeable(holder_id)
    if (!counters) return
    const before = countIn(stored, window)
    const sum = before.amount + amount
    const count = Math.max(before.number + number, 0)
    const group = counters[name] ?? {}
    group[id] = [window, String(sum > 0n ? sum : 0n), count]
    counters[name] = group
    this.touch(holder_id)
  }
}
