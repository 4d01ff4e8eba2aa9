/**
 * Cards with their accounts and holders, tokens and the tenant of a batch.
 *
 * Rows are named one by one (`lateral … limit 1`): whatever PostgreSQL estimates of a table's size,
 * it can only use the key.
 */

import { type Selectable, sql } from 'kysely'
import { type Subscribers, subscribersOf } from '#events/outbox.ts'
import { type CardSettings, settingsInForce } from '#issuing/cards/cards.ts'
import type { Account } from '#issuing/ledger/schema.ts'
import {
  type ChainCounters,
  type HolderCounters,
  mayBeApart,
  type StoredCounters,
} from '#issuing/limits/rules.ts'
import { tenantNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { idArray, plainArray } from '#kit/db/arrays.ts'
import type { Database as Tables } from '#kit/db/tables.ts'
import { NO_LISTS } from '../../decide/checks/lists.ts'
import type { Card, HeldCard, Token } from '../../decide/rows.ts'
import type { CardTries } from '../../decide/state/tries.ts'
import type { ProductTerms } from './products.ts'

const accountColumns = sql.raw(
  'id, currency, status, user_id, card_product_id, balance, held, floor, version',
)

/** Locks the accounts of these cards and transactions that no other session has locked. */
export async function lockFreeAccounts(
  { db, tenant_id }: Tx,
  card_ids: readonly string[],
  transaction_ids: readonly string[],
): Promise<Account[]> {
  const { rows } = await sql<Account>`
    select ${accountColumns} from accounts
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
    for no key update skip locked`.execute(db)
  return rows
}

/** The accounts of these transactions. */
export async function listAccountsOf(
  { db, tenant_id }: Context,
  transaction_ids: readonly string[],
): Promise<Account[]> {
  if (transaction_ids.length === 0) return []
  const ids = plainArray(transaction_ids)
  const { rows } = await sql<Account>`
    select ${accountColumns} from accounts
    where tenant_id = ${tenant_id} and id in (
      select account_id from transactions
      where tenant_id = ${tenant_id} and id = any (${ids}::uuid[]))`.execute(db)
  return rows
}

/** The accounts of these users. */
export async function listAccountsOfUsers(
  { db, tenant_id }: Context,
  user_ids: readonly string[],
): Promise<Account[]> {
  if (user_ids.length === 0) return []
  const { rows } = await sql<Account>`
    select ${accountColumns} from accounts
    where tenant_id = ${tenant_id} and user_id = any (${plainArray(user_ids)}::uuid[])
      and kind = 'CARD'`.execute(db)
  return rows
}

type Layer = CardSettings['card']
type CardColumns = Layer &
  Omit<Card, 'settings' | 'lists'> & {
    user_status: string | null
    user_vip: boolean
    user_has_mobile: boolean
    frozen_settings: CardSettings | null
    chain_id: string
    card_limit_ids: string[]
    account_limit_ids: string[] | null
    user_limit_ids: string[] | null
    tries: Date[] | null
    tries_version: bigint | null
    account_currency: string | null
    account_status: Account['status']
    balance: bigint
    held: bigint
    floor: bigint
    version: bigint
  }

/** The counts against limits on the account and on its user; null if nothing has counted. */
type CounterColumns = Record<'account_counters' | 'user_counters', StoredCounters | null> & {
  user_counted: bigint | null
}

/** A card as it is stored, without the terms of its product. */
export type GatheredCard = {
  columns: CardColumns & Partial<CounterColumns>
  account: Account | undefined
} & CardTries

const counterColumns = sql`,
  a.counters as account_counters, o.counters as user_counters, o.version as user_counted`
const countersOf = (tenant_id: string) => sql`
  left join lateral (
    select counters, version from user_counters
    where tenant_id = ${tenant_id} and user_id = c.user_id limit 1) o on true`

/** Their counters too: only a tenant with limits has them. */
type CardOptions = { counters?: boolean }

/** Cards with their accounts, holders and wrong tries (D-122), all of one moment. */
export async function listCards(
  { db, tenant_id }: Context,
  card_ids: readonly string[],
  { counters = false }: CardOptions = {},
): Promise<GatheredCard[]> {
  const { rows } = await sql<GatheredCard['columns']>`
    select c.id as card_id, c.account_id, c.user_id, c.card_product_id, c.status,
      c.status_reason_code, c.terminated_by_operator, c.expiry_date, c.migration_ends,
      w.tries, w.version as tries_version,
      u.status as user_status, coalesce(u.vip, false) as user_vip,
      u.mobile is not null as user_has_mobile, c.frozen_settings,
      c.auth_settings, c.allowed_countries_id, c.allowed_mccs_id, c.allowed_merchants_id,
      a.currency as account_currency, a.status as account_status, a.balance, a.held, a.floor,
      a.version, c.chain_id, c.velocity_limit_ids as card_limit_ids,
      a.limit_ids as account_limit_ids, u.limit_ids as user_limit_ids
      ${counters ? counterColumns : sql``}
    from unnest(${idArray(card_ids)}::uuid[]) as given (id)
    cross join lateral (
      select * from cards where tenant_id = ${tenant_id} and id = given.id limit 1) c
    left join lateral (
      select currency, status, balance, held, floor, version, counters,
        balance_limit_ids || velocity_limit_ids as limit_ids from accounts
      where tenant_id = ${tenant_id} and id = c.account_id limit 1) a on true
    left join lateral (
      select status, vip, mobile, balance_limit_ids || velocity_limit_ids as limit_ids from users
      where tenant_id = ${tenant_id} and id = c.user_id limit 1) u on true
    left join lateral (
      select tries, version from card_verification_tries
      where tenant_id = ${tenant_id} and card_id = given.id limit 1) w on true
    ${counters ? countersOf(tenant_id) : sql``}`.execute(db)
  return rows.map((columns) => ({
    columns,
    card_id: columns.card_id,
    tries: columns.tries ?? [],
    version: columns.tries_version ?? 0n,
    account: accountOf(columns),
  }))
}

/**
 * The counters that were read with the cards, of each holder once, with the chains of cards that
 * have no row of their own.
 */
export function countersOfCards(cards: readonly GatheredCard[]) {
  const accounts = new Map<string, HolderCounters>()
  const users = new Map<string, HolderCounters>()
  for (const { columns } of cards) {
    const { account_id, account_counters, chain_id, version } = columns
    const { user_id, user_counters, user_counted } = columns
    if (account_counters === undefined || user_counters === undefined) continue
    if (account_id !== null) {
      const chains = new Map(accounts.get(account_id)?.chains)
      if (!mayBeApart(account_counters ?? [], chain_id)) chains.set(chain_id, undefined)
      accounts.set(account_id, holder(account_id, version, account_counters, chains))
    }
    if (user_id !== null) users.set(user_id, holder(user_id, user_counted ?? 0n, user_counters))
  }
  return { accounts, users }
}

const holder = (
  holder_id: string,
  version: bigint,
  counters: StoredCounters | null,
  chains?: ChainCounters,
): HolderCounters => ({
  holder_id,
  version,
  counters: counters ?? [],
  ...(chains && { chains }),
})

function accountOf(columns: CardColumns): Account | undefined {
  const { account_id, account_currency, account_status: status, user_id, card_product_id } = columns
  if (account_id === null || account_currency === null) return undefined
  const { balance, held, floor, version } = columns
  const owners = { user_id, card_product_id }
  return {
    id: account_id,
    currency: account_currency,
    status,
    ...owners,
    balance,
    held,
    floor,
    version,
  }
}

/** A card with the terms of its product. */
function heldCard(columns: CardColumns, { product, layer }: ProductTerms): HeldCard {
  const card = {
    card_id: columns.card_id,
    account_id: columns.account_id,
    user_id: columns.user_id,
    card_product_id: columns.card_product_id,
    status: columns.status,
    status_reason_code: columns.status_reason_code,
    terminated_by_operator: columns.terminated_by_operator,
    expiry_date: columns.expiry_date,
    migration_ends: columns.migration_ends,
    settings: settingsInForce(columns, layer),
    lists: NO_LISTS,
  }
  const { user_status: status, user_vip: vip, user_has_mobile: has_mobile } = columns
  return { card, product, holder: { status, vip, has_mobile } }
}

/** The cards whose product exists, without their lists, by id. */
export const heldCards = (
  cards: readonly GatheredCard[],
  terms: ReadonlyMap<string, ProductTerms>,
): Map<string, HeldCard> =>
  new Map(
    cards.flatMap(({ columns }) => {
      const of = terms.get(columns.card_product_id)
      return of ? [[columns.card_id, heldCard(columns, of)] as const] : []
    }),
  )

/** The tokens by whose numbers messages name their cards. */
export async function listTokens(
  { db, tenant_id }: Context,
  token_ids: readonly string[],
): Promise<Token[]> {
  if (token_ids.length === 0) return []
  const { rows } = await sql<Token>`
    select t.id as token_id, t.status, t.expiry_date
    from unnest(${plainArray(token_ids)}::uuid[]) as given (id)
    cross join lateral (
      select * from tokens where tenant_id = ${tenant_id} and id = given.id limit 1) t`.execute(db)
  return rows
}

type TenantSettings = Selectable<
  Pick<
    Tables['tenants'],
    | ('settings' | 'clock_offset_ms' | 'sealed_responder_secret')
    | ('previous_responder_secret_until' | 'sealed_previous_responder_secret')
  >
>

/** The tenant's clock and settings as they are now, and the subscribers of its events. */
export async function findTenantSettings({ db, tenant_id }: Context) {
  type Row = TenantSettings & { now: Date; subscribers: Subscribers | null }
  const { rows } = await sql<Row>`
    select settings, ${tenantNow} as now, ${subscribersOf(tenant_id)} as subscribers,
      clock_offset_ms, sealed_responder_secret, previous_responder_secret_until,
      sealed_previous_responder_secret
    from tenants t where id = ${tenant_id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error(`there is no tenant ${tenant_id}`)
  return { ...row, subscribers: row.subscribers ?? {} }
}
