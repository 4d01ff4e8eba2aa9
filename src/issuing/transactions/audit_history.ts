/** The state of a card transaction, and its transfers, agree with its events (I4). */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding, type Scope } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { credits } from './rules.ts'

/** Empty when all agree. */
export async function auditHistory(db: Db, of: Scope): Promise<Finding[]> {
  const found: Finding[] = []
  for (const check of [inState(of), postedThen(of)]) found.push(...(await check.execute(db)).rows)
  return found
}

const inState = (of: Scope) => sql<Finding>`
  select * from (
    select 'I4' as invariant, t.tenant_id, 'transaction ' || t.id as subject, case
      when (t.status = 'DECLINED') <> (t.details #>> '{events,-1,type}' = 'DECLINED')
        then 'is ' || t.status || ', and was ' || (t.details #>> '{events,-1,type}') || ' last'
      when t.status = 'PENDING' and t.transaction_type = any (${credits}::text[])
        then 'holds money for a ' || t.transaction_type
      when not exists (select from json_array_elements(t.details -> 'events') e
          where e ->> 'status_code' = t.status_code)
        then 'has the code ' || t.status_code || ', which no event of it has'
    end as detail
    from transactions t where ${of('t')}
  ) t
  where detail is not null limit ${FINDINGS_MAX}`

/** A charge may be taken, and given back, at another time. */
const postedThen = (of: Scope) => sql<Finding>`
  select 'I4' as invariant, r.tenant_id, 'transaction ' || t.id as subject,
    'has transfer ' || r.id || ' of ' || r.created || ', when nothing happened to it' as detail
  from transfers r
  join transactions t on t.tenant_id = r.tenant_id and t.id = r.transaction_id and ${of('t')}
  where ${of('r')} and r.kind not in ('CHARGE', 'CHARGE_REVERSAL')
    and not starts_with(r.kind, 'DISPUTE_')
    and not exists (select from json_array_elements(t.details -> 'events') e
      where (e ->> 'created')::timestamptz = r.created)
  limit ${FINDINGS_MAX}`
