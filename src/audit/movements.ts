/**
 * Whether movements of money that a call made agree with what else has a record of them (I4): the
 * audit log, the answers under idempotency keys, and the balances on which payments were decided.
 */

import { sql } from 'kysely'
import { exponentIn, FINDINGS_MAX, type Finding, ofAll, type Scope } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { TEST_PRODUCTS } from '#sandbox/known.ts'

/** From the reading of the clock for a request to the time of what it makes. */
const WITHIN = sql`interval '15 minutes'`
/** Longer than a decision and a call wait for each other, by the time that each has read. */
const QUIET = sql`interval '1 minute'`

/** The movement that a request of this operation makes. */
const OPERATIONS = {
  loadAccountFunds: 'LOAD',
  unloadAccountFunds: 'UNLOAD',
  createTransfer: 'TRANSFER',
  fundTenantAsOperator: 'PROGRAM_FUNDING',
  chargeAccount: 'charge',
} as const
const operations = Object.keys(OPERATIONS)

/** Empty when all agree (D-986). Amounts are compared where another place has them. */
export async function auditMovements(db: Db, of: Scope = ofAll): Promise<Finding[]> {
  const found: Finding[] = []
  for (const check of [recorded(of), unrecorded(of), preloaded(of), answered(of), decidedOn(of)]) {
    found.push(...(await check.execute(db)).rows)
  }
  return found
}

/**
 * A record names what its request made and whose it is. Records are never changed, and requests
 * that rehearse have none.
 */
const recorded = (of: Scope) => sql<Finding>`
  with named as (
    select r.tenant_id, r.id, r.created, r.object_ids, o.object_id,
      ${JSON.stringify(OPERATIONS)}::jsonb ->> r.operation as kind
    from audit_records r cross join lateral unnest(r.object_ids) o (object_id)
    where ${of('r')} and r.operation = any (${operations}::text[]) and r.status < 300
  ), made as (
    select tenant_id, id, kind, created, array[debit_account_id, credit_account_id] as accounts
    from transfers where ${of('transfers')} and transaction_id is null
      and kind in ('LOAD', 'UNLOAD', 'TRANSFER', 'PROGRAM_FUNDING')
    union all
    select tenant_id, id, 'charge', created, array[account_id] from charges
    where ${of('charges')} and type = 'OTHER'
  )
  select 'I4' as invariant, n.tenant_id, 'audit record ' || n.id as subject,
    'is of a ' || n.kind || ' at ' || n.created || ', of which there are ' || count(m.id)
      || ' of that time and account' as detail
  from named n
  left join made m on m.tenant_id = n.tenant_id and m.id = n.object_id and m.kind = n.kind
    and m.created between n.created - ${WITHIN} and n.created + ${WITHIN}
    and case n.kind when 'PROGRAM_FUNDING' then true
      when 'TRANSFER' then n.object_ids @> m.accounts else n.object_ids && m.accounts end
  group by n.tenant_id, n.id, n.kind, n.created
  having count(m.id) <> 1
  limit ${FINDINGS_MAX}`

/**
 * A copy of a movement has another id than the record names. A bulk issuance loads each of its
 * accounts once, and a sandbox the cards with which its pages are tried, without a request; so do
 * scripts that call the ledger, on accounts which no request loads.
 */
const unrecorded = (of: Scope) => sql<Finding>`
  with named as (
    select tenant_id, unnest(object_ids) as id from audit_records
    where ${of('audit_records')} and operation = any (${operations}::text[]) and status < 300
  ), moved as (
    select t.*, n.id is not null as is_named, count(n.id) over twins as named_twins,
      row_number() over (twins order by t.id) as twin, count(n.id) over alike as named_alike
    from transfers t left join named n on n.tenant_id = t.tenant_id and n.id = t.id
    where ${of('t')} and t.transaction_id is null
      and t.kind in ('LOAD', 'UNLOAD', 'TRANSFER', 'PROGRAM_FUNDING')
    window alike as (partition by t.tenant_id, t.kind, t.debit_account_id, t.credit_account_id),
      twins as (partition by t.tenant_id, t.kind, t.debit_account_id, t.credit_account_id,
        t.amount, t.created)
  )
  select 'I4' as invariant, t.tenant_id, 'transfer ' || t.id as subject,
    'is a ' || t.kind || ' of ' || t.amount || ' ' || t.currency || ', which no request made'
      as detail
  from moved t
  left join accounts a on a.tenant_id = t.tenant_id and a.id = t.credit_account_id and ${of('a')}
  where not t.is_named and case t.kind
    when 'PROGRAM_FUNDING' then t.named_twins > 0
    when 'LOAD' then t.twin > 1 or t.named_twins > 0 or (t.named_alike > 0
      and a.card_product_id <> all (${TEST_PRODUCTS}::uuid[])
      and not exists (select from cards c
        join bulk_issuances b on b.tenant_id = c.tenant_id and b.id = c.bulk_issuance_id
        where c.tenant_id = t.tenant_id and c.account_id = t.credit_account_id
          and b.amount = t.amount and ${of('c')} and ${of('b')}))
    else true end
  limit ${FINDINGS_MAX}`

