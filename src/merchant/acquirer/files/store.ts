/** Captures and refunds that reach their issuer by a file, and these files (D-1047). */

import { type RawBuilder, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { idArray } from '#kit/db/arrays.ts'
import { Write } from '#kit/db/write.ts'
import { dueBy, dueKind, dueWrite } from '#kit/jobs/due_work.ts'
import { isOfIssuer } from '../due.ts'
import type { IssuerName } from '../link.ts'

const FILES_LISTED = 1_000

export type FileRow = {
  id: string
  issuer: IssuerName
  file: string
  is_test: boolean
  messages: number
  amount: string
  digest: Buffer
  created: Date
}

/** Captures and refunds whose day is over. */
export const presentmentsDue = dueKind({
  name: 'acquirer clearing files',
  table: 'acquirer_presentments',
})
/** Files that this program, as their issuer, has not posted yet. */
export const filesDue = dueKind({ name: 'acquirer files to import', table: 'acquirer_files' })

type NewPresentment = { message_id: string; issuer: IssuerName; due: Date }

export function insertPresentment(tx: Tx, { message_id, issuer, due }: NewPresentment): Write {
  const { db, tenant_id } = tx
  const inserted = sql`
    insert into acquirer_presentments (tenant_id, message_id, issuer, due)
    values (${tenant_id}, ${message_id}, ${issuer}, ${due})`
  return Write.all(db, dueWrite(tx, presentmentsDue, due), Write.of(db, inserted))
}

/** The issuer of the capture or refund that has waited longest, of those that are due. */
export async function findDueIssuer({ db, tenant_id, now }: Tx): Promise<IssuerName | undefined> {
  const { rows } = await sql<{ issuer: IssuerName }>`
    select issuer from acquirer_presentments
    where tenant_id = ${tenant_id} and due <= ${now} order by due, message_id limit 1`.execute(db)
  return rows[0]?.issuer
}

/** A message of a file, without the number of its card. */
export type PresentedRow = {
  message_id: string
  authorization_id: string
  fields: Record<string, string | undefined>
  approval_code: string | null
  created: Date
}

const presented = (tenant_id: string, rows: RawBuilder<unknown>) => sql<PresentedRow>`
  select p.message_id, m.authorization_id, m.fields, a.approval_code, m.created
  from (${rows}) p
  join acquirer_messages m on m.tenant_id = ${tenant_id} and m.id = p.message_id
  join acquirer_messages a on a.tenant_id = ${tenant_id} and a.id = m.authorization_id`

/** Those that are in no file, oldest first: all of them, or with `due_by` those that are due. */
export async function listCollected(
  { db, tenant_id }: Tx,
  { issuer, due_by }: { issuer: IssuerName; due_by: Date | null },
  limit: number,
): Promise<PresentedRow[]> {
  const isDue = due_by === null ? sql`due is not null` : sql`due <= ${due_by}`
  const chosen = sql`
    select message_id from acquirer_presentments
    where tenant_id = ${tenant_id} and ${isOfIssuer('issuer', issuer)} and ${isDue}
    order by message_id limit ${limit}`
  const { rows } = await sql<PresentedRow>`
    ${presented(tenant_id, chosen)} order by p.message_id`.execute(db)
  return rows
}

/** A portion of the messages of a file, in its order. */
export async function listOfFile(
  { db, tenant_id }: Context,
  file_id: string,
  after: number,
  limit: number,
): Promise<PresentedRow[]> {
  const chosen = sql`
    select message_id, number from acquirer_presentments
    where tenant_id = ${tenant_id} and file_id = ${file_id} and number > ${after}
    order by number limit ${limit}`
  const { rows } = await sql<PresentedRow>`
    ${presented(tenant_id, chosen)} order by p.number`.execute(db)
  return rows
}

/** Stores a file with its messages, in their order; they wait no more. */
export function insertFile(
  tx: Tx,
  row: FileRow & { due: Date | null },
  message_ids: readonly string[],
): Write {
  const { db, tenant_id, now } = tx
  const { id, issuer, file, is_test, messages, amount, digest, due } = row
  return Write.all(
    db,
    dueWrite(tx, filesDue, due),
    Write.of(
      db,
      sql`
        insert into acquirer_files (tenant_id, id, issuer, file, is_test, messages, amount, digest,
          created, due)
        values (${tenant_id}, ${id}, ${issuer}, ${file}, ${is_test}, ${messages}, ${amount},
          ${digest}, ${now}, ${due})`,
      sql`
        update acquirer_presentments p set file_id = ${id}, number = given.number, due = null
        from unnest(${idArray(message_ids)}::uuid[]) with ordinality as given (message_id, number)
        where p.tenant_id = ${tenant_id} and p.message_id = given.message_id
          and p.file_id is null`,
    ),
  )
}

/** The number of the last file whose id begins so. */
export async function findLastNumber({ db }: Tx, prefix: string): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(right(file, 5)::int), 0) as last from acquirer_file_names
    where starts_with(file, ${prefix})`.execute(db)
  return rows[0]?.last ?? 0
}

/** False if another file has the name; one that is just taking it is waited for. */
export async function insertName({ db }: Tx, file: string, file_id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into acquirer_file_names (file, file_id) values (${file}, ${file_id})
    on conflict (file) do nothing`.execute(db)
  return numAffectedRows === 1n
}

export async function findFile(
  { db, tenant_id }: Context,
  id: string,
): Promise<FileRow | undefined> {
  const { rows } = await sql<FileRow>`
    select * from acquirer_files where tenant_id = ${tenant_id} and id = ${id}`.execute(db)
  return rows[0]
}

/** The newest files, of all issuers. */
export async function listFiles({ db, tenant_id }: Context): Promise<FileRow[]> {
  const { rows } = await sql<FileRow>`
    select * from acquirer_files where tenant_id = ${tenant_id}
    order by created desc, id desc limit ${sql.lit(FILES_LISTED)}`.execute(db)
  return rows
}

/** The file that has waited longest, until `held_until` that of nobody else. */
export async function claimDueFile(tx: Tx, held_until: Date): Promise<FileRow | undefined> {
  const { db, tenant_id, now } = tx
  const { rows } = await sql<FileRow>`
    update acquirer_files set due = ${held_until}
    where tenant_id = ${tenant_id} and id in (
      select id from acquirer_files where tenant_id = ${tenant_id} and due <= ${now}
      order by due, id limit 1 for update skip locked)
    returning *`.execute(db)
  return rows[0]
}

/** Whether a file before it, for the same issuer, is not posted yet. */
export async function hasEarlierFile(
  { db, tenant_id }: Tx,
  { file, issuer }: Pick<FileRow, 'file' | 'issuer'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from acquirer_files
    where tenant_id = ${tenant_id} and due is not null and file < ${file}
      and ${isOfIssuer('issuer', issuer)} limit 1`.execute(db)
  return rows.length > 0
}

/** When the issuer is asked for it again; null once it has posted all of it. */
export async function updateFileDue(tx: Tx, id: string, due: Date | null): Promise<void> {
  if (due) await dueBy(tx, filesDue, due)
  await sql`
    update acquirer_files set due = ${due}
    where tenant_id = ${tx.tenant_id} and id = ${id} and due is not null`.execute(tx.db)
}
