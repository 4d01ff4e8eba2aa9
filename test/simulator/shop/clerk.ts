/** One process of the order service, as it works for a shop until it ends. */

import type { Context } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import { ApiError } from '#lib/result.ts'
import { adviceSweep } from '#merchant/acquirer/sweeps.ts'
import { captureOrder, operationTakenBack, refundOrder } from '#merchant/orders/orders.ts'
import { operationSweep } from '#merchant/orders/sweeps.ts'
import type { Shop } from '#test/e2e/shop.ts'
import type { Schedule } from '../schedule.ts'
import { type Fate, waitingDatabase } from '../waiting_database.ts'
import { SimulatedLink, type Way } from './simulated_link.ts'

export type ClerkOptions = {
  shop: Shop
  db: Db
  schedule: Schedule
  name: string
  fate: () => Fate
  way: () => Way
}

/** The shop's knowledge of an operation. */
export type Known = 'succeeded' | 'failed' | 'unknown'

type Request = { type: 'CAPTURE' | 'REFUND'; reference: string; total: string; final?: boolean }

/** A process that is gone sees nothing any more, and does not try again. */
class Gone extends Error {}

export class Clerk {
  readonly name: string
  readonly #options: ClerkOptions
  readonly #db: Db
  readonly #link: SimulatedLink
  readonly #ended = Promise.withResolvers<Known>()
  #isOver = false

  constructor(options: ClerkOptions) {
    const { shop, db, schedule, name, fate, way } = options
    this.name = name
    this.#options = options
    const isOver = () => this.#isOver
    const conditions = { schedule, name, isOver, fate, delay: () => 0, gone: () => new Gone() }
    this.#db = waitingDatabase(db.forTenant(shop.tenant.id), conditions)
    this.#link = new SimulatedLink({
      port: shop.issuer_port,
      log: shop.log,
      name,
      schedule,
      isOver,
      way,
    })
  }

  perform(request: Request): Promise<Known> {
    if (this.#isOver) return Promise.resolve('failed')
    return Promise.race([this.#perform(request), this.#ended.promise])
  }

  async #perform({ type, reference, total, final = false }: Request): Promise<Known> {
    const ctx = await this.#context()
    try {
      const { status } =
        type === 'CAPTURE'
          ? await captureOrder(ctx, this.#link, reference, { total, final })
          : await refundOrder(ctx, this.#link, reference, { total, currency: 'AED' })
      return status === 'SUCCESS' ? 'succeeded' : 'failed'
    } catch (error) {
      this.#options.schedule.note(`${this.name}: ${String(error)}`)
      const isKnown = error instanceof ApiError && error.code !== 'outcome_unknown'
      return isKnown ? 'failed' : 'unknown'
    }
  }

  /** Continues what is due, of whatever process it was. */
  async sweep(): Promise<void> {
    if (this.#isOver) return
    const ctx = await this.#context()
    const sweeps = [
      operationSweep(this.#link, null),
      adviceSweep(this.#link, null, operationTakenBack),
    ]
    // A failed sweep is repeated by the next one.
    for (const sweep of sweeps) await sweep.run(ctx).catch(() => {})
  }

  end(): void {
    this.#isOver = true
    this.#ended.resolve('unknown')
  }

  close(): Promise<void> {
    return this.#link.close()
  }

  async #context(): Promise<Context> {
    const { shop } = this.#options
    const actor = { kind: 'merchant', id: shop.merchant.id } as const
    return { ...(await shop.ctx()), db: this.#db, actor }
  }
}
