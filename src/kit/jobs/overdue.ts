/**
 * How long tenants have had due work, as the rounds of one sweep find it (D-672). It costs no
 * statement: a round looks for them anyway.
 */

/** A look begins at least so often; the rounds between two looks see only tenants that are named. */
const LOOK_MS = 1_000
/** Only so many tenants are noted: they have waited longer than the further ones. */
const NOTED_MAX = 10_000

/** Instants are of the monotonic clock, milliseconds. */
type Noted = { since: number; seen: number }

export class OverdueTenants {
  readonly #noted = new Map<string, Noted>()
  #began = 0

  /** A round over all tenants begins. */
  begin(now: number): void {
    this.#began = now
  }

  /** Tenants with due work. */
  find(tenant_ids: readonly string[], now: number): void {
    for (const id of tenant_ids) {
      const known = this.#noted.get(id)
      if (known) known.seen = now
      else if (this.#noted.size < NOTED_MAX) this.#noted.set(id, { since: now, seen: now })
    }
  }

  /** A turn of the tenant has ended without a fault, and left no due work that it could do. */
  serve(tenant_id: string): void {
    this.#noted.delete(tenant_id)
  }

  /** The round has ended: whom it did not find has no due work, or another process has it in hand. */
  end(): void {
    for (const [id, { seen }] of this.#noted) {
      if (seen < this.#began - LOOK_MS) this.#noted.delete(id)
    }
  }

  /** Tenants with due work, and for how long the first of them has had it. */
  read(now: number): { tenants: number; seconds: number } {
    const [first] = this.#noted.values()
    return { tenants: this.#noted.size, seconds: first ? (now - first.since) / 1000 : 0 }
  }
}
