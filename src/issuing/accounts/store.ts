/** Reads accounts for their answers; the ledger alone writes their money. */

import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { KeptAccount } from '#issuing/ledger/ledger.ts'
import type { StoredAuthSettings } from '#issuing/products/schema.ts'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
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
      cardIdsOf(tenant_id, sql`accounts`).as('card_ids'),
    ])
    .where('accounts.tenant_id', '=', tenant_id)
    .where('kind', '=', 'CARD')
}

/**
 * The inner order is that of the index of accounts alone. With the order of the result in its
 * place, a statement that was planned while there were few cards read all of the tenant, by their
 * age, for each account (D-1422).
 */
const cardIdsOf = (tenant_id: string, account: RawBuilder<unknown>) => sql<string[]>`array(
  select o.id from (
    select c.id, c.created from cards c
    where c.tenant_id = ${tenant_id}
      and c.account_id between ${account}.id and ${account}.id
    order by c.account_id) o
  order by o.created, o.id)`

export function findAccountRow(ctx: Context | Tx, id: string): Promise<AccountRow | undefined> {
  return cardAccounts(ctx).where('accounts.id', '=', id).executeTakeFirst()
}

/** A card account or a funding account as it is read without a lock, to move money. */
export type MovableRow = AccountRow &
  Omit<KeptAccount, 'balance'> & {
    balance: bigint
    auth_settings: StoredAuthSettings | null
    limited: boolean
  }

/**
 * The accounts with a stored balance, and with the settings of their products if `with_settings`.
 */
export async function listMovableRows(
  { db, tenant_id }: Context,
  ids: readonly string[],
  with_settings: boolean,
): Promise<MovableRow[]> {
  const { rows } = await sql<MovableRow>`
    select a.id, a.kind, a.user_id, a.card_product_id, a.currency, a.balance, a.held, a.floor,
      a.version, a.status, a.default_account, a.created, a.modified,
      a.created::text as created_text, ${cardIdsOf(tenant_id, sql`a`)} as card_ids,
      case when ${with_settings}::boolean then (select p.auth_settings from card_products p
        where p.tenant_id = ${tenant_id} and p.id = a.card_product_id) end as auth_settings,
      (a.balance_limit_ids <> '{}' or exists (select from card_products p
        where p.tenant_id = ${tenant_id} and p.id = a.card_product_id
          and p.balance_limit_ids <> '{}')
        or exists (select from users u where u.tenant_id = ${tenant_id} and u.id = a.user_id
          and u.balance_limit_ids <> '{}')) as limited
    from accounts a
    where a.tenant_id = ${tenant_id} and a.id = any (${plainArray(ids)}::uuid[])
      and a.balance is not null`.execute(db)
  return rows
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
