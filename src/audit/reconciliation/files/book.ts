/** The book of clearing files: their records, and what was posted and booked of them. */

import { sql } from 'kysely'
import { NOTES } from '#issuing/clearings/clearings.ts'
import { credits } from '#issuing/transactions/rules.ts'
import { idArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import { type Place, PORTION } from '../books/own.ts'
import type { Day } from '../rules/day.ts'
import type { FilePart } from './kinds.ts'

export type FileOfDay = {
  id: string
  file: string | null
  records: number
  /** The sum of its trailer (PDS 0301), in whatever currencies. */
  amount: string
  tenant_ids: string[]
  created: Date
}

/** Files that were accepted on the day; a file has no clock of a tenant. */
export async function listFiles(db: Db, { from, to }: Day): Promise<FileOfDay[]> {
  const { rows } = await sql<FileOfDay>`
    select id, file, records, amount, tenant_ids, created from clearing_files
    where state = 'ACCEPTED' and created >= ${from} and created < ${to}
    order by created, id`.execute(db)
  return rows
}

/** The database of a tenant, at its own node. */
type Own = { db: Db; tenant_id: string }

export type RecordSums = {
  currency: string | null
  part: FilePart
  count: number
  amount: bigint
  /** The sum of DE4 as it is in the file. */
  digits: string
}

export async function listRecordSums(
  { db, tenant_id }: Own,
  file_id: string,
): Promise<RecordSums[]> {
  const { rows } = await sql<RecordSums>`
    select currency, part, count(*)::int as count, coalesce(sum(amount), 0)::bigint as amount,
      coalesce(sum((content ->> 'DE4')::numeric), 0)::text as digits
    from (select currency, amount, content,
        case state when 'BOOKED' then 'FEES' when 'SUSPENDED' then 'SUSPENSE' else state end as part
      from clearing_records where tenant_id = ${tenant_id} and file_id = ${file_id}) r
    group by currency, part order by currency, part`.execute(db)
  return rows
}

export type BookedRecord = {
  number: number
  state: string
  amount: bigint
  currency: string
  /** Transfers that its state says, and that name it. */
  wanted: number
  made: number
  /** The sums that SETTLEMENT got by them. */
  settles: bigint
  settled: bigint
}

/** The clocks of tenants are not behind real time. */
const SLACK = sql`interval '1 hour'`

/**
 * Records of which other transfers were made than their state says. The network gets what it takes
 * as the record is booked, and gives it back as it is resolved by a card or a return.
 */
export async function listMisbooked(
  { db, tenant_id }: Own,
  file_id: string,
  from: Date,
): Promise<BookedRecord[]> {
  const { rows } = await sql<BookedRecord>`
    with own as (select id, kind from accounts
      where tenant_id = ${tenant_id} and kind in ('SUSPENSE', 'FEES', 'SETTLEMENT')),
    made as (
      select split_part(f.notes, '/', 2)::int as number, count(*)::int as made,
        sum(case when f.credit_account_id in (select id from own where kind = 'SETTLEMENT')
            then f.amount
          when f.debit_account_id in (select id from own where kind = 'SETTLEMENT')
            then -f.amount else 0 end)::bigint as settled
      from transfers f
      where f.tenant_id = ${tenant_id} and f.created >= ${from}::timestamptz - ${SLACK}
        and (f.debit_account_id in (select id from own where kind in ('SUSPENSE', 'FEES'))
          or f.credit_account_id in (select id from own where kind in ('SUSPENSE', 'FEES')))
        and f.kind in ('SUSPENSE', 'SUSPENSE_WRITE_OFF', 'SCHEME_FEE')
        and starts_with(f.notes, ${`${NOTES} ${file_id}/`})
      group by 1),
    wanted as (
      select number, state, booked_currency as currency, booked_amount as amount,
        case state when 'RESOLVED' then 2 else 1 end as wanted,
        case when resolution = any ('{RETURNED,POSTED}') then 0
          when credit then -booked_amount else booked_amount end as settles
      from clearing_records
      where tenant_id = ${tenant_id} and file_id = ${file_id} and booked_amount > 0)
    select number, coalesce(w.state, 'none') as state, coalesce(w.currency, '') as currency,
      coalesce(w.amount, 0)::bigint as amount, coalesce(w.wanted, 0)::int as wanted,
      coalesce(m.made, 0)::int as made, coalesce(w.settles, 0)::bigint as settles,
      coalesce(m.settled, 0)::bigint as settled
    from wanted w full join made m using (number)
    where coalesce(w.wanted, 0) <> coalesce(m.made, 0)
      or coalesce(w.settles, 0) <> coalesce(m.settled, 0)
    order by number`.execute(db)
  return rows
}

export type Presented = {
  id: string
  currency: string
  file_id: string | null
  number: number | null
  presentments: number
  presented: bigint
  records: number
  recorded: bigint
  account_currency: string
  cleared: bigint
  settled: bigint
}

const isSettlement = sql`a.kind = 'SETTLEMENT'`

/**
 * Presentments of files that the transactions have, the records that say so, the cleared amounts
 * and those that SETTLEMENT got. Transactions of which they agree are left out.
 */
export async function listMisposted(
  { db, tenant_id }: Own,
  ids: readonly string[],
): Promise<Presented[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Presented>`
    select t.id, t.currency, r.file_id, r.number, e.presentments, e.presented,
      coalesce(r.records, 0)::int as records, coalesce(r.recorded, 0)::bigint as recorded,
      coalesce(t.details ->> 'billing_currency', t.currency) as account_currency,
      c.cleared, m.settled
    from transactions t
    cross join lateral (select count(*)::int as presentments,
        coalesce(sum((e ->> 'amount')::bigint), 0)::bigint as presented
      from json_array_elements(t.details -> 'events') e where e ->> 'by_file' = 'true') e
    cross join lateral (select case when t.transaction_type = any (${[...credits]}::text[])
        then -1 else 1 end
        * coalesce((t.details #>> '{foreign,settled}')::bigint, t.cleared_amount) as cleared) c
    cross join lateral (select coalesce(sum(f.amount), 0)::bigint as settled
      from entries f
      join accounts a on a.tenant_id = ${tenant_id} and a.id = f.account_id and ${isSettlement}
      where f.tenant_id = ${tenant_id} and f.transaction_id = t.id
        and f.kind not in ('CHARGE', 'CHARGE_REVERSAL')
        and not starts_with(f.kind, 'DISPUTE_')) m
    cross join lateral (select count(*) as records, min(file_id::text) as file_id,
        min(number) as number,
        sum(case when facts -> 'billed' ->> 'currency' = currency
          then (facts -> 'billed' ->> 'amount')::bigint else amount end) as recorded
      from clearing_records
      where tenant_id = ${tenant_id} and transaction_id = t.id and kind = 'PRESENTMENT'
        and (state = 'POSTED' or resolution = 'POSTED')) r
    where t.tenant_id = ${tenant_id} and t.id = any (${idArray(ids)}::uuid[])
      and (e.presentments > 0 or r.records > 0)
      and (e.presentments <> coalesce(r.records, 0) or e.presented <> coalesce(r.recorded, 0)
        or c.cleared <> m.settled)
    order by t.id`.execute(db)
  return rows
}

/** Transactions of the records of a file, behind a number. */
export async function listPosted(
  { db, tenant_id }: Own,
  file_id: string,
  after: number,
): Promise<{ number: number; id: string }[]> {
  const { rows } = await sql<{ number: number; id: string }>`
    select number, transaction_id as id from clearing_records
    where tenant_id = ${tenant_id} and file_id = ${file_id} and number > ${after}
      and transaction_id is not null
    order by number limit ${PORTION}`.execute(db)
  return rows
}

/** Transactions that an account of the network got or gave something for on the day. */
export async function listSettled(
  { db, tenant_id }: Own,
  { from, to }: Day,
  { account_id, side }: { account_id: string; side: 'credit_account_id' | 'debit_account_id' },
  { at, id }: Place,
): Promise<(Place & { transaction_id: string | null })[]> {
  const { rows } = await sql<Place & { transaction_id: string | null }>`
    select f.created::text as at, f.id, f.transaction_id from transfers f
    where f.tenant_id = ${tenant_id} and ${sql.ref(`f.${side}`)} = ${account_id}
      and f.created >= ${from} and f.created < ${to}
      and (f.created, f.id) > (${at}::timestamptz, ${id}::uuid)
    order by f.created, f.id limit ${PORTION}`.execute(db)
  return rows
}

export type Suspense = { currency: string; has: bigint; waits: bigint }

/** The currencies in which SUSPENSE has another amount than the records that wait. */
export async function listUnevenSuspense({ db, tenant_id }: Own): Promise<Suspense[]> {
  const { rows } = await sql<Suspense>`
    select currency, sum(has)::bigint as has, sum(waits)::bigint as waits
    from (
      select e.currency, e.amount as has, 0::bigint as waits
      from entries e join accounts a on a.tenant_id = ${tenant_id} and a.id = e.account_id
      where e.tenant_id = ${tenant_id} and a.kind = 'SUSPENSE'
      union all
      select booked_currency, 0, case when credit then booked_amount else -booked_amount end
      from clearing_records
      where tenant_id = ${tenant_id} and state = 'SUSPENDED' and booked_amount is not null) sides
    group by currency having sum(has) <> sum(waits) order by currency`.execute(db)
  return rows
}
