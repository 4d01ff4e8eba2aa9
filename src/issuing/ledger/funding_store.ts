/** The program's own accounts, as they are read. */

import { sql } from 'kysely'
import type { Context } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import type { ProgramKind } from './schema.ts'

export type FundingAccount = { id: string; currency: string; balance: bigint }

/** The balances of the tenant's program funding accounts, ordered by currency. */
export async function listFunding({ db, tenant_id }: Context): Promise<FundingAccount[]> {
  const { rows } = await sql<FundingAccount>`
    select id, currency, balance from accounts
    where tenant_id = ${tenant_id} and kind = 'FUNDING'
    order by currency`.execute(db)
  return rows
}

/** A program funding account with its held amount and the amount that left it lately. */
export type FundingUse = FundingAccount & {
  held: bigint
  created: Date
  drawn: bigint
  since: Date
}

/**
 * The program funding accounts with the amount that left each of them since `from`. If there are
 * more than `movements_max` movements, only the newest count, and `since` is the time of the oldest
 * of them.
 */
export async function listFundingUse(
  { db, tenant_id }: Context,
  from: Date,
  movements_max: number,
): Promise<FundingUse[]> {
  const { rows } = await sql<Omit<FundingUse, 'drawn'> & { drawn: string }>`
    select a.id, a.currency, a.balance, a.held, a.created, coalesce(t.drawn, 0)::text as drawn,
      case when t.number = ${movements_max}::int then t.oldest
        else greatest(a.created, ${from}::timestamptz) end as since
    from accounts a cross join lateral (
      select count(*) as number, sum(newest.amount) as drawn, min(newest.created) as oldest
      from (
        select amount, created from transfers
        where tenant_id = ${tenant_id} and debit_account_id = a.id and created >= ${from}
        order by created desc, id desc limit ${movements_max}) newest) t
    where a.tenant_id = ${tenant_id} and a.kind = 'FUNDING'
    order by a.currency`.execute(db)
  return rows.map(({ drawn, ...account }) => ({ ...account, drawn: BigInt(drawn) }))
}

export type LowFunding = FundingAccount & { tenant_id: string; tenant_name: string; held: bigint }

/**
 * Program funding accounts of all tenants, whose available balance is below a bound in minor units
 * of their currency, by the names of the tenants. For the operator, who sees every tenant.
 */
export async function listLowFunding(
  { db }: Context,
  bounds: ReadonlyMap<string, bigint>,
  limit: number,
): Promise<LowFunding[]> {
  const [currencies, minors] = [plainArray([...bounds.keys()]), plainArray([...bounds.values()])]
  const { rows } = await sql<LowFunding>`
    select a.tenant_id, t.name as tenant_name, a.id, a.currency, a.balance, a.held
    from accounts a join tenants t on t.id = a.tenant_id
    join unnest(${currencies}::text[], ${minors}::bigint[]) as b (currency, bound)
      on b.currency = a.currency
    where a.kind = 'FUNDING' and a.balance - a.held < b.bound
    order by t.name, a.tenant_id, a.currency limit ${limit}`.execute(db)
  return rows
}

export type ProgramAccount = FundingAccount & { kind: ProgramKind }

/** The program's own accounts with the sums of their entries, in minor units. */
export async function listProgramAccounts({ db, tenant_id }: Context): Promise<ProgramAccount[]> {
  const { rows } = await sql<Omit<ProgramAccount, 'balance'> & { balance: string }>`
    select a.id, a.kind, a.currency, coalesce(sum(e.amount), 0) as balance
    from accounts a
    left join entries e on e.tenant_id = a.tenant_id and e.account_id = a.id
    where a.tenant_id = ${tenant_id} and a.kind <> 'CARD'
    group by a.id, a.kind, a.currency
    order by a.currency, a.kind`.execute(db)
  return rows.map(({ balance, ...account }) => ({ ...account, balance: BigInt(balance) }))
}
