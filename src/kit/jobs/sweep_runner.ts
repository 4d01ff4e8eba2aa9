/**
 * The rounds of sweeps. In a round a sweep serves the tenants that were named to it since, and now
 * and then looks for others: all of them in the order of their ids, so that none waits behind a
 * hundred busy ones (D-351). If its work is in `due_work`, the look is shared with the other
 * sweeps, and the tenant's time is set anew as its turn ends (D-691).
 */

import { type Context, transact } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import { inSpan } from '#kit/tracing/tracing.ts'
import { createDueFinder, type DueTenantsFound, TENANTS_PER_ROUND } from './due_finder.ts'
import { FIRST_ID } from './due_tenants.ts'
import { settle } from './due_work.ts'
import { OverdueTenants } from './overdue.ts'
import type { ParallelTenants } from './parallel_tenants.ts'
import { ON_A_CLUSTER, POLL_MS, type Sweep } from './sweep.ts'

/** A bound on the portions of one tenant, so that the others have their turn. */
const PORTIONS_PER_TURN = 20

type Parts = {
  db: Db
  contextOf: (tenant_id: string) => Promise<Context>
  mustRest: () => boolean
  wake: (sweep: Sweep) => void
  /** A failure that the round goes on after. */
  fail: (sweep: Sweep, error: unknown, tenant_id: string) => void
  /** Whether the clocks of tenants may be ahead of the database's. */
  moves_clocks: boolean
  /** In tests only: each poll looks for tenants, whatever the pace of the sweep. */
  hurries?: boolean | undefined
}

/** The state of one sweep. */
type State = {
  /** Tenants that have a turn in the next round, and those that failed and have one later. */
  named: Set<string>
  failed: Set<string>
  /** Whether the next round looks for tenants, and after which id it goes on. */
  mustLook: boolean
  place: string
  /** When the last pass over all tenants began. */
  looked: number
  late: OverdueTenants
}

export class SweepRunner {
  readonly #parts: Parts
  readonly #everyone: Db
  readonly #look: ReturnType<typeof createDueFinder>
  readonly #states = new Map<Sweep, State>()
  #factor = 1
  #looking: Promise<unknown> = Promise.resolve()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#everyone = parts.db.overAllTenants()
    this.#look = createDueFinder(this.#everyone, parts.moves_clocks)
  }

  /** Once a second: failed tenants are tried again, and the sweep looks for tenants at its pace. */
  poll(sweep: Sweep): void {
    const state = this.#of(sweep)
    for (const id of state.failed) state.named.add(id)
    state.failed.clear()
    const pace_ms = this.#parts.hurries ? POLL_MS : (sweep.every_ms ?? POLL_MS)
    const every_ms = pace_ms * this.#factor
    // All sweeps of one pace look in the same poll, and share a statement.
    const timeOf = (instant: number) => Math.floor(instant / every_ms)
    if (timeOf(performance.now()) > timeOf(state.looked)) state.mustLook = true
  }

  /** The next round looks for tenants. */
  look(sweep: Sweep): void {
    this.#of(sweep).mustLook = true
  }

  /** The tenant has a turn in the next round, or the next but one if it has one now. */
  name(sweep: Sweep, tenant_id: string): void {
    this.#of(sweep).named.add(tenant_id)
  }

  async make(sweep: Sweep, turns: ParallelTenants): Promise<void> {
    const { mustRest } = this.#parts
    const state = this.#of(sweep)
    const names = new Set([...state.named, ...(sweep.named?.() ?? [])])
    state.late.find([...names], performance.now())
    for (const tenant_id of names) {
      if (mustRest()) return
      state.named.delete(tenant_id)
      await turns.begin(tenant_id, () => this.#turn(sweep, tenant_id))
    }
    while (state.mustLook && !mustRest()) {
      for (const tenant_id of await this.#lookOn(sweep, state)) {
        if (mustRest()) return
        await turns.begin(tenant_id, () => this.#turn(sweep, tenant_id, true))
      }
    }
    await turns.waitBriefly()
  }

  /** How far each sweep is behind: the tenants that have waited, and how long. */
  measure(): { sweep: string; tenants: number; seconds: number }[] {
    const now = performance.now()
    return [...this.#states].map(([{ name }, { late }]) => ({ sweep: name, ...late.read(now) }))
  }

  #of(sweep: Sweep): State {
    const known = this.#states.get(sweep)
    if (known) return known
    const [named, failed] = [new Set<string>(), new Set<string>()]
    const looks = { mustLook: true, place: FIRST_ID, looked: Number.NEGATIVE_INFINITY }
    const state = { named, failed, ...looks, late: new OverdueTenants() }
    this.#states.set(sweep, state)
    return state
  }

  /** The next tenants of a pass over all; after an interrupted round the next goes on there. */
  async #lookOn(sweep: Sweep, state: State): Promise<readonly string[]> {
    const { late, place } = state
    if (place === FIRST_ID) {
      this.#factor = (await this.#everyone.isSpread()) ? ON_A_CLUSTER : 1
      state.looked = performance.now()
      late.begin(state.looked)
    }
    const { found, last } = await this.#find(sweep, place)
    late.find(found, performance.now())
    state.place = last ?? FIRST_ID
    if (last === undefined) {
      state.mustLook = false
      late.end()
    }
    return found
  }

  async #find(sweep: Sweep, from: string): Promise<DueTenantsFound> {
    const { earliest } = sweep
    if (earliest) return this.#look({ ...sweep, earliest }, from)
    const found = await this.#inTurn(() =>
      sweep.dueTenants(this.#everyone, from, TENANTS_PER_ROUND),
    )
    const last = found.length === TENANTS_PER_ROUND ? found.at(-1) : undefined
    return { found, ...(last !== undefined && { last }) }
  }

  /**
   * Looks that sweeps make by themselves are due at one time. One after another they use one
   * connection, which has prepared them; on a cluster each connection that looks opens one to every
   * node besides (D-865).
   */
  #inTurn(look: () => Promise<string[]>): Promise<string[]> {
    const turn = this.#looking.then(look)
    this.#looking = turn.catch(() => {})
    return turn
  }

  async #turn(sweep: Sweep, tenant_id: string, isFound = false): Promise<void> {
    const { fail } = this.#parts
    const state = this.#of(sweep)
    const { earliest } = sweep
    // Its node does not answer, which is named once; it is asked for again at each poll.
    if (await this.#everyone.isAway(tenant_id)) {
      state.failed.add(tenant_id)
      return
    }
    try {
      const ctx = await this.#portions(sweep, tenant_id)
      if (!ctx) return
      state.late.serve(tenant_id)
      // A named tenant is found too, if its work is in `due_work`; once a second is enough.
      if (isFound && earliest) await transact(ctx, (tx) => settle(tx, { ...sweep, earliest }))
    } catch (error) {
      // A failure of this tenant must not delay the others.
      state.failed.add(tenant_id)
      if (!(await this.#everyone.isOfNode(error))) fail(sweep, error, tenant_id)
    }
  }

  /** The context of the last portion if nothing is left that this process can do. */
  async #portions(sweep: Sweep, tenant_id: string): Promise<Context | undefined> {
    const { mustRest, contextOf, wake } = this.#parts
    for (let portion = 0; portion < PORTIONS_PER_TURN && !mustRest(); portion++) {
      const ctx = await contextOf(tenant_id)
      const run = () => sweep.run(ctx)
      const done = await inSpan(`job ${sweep.name}`, { attributes: { tenant_id } }, run)
      if (!done.more) return ctx
    }
    this.name(sweep, tenant_id)
    if (!mustRest()) wake(sweep)
    return undefined
  }
}
