/**
 * What counts against the velocity limits of a batch (D-42, D-430): a transaction counts what is
 * held and posted for it, at most what was authorized, and what is given back goes to the window in
 * which it was counted.
 */

import {
  type Count,
  type GroupCounters,
  type HolderCounters,
  isInScope,
  type LimitTerms,
  NOTHING,
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

/** What has counted against a limit in the window in which it counted last. */
type Counter = Count & { window: string }
/** By the id of the limit. */
type Group = Map<string, Counter>

export class Counters {
  readonly #now: Date
  readonly #time_zone: string
  readonly #rulesOf: RulesOf
  readonly #read: ReadonlyMap<string, HolderCounters>
  /** Of each holder, the groups that were asked for. */
  readonly #groups = new Map<string, Map<string, Group>>()
  readonly #windows = new Map<LimitTerms, string>()
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
    const counter = this.#groupOf(holder_id, group)?.get(limit.id)
    return counter?.window === this.#windowOf(limit) ? counter : NOTHING
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
    this.#changed ??= [...this.#touched].sort().map((holder_id) => {
      const read = this.#read.get(holder_id)
      const counters = { ...read?.counters }
      for (const [group, counted] of this.#groups.get(holder_id) ?? []) {
        counters[group] = storedOf(counted)
      }
      return { holder_id, version: read?.version ?? 0n, counters }
    })
    return this.#changed
  }

  /** Those that were read and stay as they are. */
  get unchanged(): { id: string; version: bigint }[] {
    return [...this.#read.values()]
      .filter(({ holder_id }) => !this.#touched.has(holder_id))
      .map(({ holder_id: id, version }) => ({ id, version }))
  }

  #windowOf(limit: LimitTerms): string {
    const known = this.#windows.get(limit)
    if (known !== undefined) return known
    const window = windowName(limit, this.#now, this.#time_zone)
    this.#windows.set(limit, window)
    return window
  }

  /** Undefined for a holder that was not read. */
  #groupOf(holder_id: string, name: string): Group | undefined {
    let groups = this.#groups.get(holder_id)
    const known = groups?.get(name)
    const read = this.#read.get(holder_id)
    if (known || !read) return known
    const group: Group = new Map()
    for (const [id, [window, amount, number]] of Object.entries(read.counters[name] ?? {})) {
      group.set(id, { window, amount: BigInt(amount), number })
    }
    if (!groups) {
      groups = new Map()
      this.#groups.set(holder_id, groups)
    }
    groups.set(name, group)
    return group
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
      const window = this.#windowOf(limit)
      this.#add(holder_id, group, limit.id, window, { amount, number })
      if (holder_id !== holder || group !== name) {
        ;[holder, name, windows] = [holder_id, group, {}]
        counted.push([holder_id, group, String(amount), number, windows])
      }
      windows[limit.id] = window
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
    const group = this.#groupOf(holder_id, name)
    const counter = group?.get(id)
    const isOpen = counter?.window === window
    if (!group || (amount <= 0n && number <= 0 && !isOpen)) return
    const before = isOpen ? counter : NOTHING
    const sum = before.amount + amount
    const count = Math.max(before.number + number, 0)
    group.set(id, { window, amount: sum > 0n ? sum : 0n, number: count })
    this.touch(holder_id)
  }
}

const storedOf = (group: Group): GroupCounters =>
  Object.fromEntries(
    [...group].map(([id, { window, amount, number }]) => [id, [window, String(amount), number]]),
  )
