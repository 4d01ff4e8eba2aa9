/**
 * Batches of one tenant that follow each other. Each is decided on the writes of those before it,
 * and written behind them on one connection, before their outcome is known: so one account's
 * batches keep this process and the database busy at once. A batch that fails takes those behind it
 * with it, because each is written only if the one before it was committed.
 */

import { afterCommitted, type Context, onLine } from '#kit/context.ts'
import type { Line } from '#kit/db/connections/line.ts'
import type { Db } from '#kit/db/database.ts'
import { apart, type Left } from './apart.ts'
import { type Decided, decideBatch, hasEffect, isFollowable, writeBatch } from './batch.ts'
import { gather } from './gathering/gather.ts'
import type { Pending } from './pending.ts'
import type { Products } from './store/products.ts'

/** A batch before this one failed. Nothing of this one was committed. */
export class BatchBefore extends Error {
  override name = 'BatchBefore'
}

export type Batch = {
  /** Its messages; once it is decided, without those that have left it. */
  taken: readonly Pending[]
  decided: Decided | undefined
  /** Set once it has ended: undefined if it was committed. */
  ended: { error: unknown } | undefined
  end: Promise<void>
}

export class Chain {
  readonly #ctx: Context
  readonly #products: Products
  readonly #following: readonly number[]
  /**
   * The batches that are not committed, the earliest first; after a failure those that had to fail.
   */
  readonly batches: Batch[] = []
  /** One of them has failed: no further batch is added. */
  broken = false
  #reading = false
  /** Batches that are sent and not answered, and the connection that they are sent on. */
  #writing = 0
  #line: Promise<Line<Db>> | undefined

  /** `following` as in EngineLimits. */
  constructor(ctx: Context, products: Products, following: readonly number[]) {
    this.#ctx = ctx
    this.#following = following
    this.#products = products
  }

  /**
   * Whether a batch may be added; `open` are the messages without an answer. If other tenants wait
   * for a connection the chain ends, so that they get this one.
   */
  canFollow(open: number): boolean {
    const taken = this.batches.reduce((sum, batch) => sum + batch.taken.length, 0)
    const enough = this.#following[this.batches.length] ?? Number.POSITIVE_INFINITY
    if (this.#reading || this.broken || open - taken < enough) return false
    return this.batches.length === 0 || this.#ctx.db.connections().awaited === 0
  }

  /**
   * Decides and writes a batch. `onLeft` is called with the messages that leave it, `onDecided`
   * when the next one may be added, with its decisions unless it failed. Resolves when it is
   * committed, with the answers. Rejects with BatchBefore, with CommitInDoubt if the outcome is
   * unknown, or with the reason why nothing was committed.
   */
  async run(
    taken: readonly Pending[],
    onLeft: (left: readonly Left[]) => void,
    onDecided: (decided: Decided | undefined) => void,
  ): Promise<Decided> {
    const { promise: end, resolve } = Promise.withResolvers<void>()
    const batch: Batch = { taken, decided: undefined, ended: undefined, end }
    this.batches.push(batch)
    this.#reading = true
    try {
      const committed = await this.#write(batch, onLeft).finally(() => {
        this.#reading = false
        onDecided(batch.decided)
      })
      const decided = await committed.done
      this.batches.splice(this.batches.indexOf(batch), 1)
      return decided
    } catch (error) {
      this.broken = true
      batch.ended = { error }
      throw error
    } finally {
      batch.ended ??= { error: undefined }
      resolve()
    }
  }

  /** Resolves once it is sent, with the promise of its commit. */
  async #write(
    batch: Batch,
    onLeft: (left: readonly Left[]) => void,
  ): Promise<{ done: Promise<Decided> }> {
    const { decided, left } = apart(await this.#decide(batch))
    batch.decided = decided
    batch.taken = decided.taken
    if (left.length > 0) onLeft(left)
    if (decided.taken.length === 0) return { done: Promise.resolve(decided) }
    const before = this.#before(batch)
    if (!hasEffect(decided)) return { done: this.#afterThose(before, decided) }
    this.#line ??= this.#ctx.db.openLine()
    this.#writing += 1
    const done = this.#send(this.#line, batch, decided).finally(() => this.#written())
    done.catch(() => {})
    // The next one changes the same rows in memory: it begins once these have been sent.
    await this.#line.catch(() => {})
    return { done }
  }

  /** While nothing is written the connection is free for other tenants. */
  #written(): void {
    this.#writing -= 1
    if (this.#writing > 0) return
    const line = this.#line
    this.#line = undefined
    line?.then((opened) => opened.release()).catch(() => {})
  }

  async #decide(batch: Batch): Promise<Decided> {
    for (;;) {
      const before = this.#before(batch)
      const read = await this.#ctx.db.runSession(async (db) => {
        const ctx = { ...this.#ctx, db }
        return gather({ ctx, locking: false }, this.#products, batch.taken)
      })
      this.#assertWhole()
      const sets = before.flatMap(({ decided }) => decided ?? [])
      if (sets.every(isFollowable)) {
        return decideBatch(
          this.#ctx,
          read,
          sets.map(({ workingSet }) => workingSet),
          { asks: true },
        )
      }
      await Promise.all(before.map(({ end }) => end))
    }
  }

  async #send(opening: Promise<Line<Db>>, batch: Batch, decided: Decided): Promise<Decided> {
    const line = await opening
    this.#assertWhole()
    const after = this.#before(batch).findLast((one) => one.decided && hasEffect(one.decided))
    const actions: (() => void)[] = []
    const { now } = decided.workingSet
    await line.send((db) => {
      const tx = onLine({ ...this.#ctx, now }, db, (action) => actions.push(action))
      return writeBatch(tx, decided, after?.decided?.id)
    })
    afterCommitted(actions)
    return decided
  }

  /** It has nothing to write; its answers may repeat what the batches before it are writing. */
  async #afterThose(before: readonly Batch[], decided: Decided): Promise<Decided> {
    await Promise.all(before.map(({ end }) => end))
    this.#assertWhole()
    return decided
  }

  #before(batch: Batch): Batch[] {
    return this.batches.slice(0, this.batches.indexOf(batch))
  }

  #assertWhole(): void {
    if (this.broken) throw new BatchBefore()
  }
}
