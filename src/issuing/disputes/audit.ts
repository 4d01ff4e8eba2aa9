/** The invariants of disputes (I4, I6), checked over a whole database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding, ofAll, type Scope } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'
import { credits, type ProvisionalCredit, placesOf } from './rules/money.ts'
import { type DisputeStatus, finalStatuses, type Outcome, statuses } from './rules/states.ts'

/**
 * The money of each dispute is where its state has it, the ledger moved as much for the disputes of
 * a transaction and keeps the rest in the accounts of disputes, all disputes of one are within what
 * is settled of it, and each status is the one that was reported last. Empty when all hold.
 */
export async function auditDisputes(db: Db, of: Scope = ofAll): Promise<Finding[]> {
  const complete = await isComplete(db, 'events')
  const found: Finding[] = []
  const checks = [placed(of), moved(of), kept(of), within(of), reported(complete, of)]
  for (const check of checks) {
    found.push(...(await check.execute(db)).rows)
  }
  return found
}

/** `STATUS outcome setting` with its shares, each of the whole amount or of the part kept. */
const places = statuses.flatMap((status) =>
  (['WON', 'LOST', null] as const).flatMap((outcome) =>
    credits.map((credit) => placeIn(status, outcome, credit)),
  ),
)

function placeIn(
  status: DisputeStatus,
  outcome: Outcome | null,
  provisional_credit: ProvisionalCredit,
) {
  // 3 of which 1 was taken back: the places differ by 0, 2 and 3.
  const amounts = { amount: 3n, settled: 3n, represented: 1n, credited: 0n, recovered: 0n }
  const { credited, recovered } = placesOf({ status, outcome, provisional_credit, ...amounts })
  const key = `${status} ${outcome ?? 'OPEN'} ${provisional_credit}`
  return { key, credited: Number(credited), recovered: Number(recovered) }
}

const placed = (of: Scope) => sql<Finding>`
  select * from (
    select 'I4' as invariant, d.tenant_id, 'dispute ' || d.id as subject, case
      when d.credited <> case p.credited when 0 then 0 when 3 then d.amount
          else d.amount - d.represented end
        or d.recovered <> case p.recovered when 0 then 0 when 3 then d.amount
          else d.amount - d.represented end
        then 'is ' || d.status || ' with ' || d.amount || ', has credited ' || d.credited
          || ' and recovered ' || d.recovered
      when (d.status = any (${[...finalStatuses]}::text[])) and d.deadline is not null
        then 'is ' || d.status || ' and has a deadline'
      when d.moves -> -1 ->> 'status' <> d.status
        then 'is ' || d.status || ', its last step led to ' || (d.moves -> -1 ->> 'status')
      when t.id is not null and t.account_id <> d.account_id
        then 'is of account ' || d.account_id || ', its transaction of ' || t.account_id
    end as detail
    from disputes d
    left join transactions t on t.tenant_id = d.tenant_id and t.id = d.transaction_id
    left join json_to_recordset(${JSON.stringify(places)}::json)
      as p (key text, credited int, recovered int)
      on p.key = d.status || ' ' || coalesce(d.outcome, 'OPEN') || ' ' || d.provisional_credit
    where ${of('d')}
  ) d
  where detail is not null limit ${FINDINGS_MAX}`

