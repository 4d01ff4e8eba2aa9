/**
 * Accounts, cards, tokens and the tenant of a batch. Accounts are locked first; every other
 * statement starts afterwards, so it sees all that was committed before the locks were acquired.
 *
 * Rows are named one by one (`lateral … limit 1`): whatever PostgreSQL estimates of a table's size,
 * it can only use the key.
 */

import { sql } from 'kysely'
import { type CardSettings, settingsInForce } from '#issuing/cards/cards.ts'
import type { Account } from '#issuing/ledger/schema.ts'
import { emvInForce } from '#issuing/products/products.ts'
import type { Emv } from '#issuing/products/schema.ts'
import { tenantNow } from '#kit/clock.ts'
import type { Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import type { CardEvidence, TokenEvidence } from '../../decide/evidence.ts'
import type { CardTries } from '../../decide/tries.ts'

/** `skip` leaves out the accounts that another session has locked; `wait` waits for them. */
export type Locking = 'wait' | 'skip'

const lockings = {
  wait: sql`for no key update`,
  skip: sql`for no key update skip locked`,
}

/** Locks the accounts of these cards and transactions, lowest id first. */
export async function lockAccounts(
  { db, tenant_id }: Tx,
  card_ids: readonly string[],
  transaction_ids: readonly string[],
  locking: Locking,
): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select id, currency, status, user_id, card_product_id, balance, held, floor, version
    from accounts
    where tenant_id = ${tenant_id} and id = any (array(
      select c.account_id from unnest(${plainArray(card_ids)}::uuid[]) as given (id)
      cross join lateral (
        select account_id from cards where tenant_id = ${tenant_id} and id = given.id limit 1) c
      union
      select t.account_id from unnest(${plainArray(transaction_ids)}::uuid[]) as given (id)
      cross join lateral (
        select account_id from transactions where tenant_id = ${tenant_id} and id = given.id
        limit 1) t))
    order by id
    ${lockings[locking]}`.execute(db)
  return rows
}

type Layer = CardSettings['card']
type ProductLayer = { [Name in keyof Layer as `product_${Name}`]: Layer[Name] }
type CardColumns = Omit<CardEvidence, 'settings' | 'emv'> &
  Layer &
  ProductLayer & { frozen_settings: CardSettings | null; emv: Emv | null; tries: Date[] }

/** A card with its wrong tries (D-122). */
export type GatheredCard = CardEvidence & CardTries

export async function listCardEvidence(
  { db, tenant_id, profile }: Tx,
  card_ids: readonly string[],
): Promise<GatheredCard[]> {
  const { rows } = await sql<CardColumns>`
    select c.id as card_id, c.account_id, c.user_id, c.card_product_id, c.status,
      c.status_reason_code, c.expiry_date, c.migration_ends, p.currency, p.partial_approval,
      p.identify_above, p.clearing_tolerance_percent, p.unlinked_credit_max_amount,
      p.unlinked_credit_max_daily_amount, p.emv, coalesce(w.tries, '{}') as tries,
      (p.pin ->> 'max_tries')::int as pin_max_tries, u.status as user_status,
      coalesce(u.vip, false) as user_vip, c.frozen_settings,
      c.auth_settings, c.allowed_countries_id, c.allowed_mccs_id, c.allowed_merchants_id,
      p.auth_settings as product_auth_settings,
      p.allowed_countries_id as product_allowed_countries_id,
      p.allowed_mccs_id as product_allowed_mccs_id,
      p.allowed_merchants_id as product_allowed_merchants_id
    from unnest(${plainArray(card_ids)}::uuid[]) as given (id)
    cross join lateral (
      select * from cards where tenant_id = ${tenant_id} and id = given.id limit 1) c
    cross join lateral (
      select * from card_products where tenant_id = ${tenant_id} and id = c.card_product_id
      limit 1) p
    left join lateral (
      select status, vip from users where tenant_id = ${tenant_id} and id = c.user_id
      limit 1) u on true
    left join lateral (
      select tries from card_verification_tries
      where tenant_id = ${tenant_id} and card_id = given.id limit 1) w on true`.execute(db)
  const unset = profile.strict_terms ? 0n : null
  return rows.map((row) => ({
    ...row,
    unlinked_credit_max_amount: row.unlinked_credit_max_amount ?? unset,
    unlinked_credit_max_daily_amount: row.unlinked_credit_max_daily_amount ?? unset,
    emv: emvInForce(row.emv, profile),
    settings: settingsInForce(row, productLayer(row)),
  }))
}

const productLayer = (row: ProductLayer): Layer => ({
  auth_settings: row.product_auth_settings,
  allowed_countries_id: row.product_allowed_countries_id,
  allowed_mccs_id: row.product_allowed_mccs_id,
  allowed_merchants_id: row.product_allowed_merchants_id,
})

/** The tokens by whose numbers messages name their cards. */
export async function listTokenEvidence(
  { db, tenant_id }: Tx,
  token_ids: readonly string[],
): Promise<TokenEvidence[]> {
  if (token_ids.length === 0) return []
  const { rows } = await sql<TokenEvidence>`
    select t.id as token_id, t.status, t.expiry_date
    from unnest(${plainArray(token_ids)}::uuid[]) as given (id)
    cross join lateral (
      select * from tokens where tenant_id = ${tenant_id} and id = given.id limit 1) t`.execute(db)
  return rows
}

/** The tenant's clock and settings as they are now. */
export async function findTenantSettings({ db, tenant_id }: Tx) {
  return db
    .selectFrom('tenants as t')
    .select(['settings', tenantNow.as('now')])
    .where('t.id', '=', tenant_id)
    .executeTakeFirstOrThrow()
}
