/**
 * The agreement of the rows of charges, and of the months of cards, with themselves and other rows
 * (I4).
 */

import { type RawBuilder, sql } from 'kysely'
import { CLOCKS, FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import { tenantNow } from '#kit/clock.ts'
import { RETRY_MS } from './rules.ts'

/** More than the time from the reading of a product to the COMMIT of rows made by it. */
const DECIDED_WITHIN = sql`interval '1 minute'`

/**
 * Whether product `p` has the charges that it had then: it was never changed since it was made (the
 * first card raises its version once), or not since then.
 */
const isAsItWas = (then: RawBuilder<unknown>) => sql`(
  p.version = case p.status when 'ACTIVE' then 2 else 1 end
  or p.modified < ${then} - ${DECIDED_WITHIN})`

/** The setting of product `p` for the type of charge, as row `s`. */
const settingOf = (type: RawBuilder<unknown>) => sql`lateral (
  select (s ->> 'amount')::bigint as amount, (s ->> 'percent')::numeric as percent
  from jsonb_array_elements(p.charges) s where s ->> 'type' = ${type}) s`

/** The first fault of each charge: a wrong time, a wrong owner, or a wrong amount. */
export const charged = (complete: boolean) => sql<Finding>`
  select * from (
    select 'I4' as invariant, c.tenant_id, 'charge ' || c.id as subject, case
      when (c.status = 'PENDING' and c.due is null)
          or (c.status in ('REVERSED', 'CANCELED') and c.due is not null)
          or x.status is distinct from 'VOIDED' and c.due > ${tenantNow} + ${CLOCKS}
            + case c.status when 'PENDING'
            then ${RETRY_MS}::float8 * interval '1 millisecond' else interval '0' end
        then 'is ' || c.status || ' and due ' || coalesce(c.due::text, 'never')
      when (c.applied is null) <> (c.transfer_id is null)
          and x.status is distinct from 'VOIDED' then 'was taken by transfer '
        || coalesce(c.transfer_id::text, 'none') || ' at ' || coalesce(c.applied::text, 'no time')
      when c.applied <> m.created
        then 'was taken at ' || c.applied || ', its transfer is of ' || m.created
      when m.id is not null and m.transaction_id is distinct from c.transaction_id
        then 'is of transaction ' || coalesce(c.transaction_id::text, 'none')
          || ', its transfer of ' || coalesce(m.transaction_id::text, 'none')
      when a.id is null or c.currency <> a.currency
        then 'is in ' || c.currency || ' of account ' || coalesce(a.id || ' in ' || a.currency,
          c.account_id || ', which does not exist')
      when c.card_id is not null and k.account_id is distinct from c.account_id
        then 'is of account ' || c.account_id || ', its card of '
          || coalesce(k.account_id::text, 'none')
      when x.id is not null and x.card_id is distinct from c.card_id
        then 'is of card ' || coalesce(c.card_id::text, 'none') || ', its transaction of '
          || coalesce(x.card_id::text, 'none')
      when ${complete} and c.transaction_id is not null and x.id is null
        then 'is of transaction ' || c.transaction_id || ', which does not exist'
      when x.account_id <> c.account_id
        then 'is of account ' || c.account_id || ', its transaction of ' || x.account_id
      when s.amount <> c.amount and ${isAsItWas(sql`coalesce(b.created, x.created, c.created)`)}
        then 'is ' || c.amount || ', the product charges ' || s.amount
      when s.percent is not null and ${isAsItWas(sql`coalesce(x.created, c.created)`)}
        and not exists (select from transfers f where f.tenant_id = c.tenant_id
          and f.transaction_id = c.transaction_id and f.debit_account_id = c.account_id
          and abs(f.amount * s.percent / 1000000 - c.amount) < 1)
        then 'is ' || c.amount || ', the product charges ' || s.percent
          || ' millionths of a posting of the transaction'
    end as detail
    from charges c
    join tenants t on t.id = c.tenant_id
    left join accounts a on a.tenant_id = c.tenant_id and a.id = c.account_id
    left join transfers m on m.tenant_id = c.tenant_id and m.id = c.transfer_id
    left join transactions x on x.tenant_id = c.tenant_id and x.id = c.transaction_id
    left join cards k on k.tenant_id = c.tenant_id and k.id = c.card_id
    left join bulk_issuances b on b.tenant_id = k.tenant_id and b.id = k.bulk_issuance_id
    left join card_products p on p.tenant_id = k.tenant_id and p.id = k.card_product_id
    left join ${settingOf(sql`c.type`)} on true
  ) c
  where detail is not null limit ${FINDINGS_MAX}`

/** A card is charged once for its issuing or its replacement, if it had an account. */
export const chargedCards = sql<Finding>`
  with counted as (
    select tenant_id, card_id, type, count(*) as number from charges
    where type in ('ISSUING', 'REPLACEMENT') and card_id is not null
    group by tenant_id, card_id, type
  )
  select 'I4' as invariant, k.tenant_id, 'card ' || k.id as subject,
    'has ' || coalesce(n.number, 0) || ' charges of its ' || y.type as detail
  from cards k
  cross join lateral (select case when k.reference_card_id is null then 'ISSUING'
    else 'REPLACEMENT' end as type) y
  join card_products p on p.tenant_id = k.tenant_id and p.id = k.card_product_id
  join accounts a on a.tenant_id = k.tenant_id and a.id = k.account_id
  left join bulk_issuances b on b.tenant_id = k.tenant_id and b.id = k.bulk_issuance_id
  left join counted n on n.tenant_id = k.tenant_id and n.card_id = k.id and n.type = y.type
  left join ${settingOf(sql`y.type`)} on true
  where n.number > 1 or (n.number is null and s.amount > 0 and k.reference_card_id is null
    and p.link_account_to_card and ${isAsItWas(sql`coalesce(b.created, k.created)`)})
  limit ${FINDINGS_MAX}`

/**
 * Postings of cash and of another currency were charged for, as often as they were posted, and a
 * fixed charge once. A posting that was reversed since, or is due to be, does not count.
 */
export const chargedPostings = sql<Finding>`
  with counted as (
    select tenant_id, transaction_id, type, count(*) as number from charges
    where transaction_id is not null and (status = 'PENDING' or (status = 'APPLIED' and due is
      null))
    group by tenant_id, transaction_id, type
  ), posted as (
    select tenant_id, transaction_id, debit_account_id as account_id, count(*) as number
    from transfers
    where transaction_id is not null and kind not in ('CHARGE', 'FX_DIFFERENCE', 'REVERSAL')
    group by tenant_id, transaction_id, debit_account_id
  )
  select 'I4' as invariant, x.tenant_id, 'transaction ' || x.id as subject,
    'has ' || coalesce(n.number, 0) || ' charges for ' || y.type || ', and was posted '
      || coalesce(o.number, 0) || ' times' as detail
  from transactions x
  cross join lateral json_to_record(x.details) as d (billing_currency text, charged boolean)
  cross join (values ('CASH_WITHDRAWAL'), ('FOREIGN_CURRENCY')) as y (type)
  join cards k on k.tenant_id = x.tenant_id and k.id = x.card_id
  join card_products p on p.tenant_id = k.tenant_id and p.id = k.card_product_id
  left join counted n on n.tenant_id = x.tenant_id and n.transaction_id = x.id and n.type = y.type
  left join posted o on o.tenant_id = x.tenant_id and o.transaction_id = x.id
    and o.account_id = x.account_id
  left join ${settingOf(sql`y.type`)} on true
  where n.number > coalesce(o.number, 0)
    or (n.number > 1 and s.amount is not null and ${isAsItWas(sql`x.created`)})
    or (n.number is null and x.cleared_amount > 0 and ${isAsItWas(sql`x.created`)}
      and not exists (select from charges c where c.tenant_id = x.tenant_id
        and c.transaction_id = x.id and c.type = y.type)
      and (s.amount > 0 or s.percent * x.cleared_amount >= 1000000 * coalesce(o.number, 1))
      and case y.type
        when 'CASH_WITHDRAWAL' then x.transaction_type in ('WITHDRAWAL', 'CASH_DISBURSEMENT',
          'UNLOAD')
        else d.billing_currency <> x.currency and x.transaction_type not in ('REFUND', 'DEPOSIT',
          'LOAD', 'ORIGINAL_CREDIT', 'PAYMENT') end)
  limit ${FINDINGS_MAX}`

/** The months of cards whose product charges each month. */
export const chargedMonths = sql<Finding>`
  with taken as (
    select tenant_id, card_id, count(*) as number, max(month) as last from charges
    where month is not null group by tenant_id, card_id
  )
  select * from (
    select 'I4' as invariant, k.tenant_id, 'card ' || k.id as subject, case
      when m.card_id is null then 'is charged each month by its product, and no month is next'
      when m.due::date - (m.issued::date + m.month * interval '1 month')::date not between -1 and 1
        then 'is charged for its month ' || m.month || ' since ' || m.issued || ' at ' || m.due
      when m.due > ${tenantNow} + interval '33 days'
        then 'is charged for its month ' || m.month || ' next, at ' || m.due
      when abs(m.issued::date - k.created::date) > 1
        then 'was issued at ' || k.created || ', its months are counted from ' || m.issued
      when m.ends is not null and k.status <> 'TERMINATED'
        then 'is ' || k.status || ', its months end at ' || m.ends
      when coalesce(n.number, 0) <> m.month - 1 and k.account_id is not null
        and p.link_account_to_card and s.amount > 0 and ${isAsItWas(sql`k.created`)}
        then 'was charged for ' || coalesce(n.number, 0) || ' months, and the next one is '
          || m.month
    end as detail
    from cards k
    join tenants t on t.id = k.tenant_id
    join card_products p on p.tenant_id = k.tenant_id and p.id = k.card_product_id
    left join bulk_issuances b on b.tenant_id = k.tenant_id and b.id = k.bulk_issuance_id
    left join monthly_charges m on m.tenant_id = k.tenant_id and m.card_id = k.id
    left join taken n on n.tenant_id = k.tenant_id and n.card_id = k.id
    left join ${settingOf(sql`'MONTHLY'`)} on true
    where m.month > coalesce(n.last, 0) or (m.card_id is null and s.amount > 0
      and k.status <> 'TERMINATED' and k.valid_until > ${tenantNow}
      and ${isAsItWas(sql`coalesce(b.created, k.created)`)})
  ) k
  where detail is not null limit ${FINDINGS_MAX}`
