/**
 * The columns with sealed bytes: every slice declares its columns as data, so that the rotation of
 * keys covers all of them. These functions work on the rows of all tenants.
 */

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import { type Keyring, type SealingPurpose, sealedPrefix } from './keyring.ts'

/** The types of the columns that identify a row and make its binding. */
type ColumnType = 'uuid' | 'text' | 'integer'

export type SealedColumn<Name extends string = string> = {
  purpose: SealingPurpose
  /** The table, with its schema if that is not `public`. */
  table: string
  column: string
  /** The columns of the primary key, and the others that `bind` needs. */
  by: Readonly<Record<Name, ColumnType>>
  /** The binding of the bytes, from the values of `by` as text. */
  bind(row: Readonly<Record<Name, string>>): string
  /** The column is text with the sealed bytes as base64. */
  base64?: true
}

/** How many rows one statement reads and one writes. */
const BATCH = 500
const ID_BYTES = 16
/** Whole groups of three bytes of the 17 that sealed bytes begin with. */
const BASE64_PREFIX = { bytes: 15, characters: 20 }

type Row = { at: string[]; old: Buffer }

/** How many rows are sealed under one of these keys. Reads the whole table. */
export async function countSealed(
  db: Db,
  column: SealedColumn,
  key_ids: readonly string[],
): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) from ${sql.table(column.table)} where ${isUnder(column, key_ids)}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/**
 * Seals again what is sealed under these keys, a batch at a time from the first row to the last,
 * and yields the number of rows of each. A row that was changed meanwhile is skipped.
 */
export async function* reseal(
  db: Db,
  keys: Keyring,
  column: SealedColumn,
  key_ids: readonly string[],
): AsyncGenerator<number> {
  let after: string[] | undefined
  for (;;) {
    const rows = await readBatch(db, column, key_ids, after)
    const last = rows.at(-1)
    if (!last) return
    const sealed = rows.map(({ at, old }) => {
      const bind = column.bind(namedOf(column, at))
      return keys.seal(column.purpose, keys.open(column.purpose, old, bind), bind)
    })
    // A deadlock with a batch of requests is tried again.
    yield await db.runTransaction((tx) => writeBatch(tx, column, rows, sealed))
    after = last.at
  }
}

async function readBatch(
  db: Db,
  column: SealedColumn,
  key_ids: readonly string[],
  after: readonly string[] | undefined,
): Promise<Row[]> {
  const names = Object.keys(column.by)
  const beyond = after
    ? sql`(${refs(names)}) > (${sql.join(names.map((name, at) => cast(column, name, after[at])))})`
    : sql`true`
  const { rows } = await sql<Row>`
    select array[${sql.join(names.map((name) => sql`${sql.ref(name)}::text`))}] as at,
      ${bytesOf(column, sql.ref(column.column))} as old
    from ${sql.table(column.table)}
    where ${isUnder(column, key_ids)} and ${beyond}
    order by ${refs(names)} limit ${BATCH}`.execute(db)
  return rows
}

/** One statement; returns the number of rows that had not changed since they were read. */
async function writeBatch(
  db: Db,
  column: SealedColumn,
  rows: readonly Row[],
  sealed: readonly Buffer[],
): Promise<number> {
  const names = Object.keys(column.by)
  const lists = names.map(
    (name, at) => sql`${rows.map((row) => row.at[at])}::${typeOf(column, name)}[]`,
  )
  const inputs = [...names, 'old', 'new'].map((name) => sql.ref(`input_${name}`))
  const same = names.map((name) => sql`t.${sql.ref(name)} = ${sql.ref(`input_${name}`)}`)
  const target = sql.ref(column.column)
  const { numAffectedRows } = await sql`
    update ${sql.table(column.table)} t set ${target} = ${textOf(column, sql.ref('input_new'))}
    from unnest(${sql.join(lists)}, ${rows.map(({ old }) => old)}::bytea[],
      ${[...sealed]}::bytea[]) inputs (${sql.join(inputs)})
    where ${sql.join(same, sql` and `)}
      and t.${target} = ${textOf(column, sql.ref('input_old'))}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

function isUnder(column: SealedColumn, key_ids: readonly string[]): RawBuilder<boolean> {
  const name = sql.ref(column.column)
  const ids = key_ids.map((id) => Buffer.from(id.replaceAll('-', ''), 'hex'))
  if (!column.base64) return sql`substring(${name} from 2 for ${ID_BYTES}) = any (${ids}::bytea[])`
  const prefixes = ids.map((id) =>
    sealedPrefix(id).subarray(0, BASE64_PREFIX.bytes).toString('base64'),
  )
  return sql`left(${name}, ${BASE64_PREFIX.characters}) = any (${prefixes}::text[])`
}

/** The rows were read by the columns of `by`, in their order. */
const namedOf = ({ by }: SealedColumn, at: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.keys(by).map((name, index) => [name, at[index] ?? '']))

const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
const typeOf = ({ by }: SealedColumn, name: string) => sql.raw(by[name] ?? 'text')
const cast = (column: SealedColumn, name: string, value: string | undefined) =>
  sql`${value}::${typeOf(column, name)}`

/** `encode` breaks base64 into lines; the program writes it without. */
const textOf = ({ base64 }: SealedColumn, bytes: RawBuilder<unknown>) =>
  base64 ? sql`translate(encode(${bytes}, 'base64'), chr(10), '')` : bytes
const bytesOf = ({ base64 }: SealedColumn, text: RawBuilder<unknown>) =>
  base64 ? sql`decode(${text}, 'base64')` : text
