import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { idArray, instantArray, plainArray, textArray } from '#kit/db/arrays.ts'
import { upsertDueTimes } from '#kit/db/due_times.ts'
import { Write } from '#kit/db/write.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import { dueBy, dueKind, dueWrite } from '#kit/jobs/due_work.ts'
import type { ChargeRow, ChargeStatus } from './schema.ts'

const columns = sql<never>`id, account_id, card_id, transaction_id, type, status, amount, currency,
  description, month, due, transfer_id, applied, created, modified`

/** Charges that wait for funds, or are to be given back. */
export const chargesDue = dueKind({ name: 'charges', table: 'charges' })
/** The next months of cards. */
export const monthlyDue = dueKind({ name: 'monthly charges', table: 'monthly_charges' })

/** One statement for the rows, or none. One whose id is taken is not written. */
export function insertCharges(tx: Tx, rows: readonly ChargeRow[]): Write {
  const { db, tenant_id } = tx
  if (rows.length === 0) return Write.of(db)
  const inserted = sql`
    insert into charges (tenant_id, ${columns})
    select anchor.tenant_id, given.* from tenant_anchors anchor cross join unnest(
      ${idArray(rows.map(({ id }) => id))}::uuid[],
      ${idArray(rows.map(({ account_id }) => account_id))}::uuid[],
      ${idArray(rows.map(({ card_id }) => card_id))}::uuid[],
      ${idArray(rows.map(({ transaction_id }) => transaction_id))}::uuid[],
      ${plainArray(rows.map(({ type }) => type))}::text[],
      ${plainArray(rows.map(({ status }) => status))}::text[],
      ${plainArray(rows.map(({ amount }) => amount))}::bigint[],
      ${plainArray(rows.map(({ currency }) => currency))}::text[],
      ${textArray(rows.map(({ description }) => description))}::text[],
      ${plainArray(rows.map(({ month }) => month))}::int[],
      ${instantArray(rows.map(({ due }) => due))}::timestamptz[],
      ${idArray(rows.map(({ transfer_id }) => transfer_id))}::uuid[],
      ${instantArray(rows.map(({ applied }) => applied))}::timestamptz[],
      ${instantArray(rows.map(({ created }) => created))}::timestamptz[],
      ${instantArray(rows.map(({ modified }) => modified))}::timestamptz[]) as given
    where anchor.tenant_id = ${tenant_id}
    on conflict (tenant_id, id) do nothing`
  const due = dueWrite(tx, chargesDue, ...rows.map((row) => row.due))
  return Write.all(db, due, Write.of(db, inserted))
}

/** Writes what became of charges that were due. */
export async function updateCharges(
  { db, tenant_id }: Tx,
  rows: readonly ChargeRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update charges c set status = n.status, due = n.due, transfer_id = n.transfer_id,
      applied = n.applied, modified = n.modified
    from unnest(${idArray(rows.map(({ id }) => id))}::uuid[],
      ${plainArray(rows.map(({ status }) => status))}::text[],
      ${instantArray(rows.map(({ due }) => due))}::timestamptz[],
      ${idArray(rows.map(({ transfer_id }) => transfer_id))}::uuid[],
      ${instantArray(rows.map(({ applied }) => applied))}::timestamptz[],
      ${instantArray(rows.map(({ modified }) => modified))}::timestamptz[])
      as n (id, status, due, transfer_id, applied, modified)
    where c.tenant_id = ${tenant_id} and c.id = n.id`.execute(db)
}

/**
 * The charges of these transactions are not taken any more; those that were taken are due to be
 * given back. Two statements, or none; the second writes nothing if none is due.
 */
export function updateChargesReversed(
  { db, tenant_id, now }: Tx,
  transaction_ids: readonly string[],
): Write {
  if (transaction_ids.length === 0) return Write.of(db)
  const of = sql`transaction_id = any (${idArray(transaction_ids)}::uuid[])`
  const times = new Map([[chargesDue.name, now]])
  const reversed = sql`
    update charges set modified = ${now},
      status = case when status = 'PENDING' then 'CANCELED' else status end,
      due = case when status = 'PENDING' then null else ${now}::timestamptz end
    where tenant_id = ${tenant_id} and status in ('PENDING', 'APPLIED') and ${of}`
  const due = upsertDueTimes(
    db,
    { tenant_id, times },
    sql`exists (select from charges where tenant_id = ${tenant_id} and ${of} and due <= ${now})`,
  )
  // Run in this order.
  return Write.all(db, Write.of(db, reversed), due)
}

/** The accounts of the charges that are due, longest first. */
export async function listDueAccounts(
  { db, tenant_id, now }: Context,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select distinct account_id from (
      select account_id from charges
      where tenant_id = ${tenant_id} and due <= ${now} order by due limit ${most}) c`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** Their due charges in the order in which they arose; those locked elsewhere are left out. */
export async function lockDueCharges(
  { db, tenant_id, now }: Tx,
  account_ids: readonly string[],
  most: number,
): Promise<ChargeRow[]> {
  const { rows } = await sql<ChargeRow>`
    select ${columns} from charges
    where tenant_id = ${tenant_id} and due <= ${now}
      and account_id = any (${idArray(account_ids)}::uuid[])
    order by created, id limit ${most}
    for no key update skip locked`.execute(db)
  return rows
}

export function listChargeRows(
  { db, tenant_id }: Context,
  account_id: string,
  status: ChargeStatus | undefined,
  range: PageRange,
): Promise<ChargeRow[]> {
  const all = db
    .selectFrom('charges')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('account_id', '=', account_id)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'APPLIED'))
  // The words of type and status are those of the checks of the table.
  return selectRange(all, range).execute() as Promise<ChargeRow[]>
}

