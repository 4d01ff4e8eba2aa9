/**
 * The invariants of the rows that the engine stores beside transactions (I4), checked over a whole
 * database.
 */

import { sql } from 'kysely'
import { CLOCKS, FINDINGS_MAX, type Finding, ofAll, type Scope } from '#kit/audit.ts'
import { databaseNow } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'

/** Longer than a request waits for its answer: only messages that overlap are this close. */
const OVERLAP_S = 5
/** The days for which a message is looked up by its key (D-406). */
const LOOKED_UP_DAYS = 31

/**
 * No message and its reversal both took effect, no message took effect twice or came before its
 * transaction, each approval that
 * waits to be reversed exists, and the credits without a purchase of a card and day are the sum of
 * those credits. Empty when all hold.
 */
export async function auditMessages(db: Db, of: Scope = ofAll): Promise<Finding[]> {
  const complete = await isComplete(db, 'transactions')
  const found: Finding[] = []
  for (const check of [
    missedOriginals(of),
    doubled(of),
    early(of),
    answered(complete, of),
    unanswered(complete, of),
    credited(complete, of),
  ]) {
    found.push(...(await check.execute(db)).rows)
  }
  return found
}

/** Real time, as ids are made. */
const madeAt = (id: string) => {
  const digits = sql`translate(left(${sql.ref(id)}::text, 13), '-', '')`
  return sql`to_timestamp(('x' || ${digits})::bit(48)::bigint / 1e3)`
}

/** `class|DE11|DE7|DE32`, by which DE90 names a message, and the retrieval reference behind it. */
const NAMED = '^((?:[^|]*\\|){3}[^|]*)\\|(.*)$'

/**
 * A reversal that found nothing (9114) is stored under `R|` and the key, the retrieval reference
 * and the card of its original, which is declined from then on (D-311). That original, in force,
 * is what remains of two that missed each other (D-531). A much earlier one is none: the reversal
 * named it and did not match it, by another approval code.
 *
 * A completion that was taken back is stored in the same way, and has its reversal in its events.
 *
 * Both sides are grouped by their names rather than joined, which takes as long with any plan.
 */
const missedOriginals = (of: Scope) => sql<Finding>`
  with sides as (
    select m.tenant_id, k[1] as name, k[2] as rrn, k[3]::uuid as card_id, m.created as reversed,
      null::uuid as id
    from tenants t
    join network_messages m on m.tenant_id = t.id and m.key >= 'R|' and m.key < 'R}'
      and ${of('m')}
    cross join lateral regexp_match(m.key,
      '^R\\|((?:[^|]*\\|){3}[^|]*)\\|(.*)\\|([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$') k
    union all
    select t.tenant_id, k[1], k[2], null, null, t.id
    from transactions t cross join lateral regexp_match(t.message_key, ${NAMED}) k
    where ${of('t')}
    union all
    select n.tenant_id, k[1], k[2], null, null, n.transaction_id
    from network_messages n cross join lateral regexp_match(n.key, ${NAMED}) k
    where ${of('n')} and n.transaction_id is not null and n.answer ->> 'approved' = 'true'
  ), paired as (
    select tenant_id, name, array_agg(id) filter (where id is not null) as ids,
      array_agg(rrn) filter (where id is not null) as rrns_of_ids,
      array_agg(reversed) filter (where id is null) as reversed,
      array_agg(card_id) filter (where id is null) as card_ids,
      array_agg(rrn) filter (where id is null) as rrns
    from sides group by tenant_id, name having count(id) > 0 and count(*) > count(id)
  ), named as (
    select distinct p.tenant_id, p.name, r.reversed as created, r.card_id, o.id from paired p
    cross join unnest(p.reversed, p.card_ids, p.rrns) r (reversed, card_id, rrn)
    cross join unnest(p.ids, p.rrns_of_ids) o (id, rrn)
    where r.rrn = '' or r.rrn = o.rrn
  )
  select 'I4' as invariant, n.tenant_id, 'transaction ' || t.id as subject,
    'is ' || t.status || ' with ' || t.held || ' held and ' || t.cleared_amount
      || ' cleared, and the reversal of its message ' || n.name || ' found nothing' as detail
  from named n
  join transactions t on t.tenant_id = n.tenant_id and t.id = n.id and t.card_id = n.card_id
  where ${of('t')} and t.held + t.cleared_amount > 0
    and ${madeAt('t.id')} > n.created - ${OVERLAP_S}::int * interval '1 second'
    and ${madeAt('t.id')} < n.created + ${LOOKED_UP_DAYS}::int * interval '1 day'
    and not exists (select from json_array_elements(t.details -> 'events') v
      where v ->> 'type' = 'REVERSED')
  limit ${FINDINGS_MAX}`

/**
 * A key is unique within a month only, and may come again after a year (DE7 contains none).
 * Messages about the end of a month are stored in both tables, under one transaction (D-414).
 */
