/**
 * The terms of card products. Few products have many cards, so a process keeps their terms; what is
 * decided on them is written only while they still have the same version (store/unchanged.ts).
 */

import { sql } from 'kysely'
import type { CardSettings } from '#issuing/cards/cards.ts'
import { listTermsByIds } from '#issuing/limits/limits.ts'
import type { LimitTerms } from '#issuing/limits/rules.ts'
import { emvInForce } from '#issuing/products/products.ts'
import type { Emv } from '#issuing/products/schema.ts'
import type { Context } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import type { CardEvidence } from '../../decide/evidence.ts'
import { KeptTerms } from './kept_terms.ts'

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
  /** Of the balance and velocity limits that are linked to it. */
  limit_ids: readonly string[]
}

type Row = Omit<ProductEvidence, 'emv'> &
  Layer & { id: string; version: bigint; emv: Emv | null; limit_ids: string[] }

export class Products extends KeptTerms<ProductTerms> {
  /** The limits that are linked to products, cards, accounts and users. */
  readonly limits = new KeptTerms<LimitTerms>(listTermsByIds)

  constructor() {
    super(listTerms)
  }
}

async function listTerms(
  { db, tenant_id, profile }: Context,
  ids: readonly string[],
): Promise<ProductTerms[]> {
  const { rows } = await sql<Row>`
    select id, version, currency, partial_approval, identify_above, clearing_tolerance_percent,
      unlinked_credit_max_amount, unlinked_credit_max_daily_amount, emv,
      (pin ->> 'max_tries')::int as pin_max_tries, auth_settings, allowed_countries_id,
      allowed_mccs_id, allowed_merchants_id, balance_limit_ids || velocity_limit_ids as limit_ids
    from card_products
    where tenant_id = ${tenant_id} and id = any (${plainArray(ids)}::uuid[])`.execute(db)
  const unset = profile.strict_terms ? 0n : null
  return rows.map(({ id, version, emv, ...row }) => {
    const { auth_settings, allowed_countries_id, allowed_mccs_id, allowed_merchants_id } = row
    const { currency, partial_approval, identify_above, clearing_tolerance_percent } = row
    return {
      ...{ id, version, limit_ids: row.limit_ids },
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
