/** Payments at one time over the processes of a round, with the faults and changes of its seed. */

import type { Db } from '#kit/db/database.ts'
import type { World } from '#test/support/world.ts'
import { ageAll, endHolds, makeDue } from './ageing.ts'
import type { Bank, BankAccount } from './bank.ts'
import { change, pickOf } from './changes.ts'
import { billedCurrencyOf, currencyOf, type Foreign } from './currencies.ts'
import { type Faults, Network } from './network.ts'
import { patiently } from './patiently.ts'
import { Payment } from './payment.ts'
import { Schedule } from './schedule.ts'
import { MARGIN_MS, type ProcessOptions, type SimulatedProcess } from './simulated_process.ts'
import { expireHolds, giveBackCharges } from './sweeps.ts'

/** Engines of seeds whose database is slow give up early, milliseconds. */
const SHORT_MS = 60
/** A late approval is then so late that no loaded machine explains it. */
const LONG_DELAY_MS = 2 * MARGIN_MS
const USUAL_MS = 4_500
const ENDS_MAX = 2
const FIRST_LETTER = 65

export type RoundOptions = {
  world: World
  bank: Bank
  /** Databases of the processes. */
  databases: readonly Db[]
  make: (options: ProcessOptions) => SimulatedProcess
  seed: number
}

export type Paid = { account: BankAccount; payment: Payment }

export class Round {
  readonly schedule: Schedule
  readonly paid: Paid[] = []
  readonly #options: RoundOptions
  readonly #isSlow: boolean
  readonly #doubts: number
  readonly #all: SimulatedProcess[] = []
  #running: SimulatedProcess[] = []
  readonly #networks: Network[] = []
  readonly #ways: Faults
  #calm = false

  constructor(options: RoundOptions) {
    this.#options = options
    const schedule = new Schedule(options.seed)
    this.schedule = schedule
    this.#isSlow = schedule.percent(3)
    this.#doubts = schedule.pick([0, 0, 4])
    this.#ways = { broken: schedule.pick([0, 20, 40]), lost: schedule.pick([0, 15]) }
  }

  /** Faults that were seen while the payments ran. */
  get wrong(): string[] {
    return [
      ...this.#all.flatMap(({ wrong }) => wrong),
      ...this.#networks.flatMap(({ wrong }) => wrong),
    ]
  }

  async run(): Promise<void> {
    const { schedule } = this
    const { bank } = this.#options
    for (let at = 2 + schedule.upTo(2); at > 0; at -= 1) this.#begin(this.#running.length, 0)
    const ages = schedule.percent(10)
    const count = ages ? 1 : schedule.pick([1, 2, 4, 8])
    for (let at = 0; at < count; at += 1) await this.#add(at, ages)
    const background = Promise.all([this.#ends(), this.#sweeps(), this.#changes()])
    // Awaited below, and by then it may have failed.
    background.catch(() => {})
    await schedule.drive(Promise.all(this.paid.map(({ payment }) => payment.run())))
    this.#calm = true
    await schedule.drive(background)
    await schedule.drive(this.#quiet())
    await giveBackCharges(this.#options.world, bank.tenant.id)
  }

  end(): void {
    for (const process of this.#running) process.end()
  }

  #processes(): [SimulatedProcess, ...SimulatedProcess[]] {
    const [first, ...rest] = this.#running
    if (!first) throw new Error('no process runs')
    return [first, ...rest]
  }

  async #add(at: number, ages: boolean): Promise<void> {
    const { schedule } = this
    const { bank } = this.#options
    const account = pickOf(schedule, bank.accounts)
    const card = pickOf(schedule, account.cards)
    const { bill, ...foreign } = this.#currency(at)
    const age = ages ? () => this.#age() : undefined
    const expire = (rrn: string) => this.#expire(rrn)
    const name = String.fromCharCode(FIRST_LETTER + at)
    const network = new Network(name, schedule, () => this.#processes(), this.#ways, bill)
    this.#networks.push(network)
    const options = { network, card, age, expire, ...foreign, isBilled: bill !== undefined }
    this.paid.push({ account, payment: await Payment.open(options) })
  }

  #currency(at: number): Foreign {
    const { schedule } = this
    if (!schedule.percent(40)) return {}
    return schedule.percent(50)
      ? billedCurrencyOf(schedule, at)
      : currencyOf(this.#options.bank, schedule, at)
  }

  #begin(at: number, generation: number): void {
    const { world, bank, databases, make } = this.#options
    const { schedule } = this
    const process = make({
      world,
      schedule,
      tenant: bank.tenant,
      db: databases[at] ?? world.db,
      name: `P${at + 1}${"'".repeat(generation)}`,
      answer_ms: this.#isSlow ? SHORT_MS : USUAL_MS,
      faults: {
        fate: () => this.#fate(),
        delay: () => this.#delay(),
      },
    })
    this.#all.push(process)
    this.#running[at] = process
  }

  #fate() {
    const chance = this.schedule.chance() * 100
    if (chance >= 2 * this.#doubts) return 'answered' as const
    return chance < this.#doubts ? ('answer lost' as const) : ('never sent' as const)
  }

  #delay(): number {
    if (!this.#isSlow || !this.schedule.percent(30)) return 0
    return this.schedule.percent(8) ? LONG_DELAY_MS : 2 * SHORT_MS
  }

  async #ends(): Promise<void> {
    const { schedule } = this
    const times = schedule.percent(25) ? 1 + schedule.upTo(ENDS_MAX) : 0
    for (let time = 1; time <= times; time += 1) {
      for (let wait = 3 + schedule.upTo(25); wait > 0; wait -= 1) await schedule.point('…')
      if (this.#calm) return
      const at = schedule.upTo(this.#running.length)
      const process = this.#running[at]
      schedule.note(`${process?.name} ends, and another takes its place`)
      process?.end()
      this.#begin(at, time)
    }
  }

  async #changes(): Promise<void> {
    const { schedule } = this
    for (let times = schedule.upTo(4); times > 0 && !this.#calm; times -= 1) {
      await change(this.#options.bank, schedule)
    }
  }

  async #sweeps(): Promise<void> {
    const { schedule } = this
    for (let times = schedule.upTo(3); times > 0; times -= 1) {
      for (let wait = schedule.upTo(15); wait > 0; wait -= 1) await schedule.point('…')
      await schedule.during(this.#makeDue())
      await this.#running[0]?.sweep()
    }
  }

  /** A sweep waits for its reversals for a time only: they have ended before the next one. */
  async #quiet(): Promise<void> {
    do for (const process of this.#running) await process.quiet()
    while (await this.#sweepDue())
  }

  async #sweepDue(): Promise<boolean> {
    const isDue = await this.#makeDue()
    if (isDue) await this.#running[0]?.sweep()
    return isDue
  }

  #makeDue(): Promise<boolean> {
    const { world, bank } = this.#options
    return patiently(() => makeDue(world.db, bank.tenant.id))
  }

  async #age(): Promise<void> {
    const { world, bank } = this.#options
    await this.#quiet()
    this.schedule.note('forty-five days pass')
    await this.schedule.during(ageAll(world.db, bank.tenant.id))
  }

  async #expire(rrn: string): Promise<void> {
    const { world, bank } = this.#options
    const { schedule } = this
    await schedule.point('…')
    schedule.note('the hold comes to its end')
    await schedule.during(patiently(() => endHolds(world.db, bank.tenant.id, rrn)))
    await schedule.point('holds that have ended are swept')
    await schedule.during(expireHolds(world, bank.tenant.id))
  }
}
