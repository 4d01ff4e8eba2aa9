/**
 * Tables that are partitioned by month, and the months of their leaves (partitions). Pure: an
 * instant in, names and bounds out.
 */

import { firstIdAt } from '#lib/id.ts'

/** Months whose leaves exist before they begin, beside the current one. */
export const MONTHS_AHEAD = 3

/** A table that a migration creates with `partition by range (…)` and without partitions. */
export type Partitioned = {
  table: string
  /** `id`: a UUID version 7, whose first 48 bits are its time; `created`: a timestamptz. */
  by: 'id' | 'delivery_id' | 'created'
  /** The day of the month on which its months begin, 1 to 28, in UTC. */
  begins: number
  /**
   * Unique indexes of each leaf, as `(columns)` with or without a condition. They lack the column
   * of the partitioning, so the parent cannot have them.
   */
  unique: readonly string[]
  /**
   * Other indexes of each leaf, as `(columns)`: those that came after the first release. The parent
   * lacks them, since nothing builds an index there without a lock that writers wait for.
   */
  indexes?: readonly string[]
  /**
   * The table has no primary key: by its first unique index a row is found where the shard of a
   * leaf is moved to another node of a cluster.
   */
  isFoundByUnique?: true
  /** Storage parameters of each leaf; the parent can have none. */
  storage?: string
  /** SQL condition of rows because of which a leaf is not dropped yet. */
  open?: string
}

/** Months count from the year 0, so that they can be added to. */
export function monthOf({ begins }: Partitioned, instant: Date): number {
  const month = instant.getUTCFullYear() * 12 + instant.getUTCMonth()
  return instant.getUTCDate() < begins ? month - 1 : month
}

/** The name of the index of a leaf that stands at that place of `indexes`. */
export const leafIndex = (leaf: string, at: number): string => `${leaf}_index_${at + 1}`

/** The month of a leaf by its name, `<table>_YYYY_MM`; undefined for any other name. */
export function monthOfName({ table }: Partitioned, name: string): number | undefined {
  if (!name.startsWith(`${table}_`)) return undefined
  const [, year, month] = /^(\d{4})_(0[1-9]|1[0-2])$/.exec(name.slice(table.length + 1)) ?? []
  return year === undefined ? undefined : Number(year) * 12 + Number(month) - 1
}

export function leafName({ table }: Partitioned, month: number): string {
  const year = String(Math.floor(month / 12)).padStart(4, '0')
  return `${table}_${year}_${String((month % 12) + 1).padStart(2, '0')}`
}

export const startOf = ({ begins }: Partitioned, month: number): Date =>
  new Date(Date.UTC(Math.floor(month / 12), month % 12, begins))

/** The least value of the column at the beginning of the month, as a literal of SQL. */
export function boundOf(table: Partitioned, month: number): string {
  const start = startOf(table, month)
  return table.by === 'created' ? `'${start.toISOString()}'` : `'${firstIdAt(start.getTime())}'`
}

/** The months whose leaves are to be made, after those of `known`, in their order. */
export function missingMonths(table: Partitioned, known: readonly number[], now: Date): number[] {
  const current = monthOf(table, now)
  const first = known.length === 0 ? current : Math.max(...known) + 1
  const count = Math.max(0, current + MONTHS_AHEAD + 1 - first)
  return Array.from({ length: count }, (_month, at) => first + at)
}