/** The money of the cardholder, by the entries of the card account and of the program's loss. */
const moved = (of: Scope) => sql<Finding>`
  with compared as (
    select tenant_id, transaction_id, credited, recovered, 0::numeric as given, 0::numeric as got
    from disputes where ${of('disputes')}
    union all
    select tenant_id, transaction_id, 0, 0,
      case kind when 'DISPUTE_CREDIT' then amount when 'DISPUTE_CREDIT_REVERSAL' then -amount
        when 'DISPUTE_WRITE_OFF' then -amount else 0 end,
      case when kind = 'DISPUTE_CHARGEBACK' then amount
        when kind = 'DISPUTE_REPRESENTMENT' then -amount
        when kind = 'DISPUTE_EXCHANGE' and a.kind_of = 'DISPUTES' then amount
        when kind = 'DISPUTE_EXCHANGE' then -amount else 0 end
    from transfers f
    cross join lateral (select k.kind as kind_of from accounts k
      where k.tenant_id = f.tenant_id and k.id = f.credit_account_id) a
    where ${of('f')} and starts_with(f.kind, 'DISPUTE_')
  )
  select 'I4' as invariant, tenant_id, 'transaction ' || transaction_id as subject,
    'its disputes have credited ' || sum(credited) || ' and recovered ' || sum(recovered)
      || ', the ledger moved ' || sum(given) || ' and ' || sum(got) as detail
  from compared group by tenant_id, transaction_id
  having sum(credited) <> sum(given) or sum(recovered) <> sum(got)
  limit ${FINDINGS_MAX}`

/** Money between the two sides: got from the network and not with the cardholder, or ahead of it. */
const kept = (of: Scope) => sql<Finding>`
  select 'I4' as invariant, a.tenant_id, 'account ' || a.id as subject,
    'has ' || e.booked || ' ' || a.currency || ' of disputes, which have got '
      || coalesce(d.got, 0) || ' and credited ' || coalesce(d.given, 0) as detail
  from accounts a
  cross join lateral (select coalesce(sum(amount), 0) as booked from entries
    where tenant_id = a.tenant_id and account_id = a.id) e
  left join (select tenant_id, currency, sum(recovered) as got, sum(credited) as given
    from disputes where ${of('disputes')} group by tenant_id, currency) d
    on d.tenant_id = a.tenant_id and d.currency = a.currency
  where ${of('a')} and a.kind = 'DISPUTES'
    and e.booked <> coalesce(d.got, 0) - coalesce(d.given, 0)
  limit ${FINDINGS_MAX}`

/** The amount that dispute `d` takes of its transaction. */
const taken = sql`case when d.status = any (${[...finalStatuses]}::text[]) then d.credited
  else d.amount end`

/**
 * A refund that came later may leave less; the part charged back by then is not above the rest. Nor
 * is it of a payment whose posting was reversed later, which leaves nothing of what was cleared.
 */
const within = (of: Scope) => sql<Finding>`
  select 'I4' as invariant, t.tenant_id, 'transaction ' || t.id as subject,
    'has cleared ' || t.cleared_amount || ', its disputes are about ' || sum(${taken}) as detail
  from transactions t
  join disputes d on d.tenant_id = t.tenant_id and d.transaction_id = t.id
  cross join lateral json_to_record(t.details) as x (events json)
  where ${of('t')} and ${of('d')} and not exists (
    select from json_array_elements(x.events) with ordinality as c (event, at)
    join json_array_elements(x.events) with ordinality as r (event, at) on r.at > c.at
    where c.event ->> 'type' = 'CLEARED' and r.event ->> 'type' = 'REVERSED')
  group by t.tenant_id, t.id, t.cleared_amount
  having sum(${taken}) > t.cleared_amount
  limit ${FINDINGS_MAX}`

/** Once old events were dropped, a dispute without any is not found. */
const reported = (complete: boolean, of: Scope) => sql<Finding>`
  with reported as (
    select tenant_id, object_id,
      (array_agg(payload #>> '{dispute_status_change,new_status}'
        order by sequence desc))[1] as status
    from events where ${of('events')} and event = 'DISPUTE_STATUS_CHANGE'
    group by tenant_id, object_id
  )
  select 'I6' as invariant, d.tenant_id, 'dispute ' || d.id as subject,
    'is ' || d.status || ', and was reported to be ' || coalesce(r.status, 'nothing') as detail
  from disputes d
  left join reported r on r.tenant_id = d.tenant_id and r.object_id = d.id
  where ${of('d')} and d.status is distinct from
    case when ${complete} then r.status else coalesce(r.status, d.status) end
  limit ${FINDINGS_MAX}`
