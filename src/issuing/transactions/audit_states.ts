/** The state of a card transaction after its last event (I4). */

import { type RawBuilder, sql } from 'kysely'
import { FINDINGS_MAX, type Finding, type Scope } from '#kit/audit.ts'
import { FUEL_MCC } from './rules.ts'

/** Types that debit the cardholder, and may be held. */
const debits = [
  ...['PURCHASE', 'WITHDRAWAL', 'CASH_BACK', 'ACCOUNT_FUNDING', 'QUASI_CASH'],
  ...['CASH_DISBURSEMENT', 'UNLOAD', 'TRANSFER'],
]

/** By an event, from which status to which others. NEW is before the first. */
const STEPS = {
  AUTHORIZED: [
    'NEW>PENDING,SETTLED',
    'PENDING>PENDING,SETTLED',
    'SETTLED>SETTLED',
    'EXPIRED>EXPIRED',
  ],
  DECLINED: ['NEW>DECLINED'],
  INCREMENTED: ['PENDING>PENDING,SETTLED', 'SETTLED>PENDING,SETTLED'],
  CLEARED: ['NEW>SETTLED', 'PENDING>PENDING,SETTLED', 'SETTLED>SETTLED', 'EXPIRED>SETTLED'],
  REVERSED: [
    'PENDING>PENDING,SETTLED,VOIDED',
    'SETTLED>PENDING,SETTLED,VOIDED',
    'EXPIRED>EXPIRED,VOIDED',
  ],
  REFUNDED: ['PENDING>PENDING', 'SETTLED>SETTLED'],
  REFUND_REVERSED: ['PENDING>PENDING', 'SETTLED>SETTLED'],
  RELEASED: ['PENDING>SETTLED'],
  EXPIRED: ['PENDING>EXPIRED'],
} as const

/** `AUTHORIZED NEW>PENDING`. */
const steps = Object.entries(STEPS).flatMap(([event, ways]) =>
  ways.flatMap((way) => {
    const [from = '', to = ''] = way.split('>')
    return to.split(',').map((status) => `${event} ${from}>${status}`)
  }),
)

/** A value that is no object has no members, rather than no record. */
const stateIn = (of: RawBuilder<unknown>) =>
  sql`case json_typeof(${of}) when 'object' then ${of} else '{}' end`

/**
 * The status and the amount follow from the last event and the state before it, which is stored
 * with the event before. `e` is the last event, `b` the state before, `f` the amounts in the
 * transaction's own currency. Only what was presented before it came is neither held nor cleared;
 * such an authorization names the presentment; and the first presentment of a fuel pump ends its
 * hold (D-1036). A hold that its account does not know is found
 * there.
 */
export const followed = (of: Scope) => sql<Finding>`
  with known as (
    select tenant_id, account_id, sum(amount) as held from open_holds
    where ${of('open_holds')} group by tenant_id, account_id
  )
  select * from (
    select 'I4' as invariant, t.tenant_id, 'transaction ' || t.id as subject, case
      when e.type || ' ' || coalesce(b.status, 'NEW') || '>' || t.status <> all (${steps}::text[])
        then 'is ' || t.status || ', and was ' || e.type || ' last'
          || coalesce(', when it was ' || b.status, '')
      when t.status = 'VOIDED' and t.amount <> b.amount
        then 'is VOIDED, and of its amount of ' || b.amount || ' remained ' || t.amount
      when t.status = 'SETTLED' and e.type = 'REVERSED' and m.cleared = 0 and t.cleared_amount = 0
          and d."foreign" is null and (m.link is null or not m.is_held)
        then 'is SETTLED, and was reversed with nothing cleared'
      when m.is_held and m.link is null and t.status in ('PENDING', 'SETTLED') and not m.has_ended
          and (d."foreign" is null or t.status = 'PENDING')
          and coalesce(a.held, 0) = coalesce(k.held, 0)
          and m.held <> case when m.is_fuel and m.cleared > 0 then 0
            else greatest(t.amount - m.cleared, 0) end
        then 'is ' || t.status || ' and holds ' || m.held || ', ' || m.cleared || ' of '
          || t.amount || ' is cleared'
      when case e.type
          when 'INCREMENTED' then t.amount <> b.amount + e.amount - coalesce(e.presented, 0)
          when 'REVERSED' then t.status <> 'VOIDED' and case
            when e.of_completion then t.amount > b.amount
            when e.stays is not null then t.amount <> least(b.amount, e.stays)
            else t.amount <> b.amount - e.amount end
          else t.amount <> coalesce(b.amount, e.amount) end
        then 'is of ' || t.amount || ', and was ' || e.type || ' by ' || e.amount || ' last'
          || coalesce(', when it was of ' || b.amount, '')
    end as detail
    from transactions t
    cross join lateral json_to_record(t.details) as d (message_type text, events json,
      "foreign" json, reference_transaction_id uuid, merchant json)
    cross join lateral json_to_record(${stateIn(sql`d.events -> -1`)}) as e (type text,
      amount bigint, stays bigint, presented bigint, of_completion boolean)
    left join lateral json_to_record(
      ${stateIn(sql`d.events -> -2 -> 'after'`)}) as b (status text, amount bigint)
      on b.status is not null
    cross join lateral (
      select coalesce((d."foreign" ->> 'held')::bigint, t.held) as held,
        coalesce((d."foreign" ->> 'cleared')::bigint, t.cleared_amount) as cleared,
        d.reference_transaction_id as link,
        d.message_type in ('0100', '0120') and t.transaction_type = any (${debits}::text[])
          as is_held,
        coalesce(d.merchant ->> 'mcc' = ${FUEL_MCC}, false) as is_fuel,
        exists (select from json_array_elements(d.events) h
          where h ->> 'type' in ('EXPIRED', 'RELEASED')) as has_ended
    ) m
    left join accounts a on a.tenant_id = t.tenant_id and a.id = t.account_id and ${of('a')}
    left join known k on k.tenant_id = t.tenant_id and k.account_id = t.account_id
    where ${of('t')} and (b.status is not null or json_array_length(d.events) = 1)
  ) t
  where detail is not null limit ${FINDINGS_MAX}`
