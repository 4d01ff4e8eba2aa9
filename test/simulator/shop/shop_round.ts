/** Orders of one shop at one time: captures in parts and refunds that race, at several processes. */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import type { Customer, Shop } from '#test/e2e/shop.ts'
import { patiently } from '../patiently.ts'
import { Schedule } from '../schedule.ts'
import { Clerk } from './clerk.ts'
import { Operations } from './order_belief.ts'
import type { Way } from './simulated_link.ts'

export type Bought = { reference: string; captures: Operations; refunds: Operations }

const LOSE: readonly [Way, ...Way[]] = [
  'never sent',
  'lost before it arrives',
  'its answer is lost',
]
const PARTS = [1_000n, 2_011n, 3_337n, 10_050n] as const

export class ShopRound {
  readonly schedule: Schedule
  readonly bought: Bought[] = []
  readonly #shop: Shop
  readonly #databases: readonly Db[]
  readonly #lost: number
  readonly #doubts: number
  readonly #all: Clerk[] = []
  #running: Clerk[] = []
  readonly #lose: readonly [Way, ...Way[]]
  #isOver = false

  /** Messages that do not go the whole way are lost in one of these ways. */
  constructor(shop: Shop, databases: readonly Db[], seed: number, lose = LOSE) {
    this.#lose = lose
    this.#shop = shop
    this.#databases = databases
    this.schedule = new Schedule(seed)
    this.#lost = this.schedule.pick([0, 10, 25])
    this.#doubts = this.schedule.pick([0, 0, 4])
  }

  async run(customer: Customer): Promise<void> {
    const { schedule } = this
    for (let at = 0; at < 2; at += 1) this.#begin(at, 0)
    for (let count = 1 + schedule.upTo(3); count > 0; count -= 1) {
      const { reference } = await this.#shop.order(customer)
      this.bought.push({ reference, captures: new Operations(), refunds: new Operations() })
    }
    const background = Promise.all([this.#ends(), this.#sweeps()])
    // Awaited below, and by then it may have failed.
    background.catch(() => {})
    await schedule.drive(Promise.all(this.bought.map((one) => this.#sell(one))))
    this.#isOver = true
    await schedule.drive(background)
    await schedule.drive(this.#quiet())
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map((clerk) => clerk.close()))
  }

  /** Captures, some at one time; then refunds of what was captured, the same way. */
  async #sell({ reference, captures, refunds }: Bought): Promise<void> {
    for (const type of ['CAPTURE', 'REFUND'] as const) {
      for (let times = 1 + this.schedule.upTo(2); times > 0; times -= 1) {
        const together = Array.from({ length: 1 + this.schedule.upTo(2) }, () =>
          this.#try({ type, reference }, type === 'CAPTURE' ? captures : refunds),
        )
        await Promise.all(together)
      }
    }
  }

  async #try(
    request: { type: 'CAPTURE' | 'REFUND'; reference: string },
    operations: Operations,
  ): Promise<void> {
    const { schedule } = this
    const amount = schedule.pick(PARTS)
    const final = request.type === 'CAPTURE' && schedule.percent(40)
    const clerk = this.#running[schedule.upTo(this.#running.length)]
    if (!clerk) return
    const what = `${request.type} of ${amount} of ${request.reference}${final ? ', the last' : ''}`
    await schedule.point(`${what} comes to ${clerk.name}`)
    const known = await clerk.perform({ ...request, total: major(amount), final })
    schedule.note(`${what}: ${known}`)
    operations.add(amount, known)
  }

  #begin(at: number, generation: number): void {
    const { schedule } = this
    const clerk = new Clerk({
      shop: this.#shop,
      schedule,
      name: `S${at + 1}${"'".repeat(generation)}`,
      db: this.#databases[at] ?? this.#shop.db,
      way: () => this.#way(),
      fate: () => this.#fate(),
    })
    this.#all.push(clerk)
    this.#running[at] = clerk
  }

  #way(): Way {
    if (!this.schedule.percent(this.#lost)) return 'whole'
    return this.schedule.pick(this.#lose)
  }

  #fate() {
    const chance = this.schedule.chance() * 100
    if (chance >= 2 * this.#doubts) return 'answered' as const
    return chance < this.#doubts ? ('answer lost' as const) : ('never sent' as const)
  }

  async #ends(): Promise<void> {
    const { schedule } = this
    for (let time = schedule.upTo(3); time > 0; time -= 1) {
      for (let wait = schedule.upTo(30); wait > 0; wait -= 1) await schedule.point('…')
      if (this.#isOver) return
      const at = schedule.upTo(this.#running.length)
      const clerk = this.#running[at]
      schedule.note(`${clerk?.name} ends, and another takes its place`)
      clerk?.end()
      this.#begin(at, time)
    }
  }

  /**
   * Messages in doubt are due at once; those that a process may still have in hand are left to it.
   */
  async #sweeps(): Promise<void> {
    const { schedule } = this
    while (!this.#isOver) {
      for (let wait = 5 + schedule.upTo(10); wait > 0; wait -= 1) await schedule.point('…')
      await schedule.during(this.#makeDue(false))
      await this.#running[0]?.sweep()
    }
  }

  async #quiet(): Promise<void> {
    while (await this.#makeDue(true)) await this.#running[0]?.sweep()
  }

  /** Whether anything waits. */
  #makeDue(all: boolean): Promise<boolean> {
    const { db, tenant } = this.#shop
    return patiently(async () => {
      const operations = await sql`
        update order_operations set due = now() where tenant_id = ${tenant.id}
          and status = 'PENDING' and due is not null and (in_doubt or ${all})
        returning 1`.execute(db)
      const messages = await sql`
        update acquirer_messages set due = now() where tenant_id = ${tenant.id}
          and status = 'PENDING' and due is not null
        returning 1`.execute(db)
      return operations.rows.length + messages.rows.length > 0
    })
  }
}

const major = (amount: bigint): string => (Number(amount) / 100).toFixed(2)
