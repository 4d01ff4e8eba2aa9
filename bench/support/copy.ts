/** The baseline of bulk issuance: COPY of the rows that it wrote, into copies of its tables. */

import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from, to } from 'pg-copy-streams'
import { partitioned } from '#src/program/partitioned.ts'

const BASELINE = 'baseline'

/** Tables in an order that foreign keys allow, with the rows of the bulk issuance $1 of each. */
const written = {
  bulk_issuances: `id = '$1'`,
  accounts: `id in (select account_id from cards where bulk_issuance_id = '$1')`,
  'vault.pans': `card_id in (select id from cards where bulk_issuance_id = '$1')`,
  cards: `bulk_issuance_id = '$1'`,
  transfers: `credit_account_id in (select account_id from cards where bulk_issuance_id = '$1')`,
  holds: `id = '$1'`,
  events: `object_id in (select unnest(array[id, account_id]) from cards
    where bulk_issuance_id = '$1')`,
} as const
const tables = Object.keys(written)
const like = (table: string) => `${BASELINE}.${table.replace('.', '_')}`

/** Rows in the format of COPY, by table. */
export type Rows = { table: string; bytes: Buffer }[]

export type Copier = {
  rowsOf: (bulk_issuance_id: string) => Promise<Rows>
  /** Copies rows into the baseline's tables, in one transaction; returns milliseconds. */
  copy: (rows: Rows) => Promise<number>
  close: () => Promise<void>
}

/** Creates the baseline's tables: the same columns, indexes, checks and foreign keys, whole. */
export async function openCopier(url: string): Promise<Copier> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create schema ${BASELINE}`)
  for (const table of tables) {
    await client.query(`create table ${like(table)} (like ${table} including all)`)
  }
  for (const { table, unique } of partitioned.filter((one) => tables.includes(one.table))) {
    for (const index of unique) await client.query(`create unique index on ${like(table)} ${index}`)
  }
  for (const table of tables) await addForeignKeys(client, table)
  return {
    rowsOf: (id) => rowsOf(client, id),
    copy: (rows) => copy(client, rows),
    close: () => client.end(),
  }
}

/**
 * Adds the foreign keys, which `like` leaves out. A key to a table that is copied goes to its copy.
 */
async function addForeignKeys(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ definition: string; target: string }>(
    `select pg_get_constraintdef(oid) as definition, confrelid::regclass::text as target
     from pg_constraint where contype = 'f' and conrelid = $1::regclass`,
    [table],
  )
  for (const { definition, target } of rows) {
    const there = tables.includes(target) ? like(target) : target
    const key = definition.replace(`REFERENCES ${target}(`, `REFERENCES ${there}(`)
    await client.query(`alter table ${like(table)} add ${key}`)
  }
}

async function rowsOf(client: pg.Client, id: string): Promise<Rows> {
  const rows: Rows = []
  for (const [table, which] of Object.entries(written)) {
    const query = `copy (select * from ${table} where ${which.replace('$1', id)}) to stdout`
    const stream: Readable = client.query(to(query))
    rows.push({ table, bytes: await buffer(stream) })
  }
  return rows
}

async function copy(client: pg.Client, rows: Rows): Promise<number> {
  const begun = performance.now()
  await client.query('begin')
  for (const { table, bytes } of rows) {
    await pipeline([bytes], client.query(from(`copy ${like(table)} from stdin`)))
  }
  await client.query('commit')
  return performance.now() - begun
}
