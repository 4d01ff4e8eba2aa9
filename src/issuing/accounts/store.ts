/** Reads accounts for their answers; the ledger alone writes their money. */

import { type SelectQueryBuilder, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { AccountStatus } from './schema.ts'

export type AccountRow = {
  id: string
  user_id: string | null
  card_ids: string[]
  currency: string
  balance: bigint | null
  held: bigint
  status: AccountStatus
  default_account: boolean
  created: Date
  modified: Date
  /** `created` as the database writes it, for the cursor. */
  created_text: string
}

export type AccountFilter = { user_id?: string; card_id?: string }

/** Card accounts only: clients do not see program accounts as accounts. */
function cardAccounts({ db, tenant_id }: Context | Tx) {
  return db
    .selectFrom('accounts')
    .select(['accounts.id', 'accounts.user_id', 'currency', 'balance', 'held', 'accounts.status'])
    .select(['default_account', 'accounts.created', 'accounts.modified'])
    .select([
      sql<string>`accounts.created::text`.as('created_text'),
      sql<string[]>`array(
        select c.id from cards c
        where c.tenant_id = accounts.tenant_id and c.account_id = accounts.id
        order by c.created, c.id)`.as('card_ids'),
    ])
    .where('accounts.tenant_id', '=', tenant_id)
    .where('kind', '=', 'CARD')
}

export function findAccountRow(ctx: Context | Tx, id: string): Promise<AccountRow | undefined> {
  return cardAccounts(ctx).where('accounts.id', '=', id).executeTakeFirst()
}

/** Newest first. */
export function listAccountRows(
  ctx: Context | Tx,
  { user_id, card_id }: AccountFilter,
  range: PageRange,
): Promise<AccountRow[]> {
  let query = cardAccounts(ctx)
  if (user_id !== undefined) query = query.where('accounts.user_id', '=', user_id)
  if (card_id !== undefined) query = onlyOfCard(query, ctx.tenant_id, card_id)
  return selectRange(query, range, { by: 'accounts.created', id: 'accounts.id' }).execute()
}

function onlyOfCard<Row>(
  query: SelectQueryBuilder<Database, 'accounts', Row>,
  tenant_id: string,
  card_id: string,
) {
  return query.where('accounts.id', 'in', (inner) =>
    inner
      .selectFrom('cards')
      .select('cards.account_id')
      .where('cards.tenant_id', '=', tenant_id)
      .where('cards.id', '=', card_id)
      .where('cards.account_id', 'is not', null)
      .$castTo<{ account_id: string }>(),
  )
}

export async function hasCard({ db, tenant_id }: Context | Tx, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('cards')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined
}

export async function updateAccountStatus(
  { db, tenant_id, now }: Tx,
  id: string,
  status: AccountStatus,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set(({ eb }) => ({ status, modified: now, version: eb('version', '+', 1n) }))
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

/** How far a tenant's clock is ahead (D-70); undefined for a tenant that does not exist. */
export function findTenantClock(
  { db }: Context | Tx,
  tenant_id: string,
): Promise<{ id: string; clock_offset_ms: bigint } | undefined> {
  return db
    .selectFrom('tenants')
    .select(['id', 'clock_offset_ms'])
    .where('id', '=', tenant_id)
    .executeTakeFirst()
}
