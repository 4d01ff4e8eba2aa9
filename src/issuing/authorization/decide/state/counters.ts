/**
 * The counts against the velocity limits of a batch (D-42, D-430). A transaction counts its held
 * and posted amount, at most the authorized one. An amount that is given back is subtracted from
 * the window in which it was counted.
 */

import {
  type ChainCounters,
  type ChangedChain,
  type Count,
  counterName,
  countIn,
  type GroupCounters,
  groupOf,
  type HolderCounters,
  isInScope,
  isOfWindow,
  type LimitTerms,
  NOTHING,
  OF_HOLDER,
  type StoredCount,
  storedCount,
  type VelocityRule,
  windowName,
  withCounted,
} from '#issuing/limits/rules.ts'
import { approvalsOf, type Counted, type TransactionRow } from '#issuing/transactions/rules.ts'
import { convert, least } from '#lib/money.ts'
import { isDebit, isWithdrawal } from '../kinds.ts'
import type { OpenTransaction } from '../rows.ts'

/** The amount that a transaction counts as it is, minor units of the account's currency. */
export function countedOf(row: TransactionRow): bigint {
  if (row.status === 'DECLINED' || !isDebit(row.transaction_type)) return 0n
  const [taken, left] = [row.held + row.cleared_amount, row.billing_amount ?? row.amount]
  return taken <= left ? taken : least(taken, left + reversedOf(row))
}

/**
 * The sum that was authorized and reversed since: a posting counts whether the reversal came before
 * it or after (D-953). Minor units of the account's currency.
 */
function reversedOf(row: TransactionRow): bigint {
  const { amount, currency, billing_currency, foreign } = row
  const approved = approvalsOf(row).reduce((sum, approval) => sum + approval, 0n)
  const reversed = approved > amount ? approved - amount : 0n
  return foreign && billing_currency !== null
    ? convert(reversed, currency, billing_currency, foreign.rate)
    : reversed
}

/** By holder, the chains of cards at which these have counted; none for counts over all cards. */
export function chainsCounted(
  transactions: readonly { row: TransactionRow }[],
): Map<string, Set<string>> {
  const chains = new Map<string, Set<string>>()
  for (const { row } of transactions) {
    for (const [holder_id, group] of row.counted ?? []) {
      const of = chains.get(holder_id) ?? new Set()
      chains.set(holder_id, group === OF_HOLDER ? of : of.add(group))
    }
  }
  return chains
}

const NO_CHAINS: ChainCounters = new Map()

/** Stored counts by limit. */
type ChangedGroup = Record<string, StoredCount>

/** The rules of a group follow each other. */
const isOfGroup = ({ holder_id, group }: VelocityRule, last: VelocityRule | undefined): boolean =>
  last?.group === group && last.holder_id === holder_id

type RulesOf = (card_id: string | null) => readonly VelocityRule[]

export class Counters {
  readonly #now: Date
  readonly #time_zone: string
  readonly #rulesOf: RulesOf
  readonly #read: ReadonlyMap<string, HolderCounters>
  /** The groups in which something has counted, by holder. */
  readonly #counted = new Map<string, Map<string, ChangedGroup>>()
  readonly #present = new Map<LimitTerms, { name: string; window: string }>()
  readonly #touched = new Set<string>()
  #changed: readonly HolderCounters[] | undefined
  /** The transactions of the present message, and their counts before it. */
  readonly #before = new Map<OpenTransaction, bigint>()

  constructor(now: Date, time_zone: string, rulesOf: RulesOf, read: readonly HolderCounters[]) {
    this.#now = now
    this.#time_zone = time_zone
    this.#rulesOf = rulesOf
    this.#read = new Map(read.map((one) => [one.holder_id, one]))
  }

  /** The counts in the present window of each limit. */
  of(rules: readonly VelocityRule[]): { limit: LimitTerms; counted: Count }[] {
    let last: VelocityRule | undefined
    let counters: GroupCounters | undefined
    return rules.map((rule) => {
      const { limit, holder_id, group } = rule
      if (!isOfGroup(rule, last)) counters = this.#groupOf(holder_id, group)
      last = rule
      if (!counters || limit.period === null) return { limit, counted: NOTHING }
      const { name, window } = this.#nowOf(limit)
      return { limit, counted: countIn(counters[name], window) }
    })
  }

