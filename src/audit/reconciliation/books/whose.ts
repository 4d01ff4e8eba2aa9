/** Tenants whose books are read, and merchants to whom entries belong. */

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'

/** `ahead_ms`: how far the clock of the tenant is ahead of real time. */
export type Tenant = { id: string; ahead_ms: number }
type Merchant = { id: string; tenant_id: string; name: string; acceptor: string }

/** Merchants by their ids and by how the card network knows them (DE42). */
export class Merchants {
  readonly #byId = new Map<string, Merchant>()
  readonly #byAcceptor = new Map<string, Merchant>()

  constructor(merchants: readonly Merchant[]) {
    for (const merchant of merchants) {
      this.#byId.set(merchant.id, merchant)
      this.#byAcceptor.set(merchant.acceptor, merchant)
    }
  }

  find = (id: string): Merchant | undefined => this.#byId.get(id)
  idsOf = (tenant_id: string): string[] =>
    [...this.#byId.values()].filter((one) => one.tenant_id === tenant_id).map(({ id }) => id)
  ofAcceptor = (acceptor: string | null | undefined): string | undefined =>
    this.#byAcceptor.get(acceptor ?? '')?.id
}

type Of = { tenant_id: string | undefined; merchant_id: string | undefined }

export async function readMerchants(db: Db, { tenant_id, merchant_id }: Of): Promise<Merchants> {
  const { rows } = await sql<Merchant>`
    select id, tenant_id, name, card_acceptor_id as acceptor from merchants
    where (${tenant_id ?? null}::uuid is null or tenant_id = ${tenant_id ?? null}::uuid)
      and (${merchant_id ?? null}::uuid is null or id = ${merchant_id ?? null}::uuid)
    order by id`.execute(db)
  return new Merchants(rows)
}

export async function readTenants(db: Db, { tenant_id }: Of): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select id, coalesce(clock_offset_ms, 0)::float8 as ahead_ms from tenants
    where (${tenant_id ?? null}::uuid is null or id = ${tenant_id ?? null}::uuid)
    order by id`.execute(db)
  return rows
}

/**
 * The tenants among all that have such a row of the table, which is `t` in the condition. One
 * server looks for each of them in an index that begins with the tenant; a cluster asks every
 * shard.
 */
export async function listTenantsWith(
  db: Db,
  table: string,
  condition: RawBuilder<boolean>,
): Promise<string[]> {
  const rowsOf = sql`from ${sql.table(table)} t where ${condition}`
  const { rows } = (await db.isSpread())
    ? await sql<{ tenant_id: string }>`select distinct t.tenant_id ${rowsOf}`.execute(db)
    : await sql<{ tenant_id: string }>`
        select i.id as tenant_id from tenants i
        where exists (select ${rowsOf} and t.tenant_id = i.id)`.execute(db)
  return rows.map(({ tenant_id }) => tenant_id)
}
