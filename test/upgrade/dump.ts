/**
 * A database as text: its partitions, its sequences and its rows, as COPY has them. The schema is
 * that of the migrations, which are frozen. No pg_dump is needed to write it or to read it.
 */

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

/** Written by the migrations as they are applied. */
const NOT_DUMPED = ['public.schema_migrations', 'public.rate_buckets']

/** Tables that hold rows of their own or of their partitions, by name. */
const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name,
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute a
      where a.attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition
    and n.nspname !~ '^(pg_|information_schema)'
  order by 1`

const PARTITIONS = `
  select format('create table %s partition of %s %s%s;', c.oid::regclass, p.oid::regclass,
    pg_get_expr(c.relpartbound, c.oid),
    ' with (' || array_to_string(c.reloptions, ', ') || ')') as text
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where p.relkind = 'p' and c.relkind = 'r' order by c.relname`

/** Indexes of a partition that its table does not have. */
const INDEXES = `
  select pg_get_indexdef(x.indexrelid) || ';' as text
  from pg_inherits i join pg_class p on p.oid = i.inhparent and p.relkind = 'p'
    join pg_index x on x.indrelid = i.inhrelid
  where not exists (select from pg_inherits k where k.inhrelid = x.indexrelid)
  order by x.indexrelid::regclass::text`

const SEQUENCES = `
  select format('select setval(%L, %s);', format('%I.%I', schemaname, sequencename), last_value)
    as text
  from pg_sequences where last_value is not null order by sequencename`

export type Table = { name: string; columns: string }

export async function tablesOf(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES)
  return rows.filter(({ name }) => !NOT_DUMPED.includes(name))
}

export async function dumpDatabase(client: pg.ClientBase): Promise<string> {
  // Names of relations are written with the schema where it is not public, on each machine alike.
  await client.query('set search_path = public; set timezone = utc')
  const parts: string[] = []
  for (const query of [PARTITIONS, INDEXES, SEQUENCES]) {
    const { rows } = await client.query<{ text: string }>(query)
    parts.push(...rows.map(({ text }) => `${text}\n`))
  }
  for (const { name, columns } of await tablesOf(client)) {
    const chunks: Buffer[] = []
    const copied = client.query(copyTo(`copy (select ${columns} from ${name}) to stdout`))
    for await (const chunk of copied) chunks.push(chunk)
    const rows = Buffer.concat(chunks).toString('utf8')
    if (rows !== '') parts.push(`copy ${name} (${columns}) from stdin;\n${rows}\\.\n`)
  }
  return parts.join('')
}

const COPY = /^(copy (\S+) \(.*\) from stdin);\n([\s\S]*?)^\\\.\n/gm

/** Rows of each table in a dump. */
export const rowsOf = (dump: string): Map<string, number> =>
  new Map([...dump.matchAll(COPY)].map(([, , name = '', rows = '']) => [name, linesOf(rows)]))

const linesOf = (rows: string) => rows.split('\n').length - 1

/** Fills a database that has the schema of the dump, and no partitions. */
export async function restoreDump(client: pg.ClientBase, dump: string): Promise<void> {
  const tables = await tablesOf(client)
  // Tables are filled in the order of their names, without the triggers that keep rows as they are.
  await client.query('set session_replication_role = replica')
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  await client.query(dump.replace(COPY, ''))
  for (const [, statement = '', , rows = ''] of dump.matchAll(COPY)) {
    await pipeline(Readable.from([rows]), client.query(copyFrom(statement)))
  }
  await client.query('reset session_replication_role')
}