  /** Called before a transaction changes. */
  watch(open: OpenTransaction, isNew = false): void {
    if (this.#before.has(open)) return
    if (open.row.counted === undefined && this.#rulesOf(open.row.card_id).length === 0) return
    this.#before.set(open, isNew ? 0n : countedOf(open.row))
  }

  /** Counts, or gives back, the changes of the present message. */
  recount(): void {
    if (this.#before.size === 0) return
    for (const [{ row }, before] of this.#before) {
      const after = countedOf(row)
      if (after > before) this.#count(row, after - before, before === 0n)
      if (after < before) this.#giveBack(row, before - after, after === 0n)
    }
    this.#before.clear()
  }

  /**
   * A value behind a limit on the sum of the holder's accounts has changed: the row gets a new
   * version.
   */
  touch(holder_id: string): void {
    if (!this.#read.has(holder_id)) return
    this.#touched.add(holder_id)
    this.#changed = undefined
  }

  /** Whether anything of the holder is written. */
  hasChanged(holder_id: string): boolean {
    return this.#touched.has(holder_id)
  }

  /** The counters to be written, with the versions that were read. */
  get changed(): readonly HolderCounters[] {
    this.#changed ??= [...this.#touched].sort().flatMap((holder_id) => {
      const read = this.#read.get(holder_id)
      const groups = this.#counted.get(holder_id)
      if (!read || !groups) return read ?? []
      return withCounted(read, groups)
    })
    return this.#changed
  }

  /** The counters of chains of cards that have rows of their own and have changed. */
  get changedChains(): ChangedChain[] {
    const changed: ChangedChain[] = []
    for (const { holder_id: account_id, chains = NO_CHAINS } of this.changed) {
      for (const [chain_id, counters] of chains) {
        if (!counters || counters !== this.#counted.get(account_id)?.get(chain_id)) continue
        changed.push({ account_id, chain_id, counters })
      }
    }
    return changed
  }

  /** Whether what is in the holder's row has changed. */
  hasChangedRow({ holder_id, counters }: HolderCounters): boolean {
    return counters !== this.#read.get(holder_id)?.counters
  }

  /** The counters that were read and stay as they are. */
  get unchanged(): HolderCounters[] {
    return [...this.#read.values()].filter(({ holder_id }) => !this.#touched.has(holder_id))
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

  /** The present group; undefined if nothing has counted in it. */
  #groupOf(holder_id: string, group: string): GroupCounters | undefined {
    const changed = this.#counted.get(holder_id)?.get(group)
    const read = this.#read.get(holder_id)
    return changed ?? (read && groupOf(read, group))
  }

  /**
   * The same in an object that may be changed, because another batch shares the rows that were
   * read. Undefined for a holder that was not read.
   */
  #changeable(holder_id: string, group: string): ChangedGroup | undefined {
    const read = this.#read.get(holder_id)
    if (!read) return undefined
    const groups = this.#counted.get(holder_id) ?? new Map<string, ChangedGroup>()
    const changeable = groups.get(group) ?? { ...groupOf(read, group) }
    groups.set(group, changeable)
    this.#counted.set(holder_id, groups)
    this.touch(holder_id)
    return changeable
  }

  #count(row: TransactionRow, amount: bigint, isFirst: boolean): void {
    const number = isFirst ? 1 : 0
    const counted: Counted[] = [...(row.counted ?? [])]
    const withdraws = isWithdrawal(row.transaction_type)
    let last: VelocityRule | undefined
    let counters: ChangedGroup | undefined
    let windows: Record<string, string> = {}
    for (const rule of this.#rulesOf(row.card_id)) {
      const { limit, holder_id, group } = rule
      if (limit.period === null || !isInScope(limit, withdraws)) continue
      if (!isOfGroup(rule, last)) {
        last = rule
        counters = this.#changeable(holder_id, group)
        windows = {}
        if (counters) counted.push([holder_id, group, String(amount), number, windows])
      }
      if (!counters) continue
      const { name, window } = this.#nowOf(limit)
      const before = countIn(counters[name], window)
      const after = { amount: before.amount + amount, number: before.number + number }
      // A window that has ended is replaced by the count of the next.
      counters[name] = storedCount(after, window)
      windows[name] = window
    }
    if (counted.length > 0) row.counted = counted
  }

  /** Gives back from the last count first: an increment before the authorization that it raised. */
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
        this.#take(holder_id, group, id, window, { amount: taken, number: uncounted })
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

  /** A window that has ended gets nothing back. */
  #take(holder_id: string, group: string, name: string, window: string, less: Count): void {
    const stored = this.#groupOf(holder_id, group)?.[name]
    const counters = isOfWindow(stored, window) && this.#changeable(holder_id, group)
    if (!counters) return
    const before = countIn(stored, window)
    const amount = before.amount - less.amount
    const number = Math.max(before.number - less.number, 0)
    counters[name] = storedCount({ amount: amount > 0n ? amount : 0n, number }, window)
  }
}
