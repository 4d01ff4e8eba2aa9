/** The invariants of card transactions (I4, I6), checked over a whole database. */

import { sql } from 'kysely'
import { eventsOfRow } from '#events/event_batches.ts'
import { oldestEvent } from '#events/events_audit.ts'
import { FINDINGS_MAX, type Finding, ofAll, type Scope } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'
import { auditBelongings } from './audit_belongings.ts'
import { auditHistory } from './audit_history.ts'
import { followed } from './audit_states.ts'
import { transactionEvents } from './events.ts'
import { credits } from './rules.ts'

/**
 * The cleared sum is not less than the refunded one. The cleared amount, and the amount that the
 * card network got for it, equal the movements of the ledger, in their direction and at their
 * account. The refunded amount is the sum of the refunds; each row agrees with itself, its card,
 * its account and the rates; and each event was reported once. For a transaction older than all
 * stored events, only its newest one is expected, if any is stored. Empty when all is well.
 */
export async function auditTransactions(db: Db, of: Scope = ofAll): Promise<Finding[]> {
  const complete = await isComplete(db, 'transactions')
  const found: Finding[] = []
  for (const check of [moved(complete, of), refunded(of), agreed(of), numbered(complete, of)]) {
    found.push(...(await check.execute(db)).rows)
  }
  found.push(...(await auditBelongings(db, complete, of)), ...(await auditHistory(db, of)))
  // A transaction that contradicts more than its last event is found once.
  const known = new Set(found.map(({ subject }) => subject))
  const { rows } = await followed(of).execute(db)
  return [...found, ...rows.filter(({ subject }) => !known.has(subject))]
}

/**
 * Both sides are grouped rather than joined, which takes as long with any plan. The entries of the
 * settlement include FX_DIFFERENCE (D-457). A posted amount has the sign of the account: a debit is
 * negative. Transfers of a transaction that was dropped have no other side, and are left out.
 */
const moved = (complete: boolean, of: Scope) => sql<Finding>`
  with compared as (
    select tenant_id, id, cleared_amount, refunded_amount,
      coalesce((details #>> '{foreign,settled}')::bigint, cleared_amount) as settled,
      case when transaction_type = any (${credits}::text[]) then 1 else -1 end as way, account_id,
      transaction_type as kind, null::bigint as paid, null::bigint as back, null::bigint as got
    from transactions where ${of('transactions')}
    union all
    select e.tenant_id, e.transaction_id, null, null, null, null,
      case a.kind when 'CARD' then e.account_id end,
      case when e.kind not in ('CLEARING', 'REVERSAL', 'FX_DIFFERENCE') then e.kind end,
      case a.kind when 'CARD' then e.amount end,
      case when a.kind = 'CARD' and e.kind = 'REVERSAL' then e.amount end,
      case a.kind when 'SETTLEMENT' then e.amount end
    from entries e
    join accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id
      and a.kind in ('CARD', 'SETTLEMENT')
    where ${of('e')} and ${of('a')} and e.transaction_id is not null
      and e.kind not in ('CHARGE', 'CHARGE_REVERSAL') and not starts_with(e.kind, 'DISPUTE_')
  ), summed as (
    select tenant_id, id, max(cleared_amount) as cleared, max(refunded_amount) as refunded,
      max(settled) as settled, max(way) as way, coalesce(sum(paid), 0) as paid,
      coalesce(sum(back), 0) as back, coalesce(sum(got), 0) as got,
      min(account_id::text) as account_id, max(account_id::text) as other_account_id,
      min(kind) as kind, max(kind) as other_kind
    from compared group by tenant_id, id
  )
  select 'I4' as invariant, tenant_id, 'transaction ' || id as subject, case
    when cleared is null then 'does not exist, and the ledger moved ' || paid || ' for it'
    when account_id <> other_account_id then 'and its transfers are of the accounts '
      || account_id || ' and ' || other_account_id
    when kind <> other_kind then 'and its transfers are of the types ' || kind || ' and '
      || other_kind
    else 'has cleared ' || cleared || ', refunded ' || refunded || ' and settled ' || settled
      || '; the ledger moved ' || paid || ' at the account, ' || back || ' of it by reversals, and '
      || got || ' at the settlement' end as detail
  from summed
  where refunded > cleared or cleared * way <> paid or settled * way <> -got
    or back * way > 0 or (paid - back) * way < 0
    or account_id <> other_account_id or kind <> other_kind
    or (${complete} and cleared is null)
  limit ${FINDINGS_MAX}`

