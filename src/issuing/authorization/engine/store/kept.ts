/**
 * The rows that a process keeps because many decisions rest on them. A decision on them is written
 * only while the rows still have the same version (unchanged.ts); after a conflict they are read
 * again.
 */

import type { Context } from '#kit/context.ts'

type Tenant = Pick<Context, 'tenant_id'>

export class Kept<Ref, Value extends Ref> {
  readonly #kept = new Map<string, Value>()
  readonly #keyOf: (ref: Ref) => string
  readonly #read: (ctx: Context, refs: readonly Ref[]) => Promise<readonly Value[]>
  readonly #most: number

  /** `most` values are kept; `keyOf` is unique within a tenant. */
  constructor(
    read: (ctx: Context, refs: readonly Ref[]) => Promise<readonly Value[]>,
    keyOf: (ref: Ref) => string,
    most: number,
  ) {
    this.#read = read
    this.#keyOf = keyOf
    this.#most = most
  }

  /** The values that exist, each once, as they were read, of any age. */
  async find(ctx: Context, refs: readonly Ref[]): Promise<Value[]> {
    // Taken before the reading: meanwhile others may forget them.
    const distinct = new Map(refs.map((ref) => [this.#nameOf(ctx, ref), ref]))
    const found = [...distinct].map(([name, ref]) => ({ ref, value: this.#kept.get(name) }))
    const absent = found.flatMap(({ ref, value }) => (value === undefined ? [ref] : []))
    const known = found.flatMap(({ value }) => value ?? [])
    if (absent.length === 0) return known
    const read = await this.#read(ctx, absent)
    if (this.#kept.size > this.#most) this.#kept.clear()
    for (const value of read) this.#kept.set(this.#nameOf(ctx, value), value)
    return [...known, ...read]
  }

  /** They may have changed: they are read again. */
  forget(tenant: Tenant, refs: Iterable<Ref>): void {
    for (const ref of refs) this.#kept.delete(this.#nameOf(tenant, ref))
  }

  /** Two tenants may use the same id. */
  #nameOf({ tenant_id }: Tenant, ref: Ref): string {
    return `${tenant_id}|${this.#keyOf(ref)}`
  }
}
