/** The invariants of clearing files (D-1044), read by `bezant doctor` from any database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Context } from '#kit/context.ts'

/** Each check is one statement and sees one moment. Empty when all is well. */
export async function auditClearings(db: Context['db']): Promise<Finding[]> {
  const found: Finding[] = []
  for (const check of [isWhole, isBooked, isPosted, hasItsRecord, hasMoved, isWritten]) {
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

/** Each posting of a file has a record: one for each presentment of a file. */
const hasItsRecord = () => sql<Finding>`
  with posted as (
    select t.tenant_id, t.id, count(*) as presentments
    from transactions t, json_array_elements(t.details -> 'events') e
    where e ->> 'by_file' = 'true'
    group by t.tenant_id, t.id),
  recorded as (
    select tenant_id, transaction_id, count(*) as records from clearing_records
    where kind = 'PRESENTMENT' and transaction_id is not null
      and (state = 'POSTED' or resolution = 'POSTED')
    group by tenant_id, transaction_id)
  select 'I4' as invariant, p.tenant_id, 'transaction ' || p.id as subject,
    'was presented by files ' || p.presentments || ' times, and has ' || coalesce(r.records, 0)
      || ' records' as detail
  from posted p
  left join recorded r on r.tenant_id = p.tenant_id and r.transaction_id = p.id
  where p.presentments <> coalesce(r.records, 0)
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