/** Refunds are newer than their purchase, so they are there as long as it is. */
const refunded = (of: Scope) => sql<Finding>`
  with compared as (
    select tenant_id, id, refunded_amount as kept,
      (details #>> '{foreign,refunded}')::bigint as kept_own,
      null::bigint as amount, null::bigint as own
    from transactions where ${of('transactions')}
    union all
    select tenant_id, (details ->> 'reference_transaction_id')::uuid, null, null, cleared_amount,
      coalesce((details #>> '{foreign,cleared}')::bigint, cleared_amount)
    from transactions
    where ${of('transactions')} and transaction_type = 'REFUND' and status <> 'DECLINED'
      and details ->> 'reference_transaction_id' is not null
  ), summed as (
    select tenant_id, id, max(kept) as kept, max(kept_own) as kept_own,
      coalesce(sum(amount), 0) as amount, coalesce(sum(own), 0) as own
    from compared group by tenant_id, id
  )
  select 'I4' as invariant, tenant_id, 'transaction ' || id as subject,
    'has ' || kept || coalesce(' (' || kept_own || ' in its own currency)', '')
      || ' refunded, the refunds that name it sum to ' || amount || ' (' || own || ')' as detail
  from summed where kept <> amount or kept_own <> own
  limit ${FINDINGS_MAX}`

/**
 * The agreement of the members of one row, the first fault of each. `d` and `f` read the JSON once;
 * `f` are the amounts in the transaction's own currency.
 */
const agreed = (of: Scope) => sql<Finding>`
  select * from (
    select 'I4' as invariant, t.tenant_id, 'transaction ' || t.id as subject, case
      when t.status = 'PENDING' and t.held = 0 then 'is PENDING and holds nothing'
      when t.held > coalesce(d.billing_amount, t.amount) then 'holds ' || t.held || ' of '
        || coalesce(d.billing_amount, t.amount) || ' that is authorized'
      when d.billing_currency = t.currency and d.billing_amount <> t.amount then 'its amount is '
        || t.amount || ', in the currency of the account ' || d.billing_amount
      when (t.held > 0) <> (f.held > 0) or f.held < 0 then 'holds ' || t.held
        || ', in its own currency ' || f.held
      when f.cleared < f.refunded or f.refunded < 0 or f.settled < 0
          or (f.cleared = 0 and (t.cleared_amount > 0 or f.settled > 0))
        then 'has in its own currency cleared ' || f.cleared || ' and refunded ' || f.refunded
          || ', and settled ' || f.settled
      when t.cleared_amount > 0 and coalesce(f.cleared, t.cleared_amount) <> t.amount
          and (d.message_type in ('0200', '0220') or t.transaction_type = any (${credits}::text[]))
        then 'has cleared ' || coalesce(f.cleared, t.cleared_amount) || ' of its amount '
          || t.amount
      when t.withdrawn and t.status <> 'VOIDED' and not exists (
          select from json_array_elements(d.events) e where e ->> 'type' = 'REVERSED')
        then 'its repeats are declined, and it was not reversed'
      when t.status = 'VOIDED' and t.message_key is not null and not t.withdrawn
          and d.message_type in ('0100', '0200')
        then 'was reversed, and its repeats are answered as approved'
      when t.held + t.cleared_amount > 0 and (t.account_id is null or t.card_id is null)
        then 'holds ' || t.held || ' and has cleared ' || t.cleared_amount || ' of no account'
      when t.status = 'DECLINED' and t.status_code in ('0000', '0001', '0002', '0003', '0885')
        then 'is DECLINED with the code ' || t.status_code
      when t.created <> (d.events -> 0 ->> 'created')::timestamptz then 'is of ' || t.created
        || ', its first event of ' || (d.events -> 0 ->> 'created')
      when split_part(t.message_key, '|', case when starts_with(t.message_key, 'UNSENT|') then 6
          else 5 end) <> coalesce(t.rrn, '') then 'has the retrieval '
        || 'reference ' || coalesce(t.rrn, 'none') || ', its message ' || t.message_key
      when t.sequence <> json_array_length(d.events) then 'counts ' || t.sequence
        || ' things that happened, and has ' || json_array_length(d.events)
    end as detail
    from transactions t
    cross join lateral json_to_record(t.details) as d (message_type text, billing_amount bigint,
      billing_currency text, "foreign" json, events json)
    left join lateral json_to_record(d."foreign") as f (held bigint, cleared bigint,
      refunded bigint, settled bigint) on d."foreign" is not null
    where ${of('t')}
  ) t
  where detail is not null limit ${FINDINGS_MAX}`

/** A transaction that was deleted is known by its events, until old ones are dropped. */
const numbered = (complete: boolean, of: Scope) => sql<Finding>`
  with compared as (
    select tenant_id, id, sequence as happened, null::bigint as reported
    from transactions where ${of('transactions')}
    union all
    select r.tenant_id, e.object_id, null, e.sequence
    from events r cross join ${eventsOfRow}
    where ${of('r')} and r.event = any (${transactionEvents.map(({ event }) => event)}::text[])
  ), counted as (
    select tenant_id, id, max(happened) as happened, count(reported) as events,
      max(reported) as newest
    from compared group by tenant_id, id
  )
  select 'I6' as invariant, x.tenant_id, 'transaction ' || x.id as subject, case
    when x.happened is null then 'does not exist, and ' || x.events || ' events of it were reported'
    else x.happened || ' things happened to it, ' || x.events || ' were reported' end as detail
  from counted x
  join tenants t on t.id = x.tenant_id
  left join ${oldestEvent(of)} on true
  where (${complete} and x.happened is null)
    or x.happened <> case when x.id >= oldest.id then x.events else x.newest end
  limit ${FINDINGS_MAX}`
