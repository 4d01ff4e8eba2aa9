/** The invariant of charges (I4), checked over a whole database. */

import { sql } from 'kysely'
import { exponentIn, FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'
import { charged, chargedCards, chargedMonths, chargedPostings } from './audit_rows.ts'

/**
 * Each charge that was taken is one transfer of its account and amount, each transfer of a charge
 * has its charge, the sum given back to an account is that of its REVERSED charges, those of a
 * reversed transaction are or will be given back, no month is charged before its time, each has the
 * amount and the times that its product and its state give it, and each event that a product
 * charges for was charged once (D-959). Empty when all agree.
 */
export async function auditCharges(db: Db): Promise<Finding[]> {
  const found: Finding[] = []
  const complete = await isComplete(db, 'transactions')
  const checks = [
    taken,
    reported,
    givenBack,
    due,
    charged(complete),
    chargedCards,
    chargedPostings,
    chargedMonths,
  ]
  for (const check of checks) found.push(...(await check.execute(db)).rows)
  return found
}

const taken = sql<Finding>`
  select 'I4' as invariant, coalesce(c.tenant_id, t.tenant_id) as tenant_id,
    case when c.id is null then 'transfer ' || t.id else 'charge ' || c.id end as subject,
    'charges ' || coalesce(c.amount, 0) || ', the ledger took ' || coalesce(t.amount, 0) as detail
  from (select * from charges where transfer_id is not null) c
  full join (select * from transfers where kind = 'CHARGE') t
    on t.tenant_id = c.tenant_id and t.id = c.transfer_id
  where c.id is null or t.id is null or t.amount <> c.amount or t.currency <> c.currency
    or t.debit_account_id <> c.account_id
  limit ${FINDINGS_MAX}`

/** Each charge that was taken has the amount and the transfer that were reported. */
const reported = sql<Finding>`
  select 'I6' as invariant, r.tenant_id, 'charge ' || r.object_id as subject,
    'is of ' || c.amount || ' ' || c.currency || ' by transfer '
      || coalesce(c.transfer_id::text, 'none') || ', and was reported as ' || e.amount || ' '
      || e.currency || ' by transfer ' || e.transfer_id as detail
  from events r
  cross join lateral json_to_record(r.payload -> 'charge')
    as e (amount numeric, currency text, transfer_id uuid)
  join charges c on c.tenant_id = r.tenant_id and c.id = r.object_id
  where r.event = 'CHARGE_APPLIED' and (c.currency <> e.currency
    or c.amount <> e.amount * 10::numeric ^ ${exponentIn('e.currency')}
    or c.transfer_id <> e.transfer_id)
  limit ${FINDINGS_MAX}`

const givenBack = sql<Finding>`
  with compared as (
    select tenant_id, account_id, amount from charges where status = 'REVERSED'
    union all
    select tenant_id, credit_account_id, -amount from transfers where kind = 'CHARGE_REVERSAL'
  )
  select 'I4' as invariant, tenant_id, 'account ' || account_id as subject,
    'its reversed charges and what was given back differ by ' || sum(amount) as detail
  from compared group by tenant_id, account_id having sum(amount) <> 0
  limit ${FINDINGS_MAX}`

const due = sql<Finding>`
  select 'I4' as invariant, c.tenant_id, 'charge ' || c.id as subject,
    case when t.id is not null
      then 'is ' || c.status || ', its transaction ' || t.id || ' was reversed'
      else 'is of month ' || c.month || ', the next one of its card is ' || m.month end as detail
  from charges c
  left join transactions t on t.tenant_id = c.tenant_id and t.id = c.transaction_id
    and t.status = 'VOIDED' and (c.status = 'PENDING' or (c.status = 'APPLIED' and c.due is null))
  left join monthly_charges m on m.tenant_id = c.tenant_id and m.card_id = c.card_id
    and m.month <= c.month
  where t.id is not null or m.month is not null
  limit ${FINDINGS_MAX}`
