/** The invariants of clearing files (D-1044), read by `bezant doctor` from any database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Context } from '#kit/context.ts'

/** Each check is one statement and sees one moment. Empty when all is well. */
export async function auditClearings(db: Context['db']): Promise<Finding[]> {
  const found: Finding[] = []
  for (const check of CHECKS) {
    const { rows } = await check().execute(db)
    found.push(...rows)
  }
  return found
}

const ofRecord = sql`'record ' || r.number || ' of file ' || r.file_id`

/** An accepted file has all its records, and their amounts are the sum of its trailer. */
const isWhole = () => sql<Finding>`
  select 'I4' as invariant, f.tenant_ids[1] as tenant_id, 'clearing file ' || f.id as subject,
    'has ' || f.records || ' records of ' || f.amount || ', and ' || coalesce(s.records, 0)
      || ' of ' || coalesce(s.amount, 0) || ' are stored' as detail
  from clearing_files f
  left join (select file_id, count(*) as records,
      sum(coalesce((content ->> 'DE4')::numeric, 0)) as amount
    from clearing_records group by file_id) s on s.file_id = f.id
  where f.state = 'ACCEPTED'
    and (f.records <> coalesce(s.records, 0) or f.amount <> coalesce(s.amount, 0))
  limit ${FINDINGS_MAX}`

/** The account SUSPENSE of a currency has exactly what waits in suspense. */
const isBooked = () => sql<Finding>`
  select 'I4' as invariant, coalesce(b.tenant_id, w.tenant_id) as tenant_id,
    'suspense in ' || coalesce(b.currency, w.currency) as subject,
    'has ' || coalesce(b.amount, 0) || ', and its records sum to ' || coalesce(w.amount, 0)
      as detail
  from (select e.tenant_id, e.currency, sum(e.amount) as amount
    from entries e join accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id
    where a.kind = 'SUSPENSE' group by e.tenant_id, e.currency) b
  full join (select tenant_id, booked_currency as currency,
      sum(case when credit then booked_amount else -booked_amount end) as amount
    from clearing_records where state = 'SUSPENDED' and booked_amount is not null
    group by tenant_id, booked_currency) w on w.tenant_id = b.tenant_id and w.currency = b.currency
  where coalesce(b.amount, 0) <> coalesce(w.amount, 0)
  limit ${FINDINGS_MAX}`

/** A posted record has a transaction that a presentment of a file has changed. */
const isPosted = () => sql<Finding>`
  select 'I4' as invariant, r.tenant_id, ${ofRecord} as subject,
    'is posted, and its transaction ' || coalesce(r.transaction_id::text, 'none')
      || ' has no presentment of a file' as detail
  from clearing_records r
  left join transactions t on t.tenant_id = r.tenant_id and t.id = r.transaction_id
  where r.kind = 'PRESENTMENT' and r.state = 'POSTED' and not r.reversed
    and (t.id is null or not exists (select from json_array_elements(t.details -> 'events') e
      where e ->> 'by_file' = 'true' or e ->> 'type' = 'CLEARED'
        or t.details ->> 'message_type' = '0220'))
  limit ${FINDINGS_MAX}`

/** Each posting of a file has a record, with its amount: one for each presentment of a file. */
const hasItsRecord = () => sql<Finding>`
  with posted as (
    select t.tenant_id, t.id, count(*) as presentments, sum((e ->> 'amount')::bigint) as amount
    from transactions t, json_array_elements(t.details -> 'events') e
    where e ->> 'by_file' = 'true'
    group by t.tenant_id, t.id),
  recorded as (
    select tenant_id, transaction_id, count(*) as records,
      sum(case when facts -> 'billed' ->> 'currency' = currency
        then (facts -> 'billed' ->> 'amount')::bigint else amount end) as amount
    from clearing_records
    where kind = 'PRESENTMENT' and transaction_id is not null
      and (state = 'POSTED' or resolution = 'POSTED')
    group by tenant_id, transaction_id)
  select 'I4' as invariant, p.tenant_id, 'transaction ' || p.id as subject,
    'was presented by files ' || p.presentments || ' times with ' || p.amount || ', and has '
      || coalesce(r.records, 0) || ' records of ' || coalesce(r.amount, 0) as detail
  from posted p
  left join recorded r on r.tenant_id = p.tenant_id and r.transaction_id = p.id
  where p.presentments <> coalesce(r.records, 0) or p.amount <> coalesce(r.amount, 0)
  limit ${FINDINGS_MAX}`

/** Each record that has moved a dispute is a step of it; the operator may record others. */
const hasMoved = () => sql<Finding>`
  select 'I4' as invariant, r.tenant_id, 'dispute ' || r.dispute_id as subject,
    'was moved by ' || r.records || ' records of files (' || r.step || '), and has '
      || coalesce(d.steps, 0) || ' such steps' as detail
  from (select tenant_id, dispute_id,
      case kind when 'DISPUTE' then 'REPRESENT' else 'REJECT' end as step, count(*) as records
    from clearing_records where state = 'POSTED' and dispute_id is not null
    group by tenant_id, dispute_id, step) r
  left join (select o.tenant_id, o.id, m ->> 'step' as step, count(*) as steps
    from disputes o, jsonb_array_elements(o.moves) m
    group by o.tenant_id, o.id, step) d
    on d.tenant_id = r.tenant_id and d.id = r.dispute_id and d.step = r.step
  where r.records > coalesce(d.steps, 0)
  limit ${FINDINGS_MAX}`

