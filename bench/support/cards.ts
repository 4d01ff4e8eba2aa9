/** Many funded cards: numbers and products by their use cases, plain rows in bulk. */

import { sql } from 'kysely'
import { openCardAccount, programAccountId } from '#issuing/ledger/ledger.ts'
import { createProduct, markProductActive } from '#issuing/products/products.ts'
import { createTenant } from '#issuing/tenants/tenants.ts'
import { createUser } from '#issuing/users/users.ts'
import { issueNumbers, NUMBERS_MAX, revealNumber } from '#issuing/vault/vault.ts'
import type { Context, Tx } from '#kit/context.ts'
import { transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { endOfMonth } from '#lib/time.ts'

export const CURRENCY = 'AED'
/** Enough for every measurement: no card runs out of funds. */
const FUNDED = 1_000_000_000n

const AT_ONCE = 500

export type Deck = { tenant_id: string; card_product_id: string; card_ids: string[] }

export type Dealing = {
  bin?: string
  /** All cards are on one account, as those of a company. */
  one_account?: boolean
}

export async function dealCards(
  operator: Context,
  count: number,
  { bin = '400000', one_account = false }: Dealing = {},
): Promise<Deck> {
  const { tenant } = await createTenant(operator, { name: 'bench' })
  const ctx = { ...operator, tenant_id: tenant.id }
  const user = await createUser(ctx, { user_type: 'INDIVIDUAL', first_name: 'Bench' })
  const product = await createProduct(ctx, { name: 'bench', currency: CURRENCY, bin })
  const owners = { user_id: user.id, card_product_id: product.id }
  const shared = one_account ? newId() : undefined
  if (shared) await transact(ctx, (tx) => openAccounts(tx, owners, [shared]))
  const card_ids: string[] = []
  while (card_ids.length < count) {
    const portion = Math.min(NUMBERS_MAX, count - card_ids.length)
    card_ids.push(...(await transact(ctx, (tx) => deal(tx, owners, portion, shared))))
  }
  await transact(ctx, (tx) => markProductActive(tx, product.id).start())
  return { tenant_id: tenant.id, card_product_id: product.id, card_ids }
}

/** The numbers of cards, some at a time. */
export async function numbersOf(ctx: Context, card_ids: readonly string[]): Promise<string[]> {
  const pans: string[] = []
  for (let at = 0; at < card_ids.length; at += AT_ONCE) {
    const some = card_ids.slice(at, at + AT_ONCE)
    const secrets = await Promise.all(some.map((card_id) => revealNumber(ctx, card_id)))
    pans.push(...secrets.map((pan) => pan.reveal()))
  }
  return pans
}

type Owners = { user_id: string; card_product_id: string }

/** Each on an account of its own, or all on the one that is given. */
async function deal(tx: Tx, owners: Owners, count: number, shared?: string) {
  const { user_id, card_product_id } = owners
  const card_ids = Array.from({ length: count }, () => newId())
  const account_ids = card_ids.map(() => shared ?? newId())
  if (!shared) await openAccounts(tx, owners, account_ids)
  const numbers = await issueNumbers(tx, { card_product_id, card_ids })
  await sql`
    insert into cards (tenant_id, user_id, card_product_id, card_type, status, status_reason_code,
      expiry_date, valid_until, auth_settings, created, modified, chain_id, id, account_id, bin,
      last_four)
    select ${tx.tenant_id}::uuid, ${user_id}::uuid, ${card_product_id}::uuid, 'VIRTUAL', 'ACTIVE',
      'A0', '2099-12', ${endOfMonth('2099-12')}::timestamptz, '{}', ${tx.now}::timestamptz,
      ${tx.now}::timestamptz, *
    from unnest(${card_ids}::uuid[], ${card_ids}::uuid[], ${account_ids}::uuid[],
      ${numbers.map(({ bin }) => bin)}::text[],
      ${numbers.map(({ last_four }) => last_four)}::text[])`.execute(tx.db)
  return card_ids
}

async function openAccounts(tx: Tx, owners: Owners, ids: string[]) {
  const { user_id, card_product_id: product } = owners
  await openCardAccount(tx, { currency: CURRENCY, user_id, card_product_id: product })
  const external = programAccountId(tx.tenant_id, 'EXTERNAL', CURRENCY)
  await sql`
    insert into accounts (tenant_id, kind, currency, status, user_id, card_product_id, balance,
      created, modified, id)
    select ${tx.tenant_id}::uuid, 'CARD', ${CURRENCY}::text, 'ACTIVE', ${user_id}::uuid,
      ${product}::uuid, ${FUNDED}::bigint, ${tx.now}::timestamptz, ${tx.now}::timestamptz, *
    from unnest(${ids}::uuid[])`.execute(tx.db)
  await sql`
    insert into transfers (tenant_id, kind, debit_account_id, currency, amount, created, id,
      credit_account_id)
    select ${tx.tenant_id}::uuid, 'LOAD', ${external}::uuid, ${CURRENCY}::text, ${FUNDED}::bigint,
      ${tx.now}::timestamptz, *
    from unnest(${ids.map(() => newId())}::uuid[], ${ids}::uuid[])`.execute(tx.db)
}
