/** The invariant of the counters of velocity limits (I4), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding, ofAll, type Scope } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'
import { CHAINS_IN_ROW } from './rules.ts'

/**
 * The count of a window is the sum of the counts of its transactions, each is where decisions read
 * it, and a transaction counts no more than is held and posted for it (D-430, D-434, D-943). Empty
 * when all agree.
 *
 * Less than the sum is no finding if counting may have begun anew: a limit that was changed, or a
 * window that had begun when the tenant's time zone was changed. More is none once old transactions
 * were dropped.
 */
export async function auditLimits(db: Db, of: Scope = ofAll): Promise<Finding[]> {
  const complete = await isComplete(db, 'transactions')
  const found: Finding[] = []
  for (const check of [summed(complete, of), apart(of), bounded(of), counting(of)]) {
    found.push(...(await check.execute(db)).rows)
  }
  return found
}

/** Both sides are grouped rather than joined. A window is `PERIOD CURRENCY first day`. */
const summed = (complete: boolean, of: Scope) => sql<Finding>`
  with holders as (
    select tenant_id, id as holder_id, counters from accounts
    where counters is not null and ${of('accounts')}
    union all
    select tenant_id, user_id, counters from user_counters where ${of('user_counters')}
  ), grouped as (
    select c.tenant_id, c.holder_id, g ->> 0 as group_name, g -> 1 as counters
    from holders c
    cross join lateral json_array_elements(c.counters) g
    union all
    select tenant_id, account_id, chain_id::text, counters from chain_counters
    where ${of('chain_counters')}
  ), compared as (
    select c.tenant_id, c.holder_id, c.group_name, l.key as name,
      array_to_string((string_to_array(l.value, ' '))[3:], ' ') as window_name,
      split_part(l.value, ' ', 1)::numeric as kept,
      split_part(l.value, ' ', 2)::bigint as kept_number,
      0::numeric as amount, 0::bigint as number
    from grouped c
    cross join lateral json_each_text(c.counters) l
    union all
    select t.tenant_id, (e ->> 0)::uuid, e ->> 1, w.key, w.value, null, null,
      (e ->> 2)::numeric, (e ->> 3)::bigint
    from transactions t
    cross join lateral json_array_elements(t.details -> 'counted') e
    cross join lateral json_each_text(e -> 4) w
    where ${of('t')}
  ), summed as (
    select tenant_id, holder_id, group_name, name, window_name, max(kept) as kept,
      max(kept_number) as kept_number, sum(amount) as amount, sum(number) as number
    from compared group by tenant_id, holder_id, group_name, name, window_name
  ), known as (
    select *, count(kept) over (partition by tenant_id, holder_id, group_name, name) as kept_windows
    from summed
  ), zones as (
    select tenant_id, max(created)::date + 2 as changed from audit_records
    where ${of('audit_records')}
      and operation in ('updateSettings', 'updateSettingsAsOperator')
      and 'time_zone' = any (members) and status < 300
    group by tenant_id
  )
  select 'I4' as invariant, k.tenant_id, 'counters of ' || k.holder_id as subject,
    'limit ' || coalesce(l.id || ' (' || k.name || ')', k.name)
      || coalesce(' of the chain of cards ' || nullif(k.group_name, ''), '')
      || ' has counted ' || coalesce(k.kept, 0) || ' in '
      || coalesce(k.kept_number, 0) || ' transactions in ' || k.window_name
      || ', the transactions have ' || k.amount || ' in ' || k.number as detail
  from known k
  left join limits l on l.tenant_id = k.tenant_id and 'l' || l.short_id = k.name
    and ${of('l')}
  left join zones z on z.tenant_id = k.tenant_id
  where (${complete} and (k.kept > k.amount or k.kept_number > k.number))
    or (l.version = 1 and (z.changed is null or starts_with(k.window_name, 'LIFETIME ')
        or right(k.window_name, 10)::date > z.changed)
      and (k.kept < k.amount or k.kept_number < k.number))
    or k.kept_windows = 0
  limit ${FINDINGS_MAX}`

/** Rows that decisions do not look for, so that their counts begin anew (D-944). */
const apart = (of: Scope) => sql<Finding>`
  select 'I4' as invariant, c.tenant_id, 'counters of ' || c.account_id as subject,
    'what the chain of cards ' || c.chain_id || ' has counted is in a row that is not read: the '
      || 'account names ' || case when n.is_named then 'the chain' else n.chains || ' chains' end
      as detail
  from chain_counters c
  join accounts a on a.tenant_id = c.tenant_id and a.id = c.account_id
  cross join lateral (
    select count(*) filter (where g ->> 0 <> '') as chains,
      coalesce(bool_or(g ->> 0 = c.chain_id::text), false) as is_named
    from json_array_elements(a.counters) g
  ) n
  where ${of('c')} and ${of('a')} and (n.is_named or n.chains < ${CHAINS_IN_ROW})
  limit ${FINDINGS_MAX}`