/** An outgoing file has its messages without gap, and their sum. */
const isWritten = () => sql<Finding>`
  select 'I4' as invariant, e.tenant_id, 'outgoing clearing file ' || e.id as subject,
    'has ' || e.messages || ' messages of ' || e.amount || ', and ' || coalesce(m.messages, 0)
      || ' of ' || coalesce(m.amount, 0) || ' up to number ' || coalesce(m.last, 0)
      || ' are stored' as detail
  from clearing_exports e
  left join (select tenant_id, export_id, count(*) as messages, max(number) as last,
      sum(coalesce((content ->> 'DE4')::numeric, 0)) as amount
    from clearing_export_messages group by tenant_id, export_id) m
    on m.tenant_id = e.tenant_id and m.export_id = e.id
  where e.messages <> coalesce(m.messages, 0) or e.messages <> coalesce(m.last, 0)
    or e.amount <> coalesce(m.amount, 0)
  limit ${FINDINGS_MAX}`

/** A record with money is posted, booked, in suspense or resolved: it is not shown alone. */
const isNotSkipped = () => sql<Finding>`
  select 'I4' as invariant, r.tenant_id, ${ofRecord} as subject,
    'has ' || r.amount || ' ' || r.currency || ', and is ' || r.state || ' without a booking'
      as detail
  from clearing_records r
  where r.amount > 0 and r.kind = any ('{PRESENTMENT,REVERSAL,FEE,DISPUTE}')
    and case r.state when 'SHOWN' then true
      when 'POSTED' then r.transaction_id is null and r.dispute_id is null
      when 'WAITING' then false
      when 'RESOLVED' then r.resolution is null or r.resolved is null
      else r.booked_amount is null end
  limit ${FINDINGS_MAX}`

/** A booking of a record is what the network settles of it: DE6 in DE51, else DE4 in DE49. */
const isSettled = () => sql<Finding>`
  select 'I4' as invariant, r.tenant_id, ${ofRecord} as subject,
    'settles ' || s.amount || ' ' || s.currency || ', and ' || r.booked_amount || ' '
      || r.booked_currency || ' is booked' as detail
  from clearing_records r
  cross join lateral (select
    coalesce((r.facts -> 'billed' ->> 'amount')::bigint, r.amount) as amount,
    coalesce(r.facts -> 'billed' ->> 'currency', r.currency) as currency) s
  where r.booked_amount is not null
    and (r.booked_amount <> s.amount or r.booked_currency <> s.currency)
  limit ${FINDINGS_MAX}`

/** The fees that left SETTLEMENT by files are those of their records. */
const areFees = () => sql<Finding>`
  select 'I4' as invariant, coalesce(b.tenant_id, w.tenant_id) as tenant_id,
    'fees of files in ' || coalesce(b.currency, w.currency) as subject,
    'are ' || coalesce(b.amount, 0) || ' in SETTLEMENT, and the records sum to '
      || coalesce(w.amount, 0) as detail
  from (select t.tenant_id, t.currency,
      sum(case when a.id = t.debit_account_id then t.amount else -t.amount end) as amount
    from transfers t
    join accounts a on a.tenant_id = t.tenant_id and a.kind = 'SETTLEMENT'
      and a.id in (t.debit_account_id, t.credit_account_id)
    where t.kind = 'SCHEME_FEE' group by t.tenant_id, t.currency) b
  full join (select tenant_id, booked_currency as currency,
      sum(case when credit then booked_amount else -booked_amount end) as amount
    from clearing_records where state = 'BOOKED' group by tenant_id, booked_currency) w
    on w.tenant_id = b.tenant_id and w.currency = b.currency
  where coalesce(b.amount, 0) <> coalesce(w.amount, 0)
  limit ${FINDINGS_MAX}`

/** The amounts of a record with their currencies. */
const amountsOf = sql`(values
  ('DE4', r.content ->> 'DE4', r.content ->> 'DE49'),
  ('DE5', r.content ->> 'DE5', r.content ->> 'DE50'),
  ('DE6', r.content ->> 'DE6', r.content ->> 'DE51')) as d (element, digits, currency)`

/** The totals that a file has of itself (1644 685, 688) are the sums of its records. */
const isTotalled = () => sql<Finding>`
  with claimed as materialized (
    select r.tenant_id, r.file_id, r.number, d.element, d.currency, d.digits::numeric as amount
    from clearing_records r join clearing_files f on f.id = r.file_id
    cross join lateral ${amountsOf}
    where r.kind = 'TOTALS' and d.digits is not null and d.currency is not null
      and coalesce(r.content ->> 'PDS0105', f.file) = f.file),
  summed as materialized (
    select r.file_id, d.element, d.currency, sum(d.digits::numeric) as amount
    from clearing_records r
    cross join lateral ${amountsOf}
    where r.mti <> '1644' and d.digits is not null
    group by r.file_id, d.element, d.currency)
  select 'I4' as invariant, o.tenant_id,
    'record ' || o.number || ' of file ' || o.file_id as subject,
    'has a total of ' || o.amount || ' in ' || o.element || ', and the records of the file sum to '
      || coalesce(s.amount, 0) as detail
  from claimed o
  left join summed s on s.file_id = o.file_id and s.element = o.element
    and s.currency = o.currency
  where o.amount <> coalesce(s.amount, 0)
  limit ${FINDINGS_MAX}`

const CHECKS = [
  ...[isWhole, isBooked, isPosted, hasItsRecord, isNotSkipped, isSettled, areFees, isTotalled],
  ...[hasMoved, isWritten],
]