const doubled = (of: Scope) => sql<Finding>`
  with named as (
    select tenant_id, message_key as key, id, 'made' as way, ${madeAt('id')} as at
    from transactions where ${of('transactions')} and message_key is not null
    union all
    select tenant_id, key, transaction_id, 'stored', created from network_messages
    where ${of('network_messages')} and transaction_id is not null
  )
  select 'I4' as invariant, tenant_id, 'message ' || key as subject,
    'is stored ' || count(*) || ' times, for transactions ' || min(id::text) || ' and '
      || max(id::text) as detail
  from named group by tenant_id, key
  having (count(*) > count(distinct way) or count(distinct id) > 1)
    and max(at) - min(at) < ${LOOKED_UP_DAYS}::int * interval '1 day'
  limit ${FINDINGS_MAX}`

/**
 * A message about a transaction comes with it or after it, and none comes from the future. A
 * process whose clock is ahead makes ids of times to come, which say nothing.
 */
const early = (of: Scope) => sql<Finding>`
  select 'I4' as invariant, m.tenant_id, 'message ' || m.key as subject,
    'came at ' || m.created || ', its transaction ' || coalesce(m.transaction_id::text, 'none')
      || coalesce(' at ' || ${madeAt('t.id')}, '') as detail
  from network_messages m
  left join transactions t on t.tenant_id = m.tenant_id and t.id = m.transaction_id and ${of('t')}
  where ${of('m')} and (m.created > ${databaseNow} + ${CLOCKS}
    or (m.created < ${madeAt('t.id')} - ${CLOCKS}
      and ${madeAt('t.id')} < ${databaseNow} + ${CLOCKS}))
  limit ${FINDINGS_MAX}`

/** A message that is stored with another transaction than its own gives repeats a wrong answer. */
const answered = (complete: boolean, of: Scope) => sql<Finding>`
  select 'I4' as invariant, m.tenant_id, 'message ' || m.key as subject,
    'is of transaction ' || coalesce(m.transaction_id::text, 'none')
      || case when t.id is null and m.transaction_id is not null then ', which does not exist'
        else '' end
      || ', its answer of ' || coalesce(m.answer ->> 'transaction_id', 'none') as detail
  from network_messages m
  left join transactions t on t.tenant_id = m.tenant_id and t.id = m.transaction_id and ${of('t')}
  where ${of('m')} and (m.transaction_id::text <> m.answer ->> 'transaction_id'
    or (${complete} and m.transaction_id is not null and t.id is null))
  limit ${FINDINGS_MAX}`

const unanswered = (complete: boolean, of: Scope) => sql<Finding>`
  select 'I4' as invariant, u.tenant_id, 'message ' || u.message_key as subject,
    'is to be reversed for want of an answer, and its transaction ' || u.transaction_id
      || case when t.id is null then ' does not exist' else ' is ' || t.status end as detail
  from unanswered_approvals u
  left join transactions t on t.tenant_id = u.tenant_id and t.id = u.transaction_id
  where ${of('u')} and ((${complete} and t.id is null) or t.status = 'DECLINED')
  limit ${FINDINGS_MAX}`

/**
 * Compares by days of the tenant's time zone; days up to a change of it are not compared, and once
 * old transactions were dropped no day may have less than those that are left (D-315).
 */
const credited = (complete: boolean, of: Scope) => sql<Finding>`
  with zones as (
    select t.id as tenant_id, coalesce(t.settings ->> 'time_zone', 'UTC') as zone,
      (select max(a.created)::date + 2 from audit_records a
        where a.tenant_id = t.id and ${of('a')} and a.status < 300 and 'time_zone' = any (a.members)
          and a.operation in ('updateSettings', 'updateSettingsAsOperator')) as changed
    from tenants t
  ), compared as (
    select tenant_id, card_id, day, amount as kept, 0::bigint as amount from unlinked_credits
    where ${of('unlinked_credits')}
    union all
    select t.tenant_id, t.card_id, (t.created at time zone z.zone)::date, 0, t.cleared_amount
    from transactions t join zones z on z.tenant_id = t.tenant_id
    where ${of('t')}
      and t.transaction_type in ('REFUND', 'DEPOSIT', 'LOAD', 'ORIGINAL_CREDIT', 'PAYMENT')
      and t.status <> 'DECLINED' and t.card_id is not null
      and t.details ->> 'reference_transaction_id' is null
  )
  select 'I4' as invariant, c.tenant_id, 'card ' || c.card_id as subject,
    'was credited ' || sum(c.kept) || ' without a purchase on ' || c.day
      || ', its transactions of that day sum to ' || sum(c.amount) as detail
  from compared c join zones z on z.tenant_id = c.tenant_id
  where z.changed is null or c.day > z.changed
  group by c.tenant_id, c.card_id, c.day
  having sum(c.kept) < sum(c.amount) or (${complete} and sum(c.kept) > sum(c.amount))
  limit ${FINDINGS_MAX}`
