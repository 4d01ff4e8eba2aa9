/** The members that card transactions share with their cards, accounts and rates (I4). */

import { sql } from 'kysely'
import { DEFAULTS } from '#issuing/tenants/rules.ts'
import { DAYS_MAX } from '#issuing/tenants/schema.ts'
import { exponentIn, FINDINGS_MAX, type Finding, type Scope } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'

/** Empty when all agree. `complete`: no transaction was dropped yet. */
export async function auditBelongings(db: Db, complete: boolean, of: Scope): Promise<Finding[]> {
  const found: Finding[] = []
  for (const check of [owned(of), heldInTime(of), converted(of), refunding(complete, of)]) {
    found.push(...(await check.execute(db)).rows)
  }
  return found
}

const owned = (of: Scope) => sql<Finding>`
  select 'I4' as invariant, t.tenant_id, 'transaction ' || t.id as subject, case
    when c.id is null then 'is of card ' || t.card_id || ', which does not exist'
    when t.account_id <> c.account_id then 'is of account ' || t.account_id || ', its card of '
      || c.account_id
    when d.user_id <> c.user_id then 'is of user ' || d.user_id || ', its card of ' || c.user_id
    else 'is billed in ' || d.billing_currency || ', its account is in ' || a.currency
    end as detail
  from transactions t
  cross join lateral json_to_record(t.details) as d (user_id uuid, billing_currency text)
  left join cards c on c.tenant_id = t.tenant_id and c.id = t.card_id and ${of('c')}
  left join accounts a on a.tenant_id = t.tenant_id and a.id = t.account_id and ${of('a')}
  where ${of('t')} and t.card_id is not null
    and (c.id is null or t.account_id <> c.account_id or d.user_id <> c.user_id
      or d.billing_currency <> a.currency)
  limit ${FINDINGS_MAX}`

/**
 * A hold ends at most so many days after the last event as the tenant's settings allow. If these
 * were changed, any number that they may have is accepted.
 */
const heldInTime = (of: Scope) => sql<Finding>`
  with bounds as (
    select z.id as tenant_id, case when exists (select from audit_records r
        where r.tenant_id = z.id and ${of('r')} and r.status < 300
          and r.operation in ('updateSettings', 'updateSettingsAsOperator')
          and r.members && array['hold_days', 'clearing_hold_days'])
      then ${DAYS_MAX}::int else greatest(
        coalesce((z.settings ->> 'hold_days')::int, ${DEFAULTS.hold_days}::int),
        coalesce((z.settings ->> 'clearing_hold_days')::int,
          ${DEFAULTS.clearing_hold_days}::int)) end as days
    from tenants z
  )
  select 'I4' as invariant, t.tenant_id, 'transaction ' || t.id as subject,
    'is held until ' || t.hold_expires || ', and was last changed ' || l.changed as detail
  from transactions t
  join bounds b on b.tenant_id = t.tenant_id
  cross join lateral (select (t.details #>> '{events,-1,created}')::timestamptz as changed) l
  where ${of('t')} and t.hold_expires is not null
    and (t.hold_expires > l.changed + b.days * interval '24 hours' or t.hold_expires < t.created)
  limit ${FINDINGS_MAX}`

/**
 * The rates of a transaction are rates of its currencies, and its amounts agree by them: exactly if
 * nothing came after its first message, else by the lowest and the highest of them.
 * A payment that a clearing file has presented, or whose amount the scheme has billed, may have a
 * rate of the network (D-1034, D-1045).
 */
const converted = (of: Scope) => sql<Finding>`
  with pairs as (
    select z.id as tenant_id, r.from_currency, r.to_currency, array_agg(r.rate) as rates,
      min(r.rate::numeric) as lowest, max(r.rate::numeric) as highest
    from tenants z join rates r on (r.tenant_id is null or r.tenant_id = z.id)
    group by z.id, r.from_currency, r.to_currency
  )
  select 'I4' as invariant, t.tenant_id, 'transaction ' || t.id as subject,
    'is of ' || t.amount || ' ' || t.currency || ', billed ' || d.billing_amount || ' '
      || d.billing_currency || ' at ' || coalesce(f.rate, 'no rate')
      || coalesce(', cleared at ' || f.clearing_rate, '') as detail
  from transactions t
  cross join lateral json_to_record(t.details)
    as d (billing_amount bigint, billing_currency text, "foreign" json)
  left join lateral json_to_record(d."foreign")
    as f (rate text, clearing_rate text, by_scheme boolean) on d."foreign" is not null
  left join pairs p on p.tenant_id = t.tenant_id and p.from_currency = t.currency
    and p.to_currency = d.billing_currency
  cross join lateral (select t.amount
    * 10::numeric ^ (${exponentIn('d.billing_currency')} - ${exponentIn('t.currency')}) as whole) w
  where ${of('t')} and t.status <> 'DECLINED' and d.billing_currency is not null
    and not exists (select from json_array_elements(t.details -> 'events') e
      where e ->> 'by_file' = 'true')
    and case when f.rate is null then t.currency <> d.billing_currency
      when f.by_scheme then t.currency = d.billing_currency
      else t.currency = d.billing_currency or p.rates is null
        or not f.rate = any (p.rates) or not coalesce(f.clearing_rate, f.rate) = any (p.rates)
        or d.billing_amount < w.whole * p.lowest - t.sequence
        or d.billing_amount > w.whole * p.highest + t.sequence
        or (t.sequence = 1 and abs(d.billing_amount - w.whole * f.rate::numeric) > 1) end
  limit ${FINDINGS_MAX}`

/** A refund names a purchase of the same card account. */
const refunding = (complete: boolean, of: Scope) => sql<Finding>`
  select 'I4' as invariant, t.tenant_id, 'transaction ' || t.id as subject, case
    when o.id is null then 'refunds ' || r.id || ', which does not exist'
    else 'refunds ' || r.id || ' of account ' || o.account_id || ', and is of ' || t.account_id
    end as detail
  from transactions t
  cross join lateral (select (t.details ->> 'reference_transaction_id')::uuid as id) r
  left join transactions o on o.tenant_id = t.tenant_id and o.id = r.id and ${of('o')}
  where ${of('t')} and t.transaction_type = 'REFUND' and t.status <> 'DECLINED'
    and r.id is not null and case when o.id is null then ${complete}
      else o.account_id <> t.account_id end
  limit ${FINDINGS_MAX}`
