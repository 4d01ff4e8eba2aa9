/**
 * Terms that change seldom: a process keeps them. What is decided on them is written only while
 * they still have the same version (store/unchanged.ts).
 */

import type { Context } from '#kit/context.ts'

/** How many a process keeps of each kind. */
const KEPT_MAX = 10_000

export class KeptTerms<Terms extends { id: string }> {
  readonly #kept = new Map<string, Terms>()
  readonly #list: (ctx: Context, ids: readonly string[]) => Promise<Terms[]>

  constructor(list: (ctx: Context, ids: readonly string[]) => Promise<Terms[]>) {
    this.#list = list
  }

  /** The terms as they were read, of any age. */
  async find(ctx: Context, ids: readonly string[]): Promise<Map<string, Terms>> {
    const absent = ids.filter((id) => !this.#kept.has(nameOf(ctx, id)))
    if (absent.length > 0) {
      if (this.#kept.size > KEPT_MAX) this.#kept.clear()
      for (const terms of await this.#list(ctx, absent))
        this.#kept.set(nameOf(ctx, terms.id), terms)
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
