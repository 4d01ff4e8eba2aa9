/** The invariants of cards (I4, I6), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding, ofAll, type Scope } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'
import { moves } from './rules/moves.ts'

/**
 * Every change of status was reported once, cards agree with the rows that they refer to, and the
 * lists and limits in use exist. Empty when all hold.
 */
export async function auditCards(db: Db, of: Scope = ofAll): Promise<Finding[]> {
  const complete = await isComplete(db, 'events')
  const found: Finding[] = []
  for (const check of [reported(complete, of), referring(of), controlled(of)]) {
    found.push(...(await check.execute(db)).rows)
  }
  return found
}

/**
 * Each report begins with the status in which the one before it ended, and the last ends with the
 * status of the card. Once old events were dropped, nothing is claimed about the time before those
 * that are left.
 */
const reported = (complete: boolean, of: Scope) => sql<Finding>`
  with reported as (
    select tenant_id, object_id, sequence,
      payload #>> '{card_status_change,old_status}' as before,
      coalesce(payload #>> '{card_status_change,new_status}', payload ->> 'status') as after
    from events where ${of('events')}
      and event in ('SUCCESSFULLY_CREATED', 'CARD_STATUS_CHANGE')
  ), chained as (
    select reported.*, lag(after) over of_card as previous,
      lead(after) over of_card is null as is_last
    from reported window of_card as (partition by tenant_id, object_id order by sequence)
  )
  select 'I6' as invariant, c.tenant_id, 'card ' || c.id as subject,
    case when e.object_id is null then 'has no report'
      when e.before is distinct from e.previous
        then 'it was reported to leave ' || coalesce(e.before, 'nothing') || ' when it was '
          || coalesce(e.previous, 'nothing')
      else 'is ' || c.status || ' and was reported to be ' || e.after end as detail
  from cards c
  left join chained e on e.tenant_id = c.tenant_id and e.object_id = c.id
  where ${of('c')} and ((${complete} and e.object_id is null)
    or (e.before is distinct from e.previous and (${complete} or e.previous is not null))
    or (e.is_last and e.after <> c.status))
  limit ${FINDINGS_MAX}`

/** Every status with a reason that a card may have, `INACTIVE I0`. */
const states = [
  ...new Set(['INACTIVE I0', 'ACTIVE A0', ...moves.map(({ to, reason }) => `${to} ${reason}`)]),
]

const referring = (of: Scope) => sql<Finding>`
  select 'I4' as invariant, c.tenant_id, 'card ' || c.id as subject, w.message as detail
  from cards c
  left join cards o on o.tenant_id = c.tenant_id and o.id = c.reference_card_id
  left join cards n on n.tenant_id = c.tenant_id and n.id = c.replaced_by_card_id
  left join accounts a on a.tenant_id = c.tenant_id and a.id = c.account_id
  left join bulk_issuances b on b.tenant_id = c.tenant_id and b.id = c.bulk_issuance_id
  cross join lateral (values
    (c.status || ' ' || c.status_reason_code <> all (${states}::text[]),
      'is ' || c.status || ' for the reason ' || c.status_reason_code),
    (c.reference_card_id is not null and o.replaced_by_card_id is distinct from c.id,
      'replaces card ' || c.reference_card_id || ', which is not replaced by it'),
    (c.replaced_by_card_id is not null and n.reference_card_id is distinct from c.id,
      'is replaced by card ' || c.replaced_by_card_id || ', which does not replace it'),
    (c.reference_card_id is not null and o.status <> 'TERMINATED',
      'replaces card ' || c.reference_card_id || ', which is ' || o.status),
    (c.chain_id <> coalesce(o.chain_id, c.id), 'is in the chain ' || c.chain_id
      || ', what it replaces is in ' || coalesce(o.chain_id, c.id)),
    (a.id is not null and c.user_id is distinct from a.user_id, 'is of user '
      || coalesce(c.user_id::text, 'none') || ', its account of '
      || coalesce(a.user_id::text, 'none')),
    (c.account_id is not null and a.kind is distinct from 'CARD',
      'has account ' || c.account_id || ', which is ' || coalesce(a.kind, 'none')),
    (c.card_product_id <> a.card_product_id, 'is of product ' || c.card_product_id
      || ', its account of ' || a.card_product_id),
    (c.card_product_id <> o.card_product_id, 'is of product ' || c.card_product_id
      || ', what it replaces of ' || o.card_product_id),
    (c.account_id <> o.account_id, 'is of account ' || c.account_id || ', what it replaces of '
      || o.account_id),
    (c.bulk_issuance_id is not null and b.id is null, 'is of bulk issuance '
      || c.bulk_issuance_id || ', which does not exist'),
    (c.card_product_id <> b.card_product_id, 'is of product ' || c.card_product_id
      || ', its bulk issuance of ' || b.card_product_id),
    (c.valid_until is distinct from (to_date(c.expiry_date, 'YYYY-MM') + interval '1 month')
        at time zone 'UTC' - interval '1 millisecond',
      'expires in ' || c.expiry_date || ' and is valid until ' || c.valid_until)
  ) as w (broken, message)
  where ${of('c')} and w.broken limit ${FINDINGS_MAX}`

/** Lists and limits are never deleted while something names them. */
const controlled = (of: Scope) => sql<Finding>`
  with named as (
    select o.tenant_id, o.owner || ' ' || o.id as subject, l.kind, l.id
    from (
      select 'card' as owner, tenant_id, id, allowed_countries_id, allowed_mccs_id,
        allowed_merchants_id from cards where ${of('cards')}
      union all
      select 'card product', tenant_id, id, allowed_countries_id, allowed_mccs_id,
        allowed_merchants_id from card_products where ${of('card_products')}) o
    cross join lateral (values ('countries', allowed_countries_id), ('mccs', allowed_mccs_id),
      ('merchants', allowed_merchants_id)) as l (kind, id)
    where l.id is not null
    union all
    select o.tenant_id, o.owner || ' ' || o.id, o.kind, l.id
    from (
      select 'card' as owner, tenant_id, id, 'VELOCITY' as kind, velocity_limit_ids as ids
      from cards where ${of('cards')}
      union all
      select 'card product', tenant_id, id, 'VELOCITY', velocity_limit_ids
      from card_products where ${of('card_products')}
      union all
      select 'card product', tenant_id, id, 'BALANCE', balance_limit_ids
      from card_products where ${of('card_products')}
      union all
      select 'account', tenant_id, id, 'VELOCITY', velocity_limit_ids
      from accounts where ${of('accounts')}
      union all
      select 'account', tenant_id, id, 'BALANCE', balance_limit_ids
      from accounts where ${of('accounts')}
      union all
      select 'user', tenant_id, id, 'VELOCITY', velocity_limit_ids
      from users where ${of('users')}
      union all
      select 'user', tenant_id, id, 'BALANCE', balance_limit_ids
      from users where ${of('users')}) o
    cross join lateral unnest(o.ids) as l (id)
  )
  select 'I4' as invariant, n.tenant_id, n.subject,
    'names ' || n.kind || ' ' || n.id || ', which does not exist' as detail
  from named n
  left join allowed_lists a on a.tenant_id = n.tenant_id and a.kind = n.kind and a.id = n.id
    and ${of('a')}
  left join limits l on l.tenant_id = n.tenant_id and l.kind = n.kind and l.id = n.id
    and ${of('l')}
  where a.id is null and l.id is null
  limit ${FINDINGS_MAX}`
