/**
 * Rates of exchange. A process keeps those that it has used, and that there is none; what it
 * decides on them is written only while they still apply (store/unchanged.ts).
 */

import { type AppliedRate, type CurrencyPair, listAppliedRates } from '#issuing/rates/rates.ts'
import type { Context } from '#kit/context.ts'
import { rateKey } from '../../decide/billing.ts'

/** Pairs of currencies whose rates a process keeps, over all tenants. */
const KEPT_MAX = 10_000

export class Rates {
  readonly #kept = new Map<string, AppliedRate>()

  /** The rates as they were read, of any age. */
  async find(ctx: Context, pairs: readonly CurrencyPair[]): Promise<AppliedRate[]> {
    const distinct = new Map(pairs.map((pair) => [nameOf(ctx, pair), pair]))
    const absent = [...distinct].flatMap(([name, pair]) => (this.#kept.has(name) ? [] : [pair]))
    if (absent.length > 0) {
      if (this.#kept.size > KEPT_MAX) this.#kept.clear()
      for (const rate of await listAppliedRates(ctx, absent))
        this.#kept.set(nameOf(ctx, rate), rate)
    }
    return [...distinct.keys()].flatMap((name) => this.#kept.get(name) ?? [])
  }

  /** They may have changed: they are read again. */
  forget(tenant: Pick<Context, 'tenant_id'>, rates: readonly AppliedRate[]): void {
    for (const rate of rates) this.#kept.delete(nameOf(tenant, rate))
  }
}

const nameOf = ({ tenant_id }: Pick<Context, 'tenant_id'>, { from, to }: CurrencyPair): string =>
  `${tenant_id}|${rateKey(from, to)}`

/** As decisions find them. */
export const ratesByKey = (rates: readonly AppliedRate[]): Map<string, string> =>
  new Map(rates.flatMap(({ from, to, rate }) => (rate === null ? [] : [[rateKey(from, to), rate]])))
