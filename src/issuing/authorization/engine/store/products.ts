/**
 * The terms of card products. Few products have many cards, so a process keeps their terms; a
 * decision on them is written only while they still have the same version (store/unchanged.ts).
 */

import { sql } from 'kysely'
import type { CardSettings } from '#issuing/cards/cards.ts'
import { listTermsByIds } from '#issuing/limits/limits.ts'
import type { LimitTerms } from '#issuing/limits/rules.ts'
import { type ListRef, listRules } from '#issuing/lists/lists.ts'
import type { ListRule } from '#issuing/lists/rules.ts'
import { emvInForce } from '#issuing/products/products.ts'
import type { Emv } from '#issuing/products/schema.ts'
import { type AppliedRate, type CurrencyPair, listAppliedRates } from '#issuing/rates/rates.ts'
import { NumberOwners } from '#issuing/vault/vault.ts'
import type { Context } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import { rateKey } from '../../decide/money/billing.ts'
import type { Product } from '../../decide/rows.ts'
import { Kept } from './kept.ts'
import { listKey } from './lists.ts'

type Layer = CardSettings['card']

export type ProductTerms = {
  id: string
  version: bigint
  product: Product
  layer: Layer
  /** The balance and velocity limits that are linked to it. */
  limit_ids: readonly string[]
}

/** The terms that a batch was decided on. */
export type KeptTerms = {
  products: readonly ProductTerms[]
  lists: readonly ListRule[]
  limits: readonly LimitTerms[]
  rates: readonly AppliedRate[]
}

type Row = Omit<Product, 'emv'> &
  Layer & { id: string; version: bigint; emv: Emv | null; limit_ids: string[] }

type Tenant = Pick<Context, 'tenant_id'>

/** Products whose terms a process keeps. */
const KEPT_MAX = 10_000
/** Lists that it keeps; each has at most 1,000 entries. */
const LISTS_KEPT_MAX = 2000
/** Pairs of currencies whose rates it keeps. */
const RATES_KEPT_MAX = 10_000
const LIMITS_KEPT_MAX = 10_000

/**
 * The terms of products, the limits and lists linked to products and cards, rates, and owners of
 * numbers.
 */
export class Products {
  readonly owners = new NumberOwners()
  readonly #terms = new Kept(listTerms, ({ id }: { id: string }) => id, KEPT_MAX)
  readonly #lists = new Kept(listRules, listKey, LISTS_KEPT_MAX)
  readonly #limits = new Kept(listLimitTerms, ({ id }: { id: string }) => id, LIMITS_KEPT_MAX)
  readonly #limited = new Set<string>()
  readonly #rates = new Kept(
    listAppliedRates,
    ({ from, to }: CurrencyPair) => rateKey(from, to),
    RATES_KEPT_MAX,
  )

  /** The terms as they were read, of any age. */
  async find(ctx: Context, ids: readonly string[]): Promise<Map<string, ProductTerms>> {
    const found = await this.#terms.find(
      ctx,
      ids.map((id) => ({ id })),
    )
    return new Map(found.map((terms) => [terms.id, terms]))
  }

  /** The lists as they were read, of any age. */
  findLists(ctx: Context, refs: readonly ListRef[]): Promise<ListRule[]> {
    return this.#lists.find(ctx, refs)
  }

  /** The limits that are linked to products, cards, accounts and users, as they were read. */
  async findLimits(ctx: Context, ids: readonly string[]): Promise<Map<string, LimitTerms>> {
    const refs = ids.map((id) => ({ id }))
    const found = await this.#limits.find(ctx, refs)
    return new Map(found.map((limit) => [limit.id, limit]))
  }

  /** Whether limits were linked to the cards of the tenant's last batch. */
  hasLimits({ tenant_id }: Tenant): boolean {
    return this.#limited.has(tenant_id)
  }

  noteLimits({ tenant_id }: Tenant, isLimited: boolean): void {
    if (isLimited) this.#limited.add(tenant_id)
    else this.#limited.delete(tenant_id)
  }

  /** The rates as they were read, of any age; those that do not exist are kept as such. */
  findRates(ctx: Context, pairs: readonly CurrencyPair[]): Promise<AppliedRate[]> {
    return this.#rates.find(ctx, pairs)
  }

  /** They may have changed: they are read again. */
  forget(tenant: Tenant, { products, lists, limits, rates }: KeptTerms): void {
    this.#terms.forget(tenant, products)
    this.#lists.forget(tenant, lists)
    this.#limits.forget(tenant, limits)
    this.#rates.forget(tenant, rates)
  }
}

const listLimitTerms = (ctx: Context, limits: readonly { id: string }[]) =>
  listTermsByIds(
    ctx,
    limits.map(({ id }) => id),
  )

async function listTerms(
  { db, tenant_id, profile }: Context,
  products: readonly { id: string }[],
): Promise<ProductTerms[]> {
  const ids = products.map(({ id }) => id)
  const { rows } = await sql<Row>`
    select id, version, currency, partial_approval, identify_above, clearing_tolerance_percent,
      unlinked_credit_max_amount, unlinked_credit_max_daily_amount, emv, otp_3ds,
      responder, charges, allow_negative_charges,
      (pin ->> 'max_tries')::int as pin_max_tries, auth_settings, allowed_countries_id,
      allowed_mccs_id, allowed_merchants_id, balance_limit_ids || velocity_limit_ids as limit_ids
    from card_products
    where tenant_id = ${tenant_id} and id = any (${plainArray(ids)}::uuid[])`.execute(db)
  const unset = profile.strict_terms ? 0n : null
  return rows.map(({ id, version, emv, ...row }) => {
    const { auth_settings, allowed_countries_id, allowed_mccs_id, allowed_merchants_id } = row
    const { currency, partial_approval, identify_above, clearing_tolerance_percent } = row
    return {
      id,
      version,
      limit_ids: row.limit_ids,
      layer: { auth_settings, allowed_countries_id, allowed_mccs_id, allowed_merchants_id },
      product: {
        currency,
        partial_approval,
        identify_above,
        clearing_tolerance_percent,
        unlinked_credit_max_amount: row.unlinked_credit_max_amount ?? unset,
        unlinked_credit_max_daily_amount: row.unlinked_credit_max_daily_amount ?? unset,
        emv: emvInForce(emv, profile),
        pin_max_tries: row.pin_max_tries,
        otp_3ds: row.otp_3ds,
        responder: row.responder,
        charges: row.charges,
        allow_negative_charges: row.allow_negative_charges,
      },
    }
  })
}