/** Only the posted amount bounds the reversed amount of an authorization in another currency. */
const bounded = (of: Scope) => sql<Finding>`
  select 'I4' as invariant, t.tenant_id, 'transaction ' || t.id as subject,
    'counts ' || c.amount || ' as ' || c.number || ' against a limit, '
      || least(t.held + t.cleared_amount, b.authorized) || ' is held and posted' as detail
  from transactions t
  cross join lateral json_to_record(t.details)
    as d (billing_amount bigint, "foreign" json, counted json, events json)
  cross join lateral (
    select sum((e ->> 'amount')::numeric) as approved
    from json_array_elements(d.events) with ordinality as _ (e, at)
    where at = 1 or e ->> 'type' = 'INCREMENTED'
  ) e
  cross join lateral (
    select case when d."foreign" is null or e.approved <= t.amount
      then coalesce(d.billing_amount, t.amount) + greatest(e.approved - t.amount, 0)
    end as authorized
  ) b
  cross join lateral (
    select sum((e ->> 2)::numeric) as amount, sum((e ->> 3)::bigint) as number
    from json_array_elements(d.counted) e
    cross join lateral json_each_text(e -> 4) w
    group by e ->> 0, e ->> 1, w.key
  ) c
  where ${of('t')} and (c.amount > least(t.held + t.cleared_amount, b.authorized) or c.number > 1
    or (c.number > 0 and t.held + t.cleared_amount = 0))
  limit ${FINDINGS_MAX}`

/**
 * A transaction has counted in a limit that applies to it, if it is certain that the limit was
 * linked by then: the card, its product or its user was not changed since some time before, or
 * since an earlier transaction that counted in it there. An account is changed by each movement, so
 * its time of change proves nothing.
 */
const counting = (of: Scope) => sql<Finding>`
  with linked as (
    select c.tenant_id, c.id as card_id, c.account_id as holder_id, c.chain_id::text as chain,
      c.modified, unnest(c.velocity_limit_ids) as limit_id
    from cards c where ${of('c')}
    union all
    select c.tenant_id, c.id, c.account_id, c.chain_id::text, p.modified,
      unnest(p.velocity_limit_ids)
    from cards c join card_products p on p.tenant_id = c.tenant_id and p.id = c.card_product_id
    where ${of('c')} and ${of('p')}
    union all
    select c.tenant_id, c.id, u.id, '', greatest(u.modified, c.modified),
      unnest(u.velocity_limit_ids)
    from cards c join users u on u.tenant_id = c.tenant_id and u.id = c.user_id
    where ${of('c')} and ${of('u')}
  ), counted as (
    select t.tenant_id, t.id, e ->> 0 as holder_id, e ->> 1 as chain, w.key as name, t.created
    from transactions t
    cross join lateral json_array_elements(t.details -> 'counted') e
    cross join lateral json_each_text(e -> 4) w
    where ${of('t')} and (e ->> 2)::numeric > 0
  ), begun as (
    select tenant_id, holder_id, chain, name, array_agg(created) as times
    from counted group by tenant_id, holder_id, chain, name
  )
  select 'I4' as invariant, t.tenant_id, 'transaction ' || t.id as subject,
    'has counted nothing against limit ' || l.id || ' (' || l.short_id || ')' as detail
  from transactions t
  join linked k on k.tenant_id = t.tenant_id and k.card_id = t.card_id
  join accounts a on a.tenant_id = t.tenant_id and a.id = t.account_id and ${of('a')}
  join limits l on l.tenant_id = t.tenant_id and l.id = k.limit_id and ${of('l')}
  left join counted c on c.tenant_id = t.tenant_id and c.id = t.id
    and c.holder_id = k.holder_id::text and c.chain = k.chain and c.name = 'l' || l.short_id
  left join begun b on b.tenant_id = t.tenant_id and b.holder_id = k.holder_id::text
    and b.chain = k.chain and b.name = 'l' || l.short_id
  where ${of('t')} and c.id is null and t.status <> 'DECLINED'
    and least(t.held + t.cleared_amount, coalesce((t.details ->> 'billing_amount')::bigint,
      t.amount)) > 0
    and t.transaction_type = any (${debits}::text[])
    and l.kind = 'VELOCITY' and l.period is not null and l.currency = a.currency and l.version = 1
    and l.transaction_scope && array['ALL',
      case when t.transaction_type = any (${withdrawals}::text[])
      then 'WITHDRAWALS' else 'PURCHASES' end]
    and greatest(k.modified, l.created) < t.created
    and (greatest(k.modified, l.created) < t.created - interval '10 seconds'
      or exists (select from unnest(b.times) at (time)
        where at.time > greatest(k.modified, l.created) and at.time <= t.created))
  limit ${FINDINGS_MAX}`

const withdrawals = ['WITHDRAWAL', 'CASH_DISBURSEMENT', 'UNLOAD']
const debits = [
  ...['PURCHASE', 'CASH_BACK', 'ACCOUNT_FUNDING', 'QUASI_CASH', 'TRANSFER', ...withdrawals],
]
