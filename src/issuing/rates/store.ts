/** Rates of exchange: a reference table, because a rate may be of every tenant. */

import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import { lockNames } from '#kit/db/locks.ts'
import type { Database } from '#kit/db/tables.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { NewRate } from './rules.ts'

export type RateRow = Selectable<Database['rates']>

export type RateFilter = {
  tenant_id?: string
  from?: string
  to?: string
  history?: boolean
}

/** Changes of rates follow each other, so that of two currencies one rate is in force. */
export async function lockRates({ db }: Tx): Promise<void> {
  await lockNames({ db, tenant_id: NO_TENANT }, ['rates of exchange'])
}

/** Ends those in force of these currencies; those of other tenants, and of all, stay. */
export async function updateReplaced(
  { db, now }: Tx,
  tenant_id: string | null,
  rates: readonly NewRate[],
): Promise<void> {
  await sql`
    update rates r set replaced = ${now}
    from unnest(${plainArray(rates.map(({ from }) => from))}::text[],
      ${plainArray(rates.map(({ to }) => to))}::text[]) as n (from_currency, to_currency)
    where r.from_currency = n.from_currency and r.to_currency = n.to_currency
      and r.tenant_id is not distinct from ${tenant_id}::uuid and r.replaced is null`.execute(db)
}

export async function insertRates({ db }: Tx, rows: readonly RateRow[]): Promise<void> {
  await db
    .insertInto('rates')
    .values([...rows])
    .execute()
}

export function listRateRows(
  { db }: Context,
  { tenant_id, from, to, history = false }: RateFilter,
  range: PageRange,
): Promise<RateRow[]> {
  let rows = db.selectFrom('rates').selectAll()
  if (!history) rows = rows.where('replaced', 'is', null)
  if (tenant_id !== undefined) rows = rows.where('tenant_id', '=', tenant_id)
  if (from !== undefined) rows = rows.where('from_currency', '=', from)
  if (to !== undefined) rows = rows.where('to_currency', '=', to)
  return selectRange(rows, range).execute()
}

/** Two currencies whose rate a decision needs. */
export type CurrencyPair = { from: string; to: string }

/** The rate that applies to the tenant; null if there is none. */
export type AppliedRate = CurrencyPair & { id: string | null; rate: string | null }

/** The tenant's own rate of two currencies, else that of all tenants, as part of a statement. */
const applied = (tenant_id: string) => sql`
  (select id, rate from rates
  where from_currency = given.from_currency and to_currency = given.to_currency
    and replaced is null and (tenant_id = ${tenant_id} or tenant_id is null)
  order by tenant_id nulls last limit 1) r`

const pairsOf = (pairs: readonly CurrencyPair[]) => sql`
  unnest(${plainArray(pairs.map(({ from }) => from))}::text[],
    ${plainArray(pairs.map(({ to }) => to))}::text[]`

/** The rates that apply to the tenant now, one for each pair. */
export async function listAppliedRates(
  { db, tenant_id }: Context,
  pairs: readonly CurrencyPair[],
): Promise<AppliedRate[]> {
  const { rows } = await sql<AppliedRate>`
    select given.from_currency as "from", given.to_currency as "to", r.id, r.rate
    from ${pairsOf(pairs)}) as given (from_currency, to_currency)
    left join lateral ${applied(tenant_id)} on true`.execute(db)
  return rows
}

/**
 * How many of these still apply to the tenant, as part of a statement: a pair that had no rate
 * counts while it has none.
 */
export const countStillApplied = (tenant_id: string, rates: readonly AppliedRate[]) => sql`
  (select count(*) from ${pairsOf(rates)}, ${plainArray(rates.map(({ id }) => id))}::uuid[])
    as given (from_currency, to_currency, id)
  left join lateral ${applied(tenant_id)} on true
  where r.id is not distinct from given.id)`
