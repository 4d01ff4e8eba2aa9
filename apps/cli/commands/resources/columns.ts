/** The parts that the tables of objects share: their filters, and columns that all have. */

import type { Command } from 'commander'
import type { Bezant, List } from '#client/index.ts'
import { moneyOf } from '../../kit/amounts.ts'
import type { Column } from '../../kit/table.ts'

type Query = Record<string, unknown>
export type Filter<Name> = {
  filter: Name & string
  /** The placeholder of its value in the help; undefined for a switch. */
  words?: string
  values?: readonly string[]
  /** Replaces the usual sentence of the help. */
  about?: string
}

export type Resource<Row> = {
  /** The word for one of them. */
  one: string
  filters: readonly Filter<string>[]
  columns: readonly Column<Row>[]
  examples: readonly string[]
  list: (bezant: Bezant, query: Query) => List<Row>
  get: (bezant: Bezant, id: string) => Promise<Row>
  /** In place of the usual sentence of its help. */
  about?: string
  /** Commands beside `list` and `show`. */
  more?: () => readonly Command[]
}

const statusStyle = ({ status }: { status: string }) => {
  if (['ACTIVE', 'SETTLED', 'WON'].includes(status)) return 'green'
  if (['DECLINED', 'TERMINATED', 'SUSPENDED', 'LOST'].includes(status)) return 'red'
  return 'yellow'
}
/** `2026-01-15 09:00:00` in UTC. */
export const timeOf = (text: string) => text.slice(0, 19).replace('T', ' ')
export const ID = {
  title: 'ID',
  rank: 0,
  least: 9,
  wholeFrom: 72,
  value: ({ id }: { id: string }) => id,
}
export const AMOUNT = {
  title: 'AMOUNT',
  rank: 1,
  right: true,
  value: ({ amount, currency }: { amount: number; currency: string }) => moneyOf(amount, currency),
}
export const CREATED = {
  title: 'CREATED',
  rank: 8,
  value: ({ created }: { created: string }) => timeOf(created),
}
export const STATUS = {
  title: 'STATUS',
  rank: 2,
  least: 8,
  style: statusStyle,
  value: ({ status }: { status: string }) => status,
} as const

export const id = <Name extends string>(filter: Name) => ({ filter, words: 'id' })
