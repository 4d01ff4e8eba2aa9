/** The invariants of the books (I1, I2), read by `bezant doctor` from any database. */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Context } from '#kit/context.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'
import { waysInAudit } from './rules/ways.ts'

/**
 * Checks every tenant's books: money is neither made nor lost (I1), and the stored sums of accounts
 * agree with their entries and open holds and stay above their floors (I2). Each check is one
 * statement and so sees one moment: it may run while money moves. Empty when all is well.
 */
export async function auditLedger(db: Context['db']): Promise<Finding[]> {
  const checks = [
    ...[sumsToZero, namesItsAccounts, keepsItsBalance, keepsWhatIsHeld, staysAboveFloor],
    ...[goesItsWay, isOfItsKind],
  ]
  const found: Finding[] = []
  for (const check of checks) {
    const { rows } = await check().execute(db)
    found.push(...rows)
  }
  const { rows } = await hasItsStatus(await isComplete(db, 'events')).execute(db)
  return [...found, ...rows]
}

/** Stored balances and the sums of the others cancel out: a wrong stored one shows here too. */
const sumsToZero = () => sql<Finding>`
  with summed as (
    select e.tenant_id, e.account_id, sum(e.amount) as amount
    from entries e group by e.tenant_id, e.account_id)
  select 'I1' as invariant, a.tenant_id, 'currency ' || a.currency as subject,
    'its accounts sum to ' || sum(coalesce(a.balance, s.amount, 0)) as detail
  from accounts a
  left join summed s on s.tenant_id = a.tenant_id and s.account_id = a.id
  group by a.tenant_id, a.currency
  having sum(coalesce(a.balance, s.amount, 0)) <> 0
  limit ${FINDINGS_MAX}`

const namesItsAccounts = () => sql<Finding>`
  select 'I1' as invariant, e.tenant_id, 'transfer ' || e.transfer_id as subject,
    'in ' || e.currency || ' names account ' || e.account_id
      || case when a.id is null then ', which does not exist' else ' of ' || a.currency end
      as detail
  from entries e
  left join accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id
  where a.id is null or a.currency <> e.currency
  limit ${FINDINGS_MAX}`

const keepsItsBalance = () => sql<Finding>`
  select 'I2' as invariant, a.tenant_id, 'account ' || a.id as subject,
    'keeps ' || a.balance || ', its entries sum to ' || coalesce(s.amount, 0) as detail
  from accounts a
  left join (select tenant_id, account_id, sum(amount) as amount
    from entries group by tenant_id, account_id) s
    on s.tenant_id = a.tenant_id and s.account_id = a.id
  where a.balance is not null and a.balance <> coalesce(s.amount, 0)
  limit ${FINDINGS_MAX}`

/** Compared in both directions, so that a hold on no account shows as well. */
const keepsWhatIsHeld = () => sql<Finding>`
  select 'I2' as invariant, coalesce(a.tenant_id, h.tenant_id) as tenant_id,
    'account ' || coalesce(a.id::text, h.account_id::text, 'none') as subject,
    'keeps ' || coalesce(a.held, 0) || ' as held, its open holds sum to '
      || coalesce(h.amount, 0) as detail
  from accounts a
  full join (select tenant_id, account_id, currency, sum(amount) as amount
    from open_holds group by tenant_id, account_id, currency) h
    on h.tenant_id = a.tenant_id and h.account_id = a.id and h.currency = a.currency
  where coalesce(a.held, 0) <> coalesce(h.amount, 0)
  limit ${FINDINGS_MAX}`

/** The floor of a card account is its available amount if that is below zero, and else zero. */
const staysAboveFloor = () => sql<Finding>`
  select 'I2' as invariant, tenant_id, 'account ' || id as subject,
    'has ' || coalesce(balance - held, 0) || ' available, its floor is ' || floor as detail
  from accounts
  where held < 0 or floor <> case kind when 'CARD' then least(balance - held, 0) else 0 end
    or balance - held < floor
  limit ${FINDINGS_MAX}`

/** Both sides of each transfer are of the kinds of accounts between which its kind moves money. */
const goesItsWay = () => sql<Finding>`
  select 'I1' as invariant, t.tenant_id, 'transfer ' || t.id as subject,
    'is a ' || t.kind || case when t.transaction_id is null then '' else ' of a transaction' end
      || ' from ' || d.kind || ' to ' || c.kind as detail
  from transfers t
  join accounts d on d.tenant_id = t.tenant_id and d.id = t.debit_account_id
  join accounts c on c.tenant_id = t.tenant_id and c.id = t.credit_account_id
  where t.kind || case when t.transaction_id is null then ' ' else ' of a transaction ' end
    || d.kind || '>' || c.kind <> all (${waysInAudit}::text[])
    or t.amount <= 0
  limit ${FINDINGS_MAX}`

/** A card account is of a product of its currency; the program's own are of nobody. */
const isOfItsKind = () => sql<Finding>`
  select 'I2' as invariant, a.tenant_id, 'account ' || a.id as subject,
    'is a ' || a.kind || ' in ' || a.currency || ' of user ' || coalesce(a.user_id::text, 'none')
      || ' and product ' || coalesce(p.id || ' in ' || p.currency, 'none') as detail
  from accounts a
  left join card_products p on p.tenant_id = a.tenant_id and p.id = a.card_product_id
  where p.currency <> a.currency or (a.kind = 'CARD' and a.card_product_id is null)
    or a.kind <> 'CARD' and (a.user_id is not null or a.card_product_id is not null)
    or a.default_account and (a.kind <> 'CARD' or a.user_id is null)
  limit ${FINDINGS_MAX}`

/** An account opens ACTIVE, and each change of its status is reported. */
const hasItsStatus = (complete: boolean) => sql<Finding>`
  with reported as (
    select tenant_id, object_id, (array_agg(payload -> 'account_status_change' ->> 'new_status'
      order by sequence desc))[1] as status
    from events where event = 'ACCOUNT_STATUS_CHANGE' group by tenant_id, object_id
  )
  select 'I6' as invariant, a.tenant_id, 'account ' || a.id as subject,
    'is ' || a.status || ', and was reported to be ' || coalesce(r.status, 'ACTIVE') as detail
  from accounts a
  left join reported r on r.tenant_id = a.tenant_id and r.object_id = a.id
  where a.status <> coalesce(r.status, case when ${complete} then 'ACTIVE' else a.status end)
  limit ${FINDINGS_MAX}`
