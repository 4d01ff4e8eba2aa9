/**
 * The terms of card products. Few products have many cards, so a process keeps their terms; what is
 * decided on them is written only while they still have the same version (store/unchanged.ts).
 */

import { sql } from 'kysely'
import type { CardSettings } from '#issuing/cards/cards.ts'
import { emvInForce } from '#issuing/products/products.ts'
import type { Emv } from '#issuing/products/schema.ts'
import type { Context } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import type { CardEvidence } from '../../decide/evidence.ts'
import { Rates } from './rates.ts'

type Layer = CardSettings['card']

/** What of the evidence about a card is the same for all cards of its product. */
type ProductEvidence = Pick<
  CardEvidence,
  | 'currency'
  | 'partial_approval'
  | 'identify_above'
  | 'clearing_tolerance_percent'
  | 'unlinked_credit_max_amount'
  | 'unlinked_credit_max_daily_amount'
  | 'emv'
  | 'pin_max_tries'
>
export type ProductTerms = {
  id: string
  version: bigint
  evidence: ProductEvidence
  layer: Layer
}

type Row = Omit<ProductEvidence, 'emv'> & Layer & { id: string; version: bigint; emv: Emv | null }

/** Products whose terms a process keeps. */
const KEPT_MAX = 10_000

export class Products {
  readonly #kept = new Map<string, ProductTerms>()
  /** Rates are kept likewise. */
  readonly rates = new Rates()

  /** The terms as they were read, of any age. */
  async find(ctx: Context, ids: readonly string[]): Promise<Map<string, ProductTerms>> {
    const absent = ids.filter((id) => !this.#kept.has(nameOf(ctx, id)))
    if (absent.length > 0) {
      if (this.#kept.size > KEPT_MAX) this.#kept.clear()
      for (const terms of await listTerms(ctx, absent)) this.#kept.set(nameOf(ctx, terms.id), terms)
    }
    const found = ids.flatMap((id) => this.#kept.get(nameOf(ctx, id)) ?? [])
    return new Map(found.map((terms) => [terms.id, terms]))
  }

  /** They may have changed: they are read again. */
  forget(ctx: Pick<Context, 'tenant_id'>, ids: Iterable<string>): void {
    for (const id of ids) this.#kept.delete(nameOf(ctx, id))
  }
}

/** Two tenants may use the same id. */
const nameOf = ({ tenant_id }: Pick<Context, 'tenant_id'>, id: string) => `${tenant_id}|${id}`

async function listTerms(
  { db, tenant_id, profile }: Context,
  ids: readonly string[],
): Promise<ProductTerms[]> {
  const { rows } = await sql<Row>`
    select id, version, currency, partial_approval, identify_above, clearing_tolerance_percent,
      unlinked_credit_max_amount, unlinked_credit_max_daily_amount, emv,
      (pin ->> 'max_tries')::int as pin_max_tries, auth_settings, allowed_countries_id,
      allowed_mccs_id, allowed_merchants_id
    from card_products
    where tenant_id = ${tenant_id} and id = any (${plainArray(ids)}::uuid[])`.execute(db)
  const unset = profile.strict_terms ? 0n : null
  return rows.map(({ id, version, emv, ...row }) => {
    const { auth_settings, allowed_countries_id, allowed_mccs_id, allowed_merchants_id } = row
    const { currency, partial_approval, identify_above, clearing_tolerance_percent } = row
    return {
      ...{ id, version },
      layer: { auth_settings, allowed_countries_id, allowed_mccs_id, allowed_merchants_id },
      evidence: {
        ...{ currency, partial_approval, identify_above, clearing_tolerance_percent },
        unlinked_credit_max_amount: row.unlinked_credit_max_amount ?? unset,
        unlinked_credit_max_daily_amount: row.unlinked_credit_max_daily_amount ?? unset,
        emv: emvInForce(emv, profile),
        pin_max_tries: row.pin_max_tries,
      },
    }
  })
}
