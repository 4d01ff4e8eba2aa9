/**
 * Finds the CHECK constraint that rejects a row: for tests of the schema, on a database of their
 * own.
 */

import { after } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../processes/server.ts'

/** A connection to a database of its own; both end with the file. */
export async function connectToSchema(): Promise<pg.Client> {
  const database = await createTestDatabase()
  const client = new pg.Client(database.url)
  await client.connect()
  after(async () => {
    await client.end()
    await database.drop()
  })
  return client
}

/** Columns by name, as in JSON; a column that is left out takes its default. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Inserts the row and takes it back. Returns the name of the CHECK that rejects it, or undefined.
 * The rows that it refers to may be missing: PostgreSQL looks for them after all CHECKs.
 */
export async function violationOf(
  client: pg.Client,
  table: string,
  row: Row,
): Promise<string | undefined> {
  const columns = Object.keys(row)
  // A cluster copies the rows of a select, and reports neither code nor constraint then. For an
  // insert of values it reports the code, and the constraint in its message.
  const { rows } = await client.query<string[]>({
    text: `select ${columns.map((one) => `r.${one}::text`).join(', ')}
      from jsonb_populate_record(null::${table}, $1) r`,
    values: [JSON.stringify(row)],
    rowMode: 'array',
  })
  const places = columns.map((_, at) => `$${at + 1}`)
  const insert = `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`
  await client.query('begin')
  try {
    await client.query(insert, rows[0])
    return undefined
  } catch (error) {
    const { code, constraint, message } = error as pg.DatabaseError
    if (code === '23514') return constraint ?? /check constraint "([^"]+)"/.exec(message)?.[1]
    if (code === '23503') return undefined
    throw error
  } finally {
    await client.query('rollback')
  }
}

const NEUTRAL: Readonly<Record<string, unknown>> = {
  uuid: '0197dddd-0000-7000-8000-00000000000a',
  timestamptz: '2020-01-01T00:00:00Z',
  text: 'x',
  bytea: '\\x00',
  bool: false,
  int2: 1,
  int4: 1,
  int8: 1,
  jsonb: {},
  json: {},
  _text: [],
}

/** A value by its type for each column that must have one; constraints may want others. */
export async function neutralRow(client: pg.Client, table: string): Promise<Row> {
  const { rows } = await client.query<{ column_name: string; udt_name: string }>(
    `select column_name, udt_name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_nullable = 'NO'
       and column_default is null`,
    [table],
  )
  return Object.fromEntries(
    rows.map(({ column_name, udt_name }) => [column_name, NEUTRAL[udt_name]]),
  )
}
