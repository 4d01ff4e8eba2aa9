/**
 * The agreement of the rows of orders, operations and checkouts with themselves and each other
 * (I4).
 */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import { tenantNow } from '#kit/clock.ts'
import { currencyCodes, exponentOf, numericOf } from '#lib/currency.ts'
import { REMINDER_HOURS } from './rules/deadline.ts'

/** Longer than a lease, the wait before the next sending, and the difference of clocks. */
const SOON = sql`interval '15 minutes'`
/** More than the time from the reading of a merchant to the COMMIT of rows made by it. */
const DECIDED_WITHIN = sql`interval '1 minute'`
/** The most that a merchant's `capture_window_days` may be. */
const WINDOW_DAYS_MAX = 30
const LIFE_DAYS = 1
const [FIRST_HOURS, SECOND_HOURS] = REMINDER_HOURS

/** Ten-thousandths of a major unit in a minor unit of currency `of`. */
const unitOf = (of: string) => sql`case
  ${sql.join(
    [0, 3, 4].map((digits) => {
      const codes = currencyCodes.filter((code) => exponentOf(code) === digits)
      return sql`when ${sql.ref(of)} = any (${codes}::text[]) then ${10 ** (4 - digits)}::int`
    }),
    sql` `,
  )} else 100 end`

/** DE49 of a currency. */
const numericOfCurrency = (of: string) => sql`
  ${JSON.stringify(Object.fromEntries(currencyCodes.map((code) => [code, numericOf(code)])))}::jsonb
    ->> ${sql.ref(of)}`

/** Whether merchant `m` was never changed, or not since then. */
const isAsItWas = (then: string) => sql`(m.modified = m.created
  or m.modified < ${sql.ref(then)} - ${DECIDED_WITHIN})`

export const orderRows = sql<Finding>`
  select * from (
    select 'I4' as invariant, o.tenant_id, 'order ' || o.id as subject, case
      when o.status = 'OPENED' and not o.released and p.id is null and case
          when o.due is null then true
          when o.reminders < ${REMINDER_HOURS.length}::int then o.due <> o.capture_expiration
            - case o.reminders when 0 then ${FIRST_HOURS}::int else ${SECOND_HOURS}::int end
              * interval '1 hour'
          else o.due < o.capture_expiration
            or (o.due <> o.capture_expiration and o.due > ${tenantNow} + ${SOON}) end
        then 'is open until ' || o.capture_expiration || ' after ' || o.reminders
          || ' reminders, and due ' || coalesce(o.due::text, 'never')
      when o.due is not null and (o.status = 'COMPLETED' or o.released)
        then 'is closed and due at ' || o.due
      when o.capture_expiration <= o.created
          or o.capture_expiration > o.created + ${WINDOW_DAYS_MAX}::int * interval '24 hours'
          or (o.capture_expiration <> o.created + m.capture_window_days * interval '24 hours'
            and ${isAsItWas('o.created')})
        then 'is of ' || o.created || ' and can be captured until ' || o.capture_expiration
      when o.deadline_policy <> m.deadline_policy and ${isAsItWas('o.created')}
        then 'has the policy ' || o.deadline_policy || ', its merchant ' || m.deadline_policy
      when o.partial_captures <> m.partial_captures and ${isAsItWas('o.created')}
        then 'may be captured in parts: ' || o.partial_captures || ', at its merchant '
          || m.partial_captures
      when (a.fields ->> '4')::bigint <> o.authorized
          or a.fields ->> '49' <> ${numericOfCurrency('o.currency')}
        then 'is of ' || o.authorized || ' ' || o.currency || ', its payment of '
          || (a.fields ->> '4') || ' in ' || (a.fields ->> '49')
      when (c.amount, c.total, c.currency) is distinct from (o.authorized, o.total, o.currency)
          and c.id is not null
        then 'is of ' || o.authorized || ' ' || o.currency || ', its checkout of ' || c.amount
          || ' ' || c.currency
      when abs(o.authorized * ${unitOf('o.currency')} - o.total) * 2 > ${unitOf('o.currency')}
        then 'is of ' || o.authorized || ' on the card, and its total of ' || o.total
      when m.id is null then 'is of merchant ' || o.merchant_id || ', which does not exist'
    end as detail
    from orders o
    join tenants t on t.id = o.tenant_id
    left join merchants m on m.id = o.merchant_id and m.tenant_id = o.tenant_id
    left join acquirer_messages a on a.tenant_id = o.tenant_id and a.id = o.authorization_id
    left join checkouts c on c.tenant_id = o.tenant_id and c.merchant_id = o.merchant_id
      and c.reference = o.reference and c.status = 'PAID'
    left join order_operations p on p.tenant_id = o.tenant_id and p.order_id = o.id
      and p.status = 'PENDING' and p.at_deadline
  ) o
  where detail is not null limit ${FINDINGS_MAX}`

/**
 * A percentage of a fee is rounded half-even; the results of both directions are accepted at a tie.
 */