/** The first card of an account of a bulk issuance is issued with it. */
const preloaded = (of: Scope) => sql<Finding>`
  select 'I4' as invariant, c.tenant_id, 'card ' || c.id as subject,
    'is of a bulk issuance that loads ' || b.amount || ', and its account was not loaded with it'
      as detail
  from cards c
  join bulk_issuances b on b.tenant_id = c.tenant_id and b.id = c.bulk_issuance_id and ${of('b')}
  where ${of('c')} and b.amount is not null and c.account_id is not null
    and not exists (select from transfers t where t.tenant_id = c.tenant_id
      and t.credit_account_id = c.account_id and t.kind = 'LOAD' and t.amount = b.amount
      and ${of('t')})
  limit ${FINDINGS_MAX}`

/** Answers are kept for a day. A charge that the answer names has its own id. */
const answered = (of: Scope) => sql<Finding>`
  with kept as (
    select k.tenant_id, k.key, (b.answer ->> 'transfer_id')::uuid as id,
      b.answer ->> 'currency' as currency, (b.answer ->> 'amount')::numeric as amount
    from idempotency_keys k cross join lateral (select k.body::json as answer) b
    where ${of('k')} and k.status < 300 and k.body ^@ '{' and k.body like '%"transfer_id":"%'
  )
  select 'I4' as invariant, t.tenant_id, 'transfer ' || t.id as subject,
    'is of ' || t.amount || ' ' || t.currency || ', its answer (' || k.key || ') of ' || k.amount
      || ' ' || k.currency as detail
  from kept k
  join transfers t on t.tenant_id = k.tenant_id and t.id = k.id and ${of('t')}
  where t.currency <> k.currency or t.amount <> k.amount * 10::numeric ^ ${exponentIn('k.currency')}
  limit ${FINDINGS_MAX}`

/**
 * A transaction has in its answer the balance of the account after its decision. That is compared
 * where nothing else moved at the account about that time, since calls and decisions that wait for
 * each other may come in another order than their times, and where nothing was charged, which has
 * checks of its own.
 */
const decidedOn = (of: Scope) => sql<Finding>`
  with steps as (
    select tenant_id, account_id, created, amount, transaction_id, null::bigint as ledger
    from entries where ${of('entries')}
    union all
    select t.tenant_id, t.account_id, t.created, null, t.id,
      (t.details #>> '{message,answer,available,ledger}')::bigint
    from transactions t
    join cards c on c.tenant_id = t.tenant_id and c.id = t.card_id
      and c.account_id = t.account_id and ${of('c')}
    where ${of('t')} and not exists (select from charges g where g.tenant_id = t.tenant_id
        and g.account_id = t.account_id and ${of('g')})
      and t.created is distinct from (t.details #>> '{events,1,created}')::timestamptz
  ), summed as (
    select *, coalesce(sum(amount) over before, 0) as balance, count(amount) over about as moves,
      count(amount) over own as own_moves
    from steps
    window before as (partition by tenant_id, account_id order by created),
      about as (partition by tenant_id, account_id order by created
        range between ${QUIET} preceding and ${QUIET} following),
      own as (partition by tenant_id, account_id, transaction_id order by created
        range between ${QUIET} preceding and ${QUIET} following)
  )
  select 'I4' as invariant, tenant_id, 'transaction ' || transaction_id as subject,
    'was decided at ' || created || ' on a balance that was ' || ledger
      || ' after it; the entries of the account until then sum to ' || balance as detail
  from summed
  where ledger is not null and ledger <> balance and moves = own_moves
  limit ${FINDINGS_MAX}`
