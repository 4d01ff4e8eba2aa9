/** The invariants of the clearing files of the own acquirer (D-1047). */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'

/** Empty when all hold. Each check is one statement and sees one moment. */
export async function auditFiles(db: Db): Promise<Finding[]> {
  const found: Finding[] = []
  for (const check of [isOfMessage, isInFile, isWhole]) {
    found.push(...(await check.execute(db)).rows)
  }
  return found
}

/** A presentment is an approved capture or refund, which no answer has approved. */
const isOfMessage = sql<Finding>`
  select 'I4' as invariant, p.tenant_id, 'presentment ' || p.message_id as subject,
    'is of a message ' || coalesce(m.mti || ' that is ' || m.status, 'that does not exist')
      || coalesce(' by the answer ' || m.response_code, '') as detail
  from acquirer_presentments p
  left join acquirer_messages m on m.tenant_id = p.tenant_id and m.id = p.message_id
  where m.id is null or m.mti not in ('0200', '0220') or m.status <> 'APPROVED'
    or m.issuer is distinct from p.issuer
    or (m.response_code is not null and m.ended_note is null)
  limit ${FINDINGS_MAX}`

const isInFile = sql<Finding>`
  select 'I4' as invariant, p.tenant_id, 'presentment ' || p.message_id as subject,
    'is in file ' || p.file_id || ', which does not exist for its issuer' as detail
  from acquirer_presentments p
  left join acquirer_files f on f.tenant_id = p.tenant_id and f.id = p.file_id
    and f.issuer is not distinct from p.issuer
  where p.file_id is not null and f.id is null
  limit ${FINDINGS_MAX}`

/** A file has its messages without gap, and they sum to its trailer. */
const isWhole = sql<Finding>`
  select 'I4' as invariant, f.tenant_id, 'acquirer file ' || f.id as subject,
    'has ' || f.messages || ' messages of ' || f.amount || ', and ' || coalesce(s.messages, 0)
      || ' of ' || coalesce(s.amount, 0) || ' up to number ' || coalesce(s.last, 0)
      || ' are there' as detail
  from acquirer_files f
  left join (
    select p.tenant_id, p.file_id, count(*) as messages, max(p.number) as last,
      sum((m.fields ->> '4')::numeric) as amount
    from acquirer_presentments p
    join acquirer_messages m on m.tenant_id = p.tenant_id and m.id = p.message_id
    where p.file_id is not null
    group by p.tenant_id, p.file_id) s on s.tenant_id = f.tenant_id and s.file_id = f.id
  where f.messages <> coalesce(s.messages, 0) or f.messages <> coalesce(s.last, 0)
    or f.amount <> coalesce(s.amount, 0)
  limit ${FINDINGS_MAX}`