export async function findChargeRow(
  { db, tenant_id }: Context,
  account_id: string,
  id: string,
): Promise<ChargeRow | undefined> {
  const { rows } = await sql<ChargeRow>`
    select ${columns} from charges
    where tenant_id = ${tenant_id} and id = ${id} and account_id = ${account_id}`.execute(db)
  return rows[0]
}

export type MonthlyRow = { card_id: string; issued: string; month: number; due: Date }

/** The cards are charged each month from now on. */
export async function insertMonthly(tx: Tx, rows: readonly MonthlyRow[]): Promise<void> {
  if (rows.length === 0) return
  const { db, tenant_id } = tx
  await dueBy(tx, monthlyDue, ...rows.map(({ due }) => due))
  await db
    .insertInto('monthly_charges')
    .values(rows.map((row) => ({ tenant_id, ...row })))
    .execute()
}

/** The card is TERMINATED now: months that are due later are not charged. */
export async function updateMonthlyEnds(
  { db, tenant_id, now }: Tx,
  card_id: string,
): Promise<void> {
  await sql`
    update monthly_charges set ends = ${now}
    where tenant_id = ${tenant_id} and card_id = ${card_id}`.execute(db)
}

export type DueMonth = MonthlyRow & {
  ends: Date | null
  account_id: string | null
  card_product_id: string
  valid_until: Date
}

/** Cards whose month is due, longest first; those locked elsewhere are left out. */
export async function lockDueMonths({ db, tenant_id, now }: Tx, most: number): Promise<DueMonth[]> {
  const { rows } = await sql<DueMonth>`
    select m.card_id, m.issued, m.month, m.due, m.ends, c.account_id, c.card_product_id,
      c.valid_until
    from monthly_charges m
    join cards c on c.tenant_id = m.tenant_id and c.id = m.card_id
    where m.tenant_id = ${tenant_id} and m.due <= ${now}
    order by m.due, m.card_id limit ${most}
    for no key update of m skip locked`.execute(db)
  return rows
}

export async function updateMonths(
  { db, tenant_id }: Tx,
  rows: readonly MonthlyRow[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update monthly_charges m set month = n.month, due = n.due
    from unnest(${idArray(rows.map(({ card_id }) => card_id))}::uuid[],
      ${plainArray(rows.map(({ month }) => month))}::int[],
      ${instantArray(rows.map(({ due }) => due))}::timestamptz[]) as n (card_id, month, due)
    where m.tenant_id = ${tenant_id} and m.card_id = n.card_id`.execute(db)
}

/** They are charged no more. */
export async function deleteMonthly(
  { db, tenant_id }: Tx,
  card_ids: readonly string[],
): Promise<void> {
  if (card_ids.length === 0) return
  await db
    .deleteFrom('monthly_charges')
    .where('tenant_id', '=', tenant_id)
    .where('card_id', 'in', card_ids)
    .execute()
}