export const operationRows = sql<Finding>`
  select * from (
    select 'I4' as invariant, p.tenant_id, 'operation ' || p.id as subject, case
      when p.status = 'PENDING' and (p.due > ${tenantNow} + ${SOON}
          or (p.due is null and (p.type = 'CAPTURE' or not p.in_doubt)))
        then 'is PENDING and due ' || coalesce(p.due::text, 'never')
      when p.status <> 'PENDING' and p.due is not null then 'is ' || p.status || ' and due'
      when p.status <> 'PENDING' and p.in_doubt then 'is ' || p.status || ' and in doubt'
      when (p.status = 'SUCCESS') <> (p.booked is not null) then 'is ' || p.status
        || ' and booked ' || coalesce(p.booked::text, 'never')
      when p.booked < p.created or p.booked > ${tenantNow} + ${SOON}
        then 'was requested at ' || p.created || ' and booked at ' || p.booked
      when (p.booked is not null) <> (num_nonnulls(p.payable, p.payout_id) = 1)
          or p.payable <> (date_trunc('day', p.booked at time zone 'UTC') + interval '1 day')
            at time zone 'UTC'
        then 'was booked ' || coalesce('at ' || p.booked, 'never') || ' and is paid out from '
          || coalesce(p.payable::text, 'no time')
      when y.day <> to_char(p.booked at time zone 'UTC', 'YYYY-MM-DD')
        then 'was booked at ' || p.booked || ', and is in a payout of ' || y.day
      when a.authorization_id <> o.authorization_id or a.issuer is distinct from p.issuer
          or a.mti <> case p.type when 'CAPTURE' then '0220' else '0200' end
          or (a.fields ->> '4')::bigint <> p.amount
        then 'is a ' || p.type || ' of ' || p.amount || ' at ' || coalesce(p.issuer, 'the issuer')
          || ', its message a ' || a.mti || ' of ' || (a.fields ->> '4') || ' at '
          || coalesce(a.issuer, 'the issuer')
      when abs(p.amount * ${unitOf('p.currency')} - p.total) > 2 * ${unitOf('p.currency')}
        then 'is of ' || p.amount || ' on the card, and its total of ' || p.total
      when ${isAsItWas('p.created')} and case p.type when 'REFUND' then p.fee <> f.refund_fee
          else abs((p.fee - f.fixed) * 1000000 - p.amount * f.percent) * 2 > 1000000 end
        then 'is a ' || p.type || ' of ' || p.amount || ' with a fee of ' || p.fee
          || ', which its merchant does not have'
    end as detail
    from order_operations p
    join tenants t on t.id = p.tenant_id
    join orders o on o.tenant_id = p.tenant_id and o.id = p.order_id
    left join merchants m on m.id = p.merchant_id and m.tenant_id = p.tenant_id
    left join acquirer_messages a on a.tenant_id = p.tenant_id and a.id = p.message_id
    left join payouts y on y.tenant_id = p.tenant_id and y.id = p.payout_id
    cross join lateral (select coalesce(max((s ->> 'fixed')::bigint), 0) as fixed,
        coalesce(max((s ->> 'percent')::bigint), 0) as percent,
        coalesce(max((s ->> 'refund_fee')::bigint), 0) as refund_fee
      from jsonb_array_elements(m.fees) s where s ->> 'currency' = p.currency) f
  ) p
  where detail is not null limit ${FINDINGS_MAX}`

export const checkoutRows = sql<Finding>`
  select * from (
    select 'I4' as invariant, c.tenant_id, 'checkout ' || c.id as subject, case
      when (c.status in ('OPEN', 'PAYING') and not c.in_doubt) <> (c.due is not null)
          or (c.status = 'OPEN' and c.due <> c.expires)
          or (c.status = 'PAYING' and c.due > ${tenantNow} + ${SOON})
        then 'is ' || c.status || ' until ' || c.expires || ' and due '
          || coalesce(c.due::text, 'never')
      when c.expires > c.created + ${LIFE_DAYS}::int * interval '24 hours'
        then 'is of ' || c.created || ' and open until ' || c.expires
      when (c.status = 'PAYING') <> (c.message_id is not null)
        then 'is ' || c.status || ' by message ' || coalesce(c.message_id::text, 'none')
      when c.in_doubt and c.status <> 'PAYING' then 'is ' || c.status || ' and in doubt'
      when (a.fields ->> '4')::bigint <> c.amount or a.mti <> '0100'
          or a.fields ->> '49' <> ${numericOfCurrency('c.currency')}
        then 'is of ' || c.amount || ' ' || c.currency || ', its payment of ' || (a.fields ->> '4')
          || ' in ' || (a.fields ->> '49')
      when c.request ->> 'currency' is distinct from c.currency
          or (c.request ->> 'total')::numeric * 10000 is distinct from c.total
        then 'is of ' || c.total || ' ' || c.currency || ', its request of '
          || coalesce(c.request ->> 'total', 'none') || ' '
          || coalesce(c.request ->> 'currency', 'none')
      when abs(c.amount * ${unitOf('c.currency')} - c.total) * 2 > ${unitOf('c.currency')}
        then 'is of ' || c.amount || ' on the card, and its total of ' || c.total
    end as detail
    from checkouts c
    join tenants t on t.id = c.tenant_id
    left join acquirer_messages a on a.tenant_id = c.tenant_id and a.id = c.message_id
  ) c
  where detail is not null limit ${FINDINGS_MAX}`
