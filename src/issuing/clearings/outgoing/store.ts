/** Outgoing clearing files and their messages. */

import { sql } from 'kysely'
import type { Members } from '#clearing/envelope.ts'
import type { Context, Tx } from '#kit/context.ts'
import { jsonArray, plainArray } from '#kit/db/arrays.ts'
import { Write } from '#kit/db/write.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { RecordRow } from '../record_store.ts'

export type Form = { institution: string; ebcdic: boolean; blocked: boolean }

export type ExportRow = Form & {
  id: string
  file: string
  messages: number
  amount: string
  created: Date
}

export async function findExport(
  { db, tenant_id }: Context,
  id: string,
): Promise<ExportRow | undefined> {
  const { rows } = await sql<ExportRow>`
    select * from clearing_exports where tenant_id = ${tenant_id} and id = ${id}`.execute(db)
  return rows[0]
}

export function listExportRows({ db, tenant_id }: Context, range: PageRange): Promise<ExportRow[]> {
  const all = db.selectFrom('clearing_exports').selectAll().where('tenant_id', '=', tenant_id)
  return selectRange(all, range).execute()
}

/** The number of the last file whose id begins so. */
export async function findLastNumber({ db }: Tx, prefix: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(right(file, 5)::int), 0) as last from clearing_export_names
    where starts_with(file, ${prefix})`.execute(db)
  return rows[0]?.last ?? 0
}

/** False if another file has the name; one that is just taking it is waited for. */
export async function insertName({ db }: Tx, file: string, export_id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into clearing_export_names (file, export_id) values (${file}, ${export_id})
    on conflict (file) do nothing`.execute(db)
  return numAffectedRows === 1n
}

export type NewMessage = {
  dispute_id: string | null
  file_id: string | null
  record_number: number | null
  card_id: string | null
  content: Members
}

/** A file with its messages, in their order. */
export function insertExport(
  tx: Tx,
  { id, file, institution, ebcdic, blocked }: Form & Pick<ExportRow, 'id' | 'file'>,
  messages: readonly NewMessage[],
): Write {
  const { db, tenant_id, now } = tx
  const plainOf = (of: (message: NewMessage) => string | number | null) =>
    plainArray(messages.map(of))
  const amount = messages.reduce((all, { content }) => all + BigInt(content['DE4'] ?? 0), 0n)
  return Write.of(
    db,
    sql`
      insert into clearing_exports (tenant_id, id, file, institution, ebcdic, blocked, messages,
        amount, created)
      values (${tenant_id}, ${id}, ${file}, ${institution}, ${ebcdic}, ${blocked},
        ${messages.length}, ${String(amount)}, ${now})`,
    sql`
      insert into clearing_export_messages (tenant_id, export_id, number, dispute_id, file_id,
        record_number, card_id, content)
      select anchor.tenant_id, ${id}::uuid, given.*
      from tenant_anchors anchor cross join rows from (
        unnest(${plainArray(messages.map((_, at) => at + 1))}::int[]),
        unnest(${plainOf((one) => one.dispute_id)}::uuid[]),
        unnest(${plainOf((one) => one.file_id)}::uuid[]),
        unnest(${plainOf((one) => one.record_number)}::int[]),
        unnest(${plainOf((one) => one.card_id)}::uuid[]),
        unnest(${jsonArray(messages.map((one) => JSON.stringify(one.content)))})) as given
      where anchor.tenant_id = ${tenant_id}`,
  )
}

export type MessageRow = { number: number; card_id: string | null; content: Members }

/** A portion of the messages of a file, in its order. */
export async function listMessages(
  { db, tenant_id }: Context,
  export_id: string,
  after: number,
  limit: number,
): Promise<MessageRow[]> {
  const { rows } = await sql<MessageRow>`
    select number, card_id, content from clearing_export_messages
    where tenant_id = ${tenant_id} and export_id = ${export_id} and number > ${after}
    order by number limit ${limit}`.execute(db)
  return rows
}

type Key = Pick<RecordRow, 'file_id' | 'number'>

/** The message of a record that is returned has to leave. */
export const insertReturn = ({ db, tenant_id }: Tx, { file_id, number }: Key): Write =>
  Write.of(
    db,
    sql`insert into clearing_returns (tenant_id, file_id, number)
      values (${tenant_id}, ${file_id}, ${number})`,
  )

/** Records whose message has to leave, in the order of their files. */
export async function listReturns({ db, tenant_id }: Context, limit: number): Promise<RecordRow[]> {
  const { rows } = await sql<RecordRow>`
    select r.* from clearing_returns w
    join clearing_records r on r.tenant_id = w.tenant_id and r.file_id = w.file_id
      and r.number = w.number
    where w.tenant_id = ${tenant_id} and r.tenant_id = ${tenant_id}
    order by w.file_id, w.number limit ${limit}`.execute(db)
  return rows
}

export async function deleteReturns({ db, tenant_id }: Tx, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return
  await sql`
    delete from clearing_returns w
    using unnest(${plainArray(keys.map(({ file_id }) => file_id))}::uuid[],
      ${plainArray(keys.map(({ number }) => number))}::int[]) as given (file_id, number)
    where w.tenant_id = ${tenant_id} and w.file_id = given.file_id and w.number = given.number
  `.execute(db)
}

/** The presentments of files for a transaction, the largest first. */
export async function findPresented(
  { db, tenant_id }: Context,
  transaction_id: string,
): Promise<RecordRow | undefined> {
  const { rows } = await sql<RecordRow>`
    select * from clearing_records
    where tenant_id = ${tenant_id} and transaction_id = ${transaction_id}
      and kind = 'PRESENTMENT' and (state = 'POSTED' or resolution = 'POSTED')
    order by reversed, amount desc, file_id, number limit 1`.execute(db)
  return rows[0]
}
