/** Rounds of payments one after the other at a bank of its own, and what is wrong after each. */

import type { Db } from '#kit/db/database.ts'
import type { World } from '#test/support/world.ts'
import { Bank, type BankAccount, TIGHT } from './bank.ts'
import { added } from './belief.ts'
import { differenceOf, differenceOfProgram, readProgram, unequal } from './books.ts'
import { patiently } from './patiently.ts'
import { type Paid, Round } from './round.ts'
import { type ProcessOptions, SimulatedProcess } from './simulated_process.ts'

export type Result = {
  /**
   * Differences of this seed's payments from what the network believes; empty if there are none.
   */
  faults: string[]
  story: readonly string[]
  payments: number
}

export type Lane = { run: (seed: number) => Promise<Result> }

/** `databases` are those of the processes; `make` makes a process, by default a sound one. */
export async function openLane(
  world: World,
  databases: readonly Db[],
  make = (options: ProcessOptions) => new SimulatedProcess(options),
): Promise<Lane> {
  const bank = await Bank.open(world)
  async function run(seed: number): Promise<Result> {
    const round = new Round({ world, bank, databases, make, seed })
    const { schedule } = round
    await bank.respond(schedule.percent(15))
    await bank.prepare(schedule)
    await bank.readMoved()
    for (const account of bank.accounts) if (account.isTight) await bank.tighten(account)
    const since = Date.now()
    const before = bank.accounts.map((account) => ({ account, state: account.state }))
    const found: string[] = []
    try {
      await round.run()
    } catch (error) {
      found.push(`the simulation failed: ${error instanceof Error ? error.stack : String(error)}`)
    }
    for (const account of bank.accounts) if (account.isTight) await bank.loosen(account)
    await bank.read()
    found.push(...round.wrong)
    for (const { account, state } of before) found.push(...faultsOf(account, state, round.paid))
    const taken = before.reduce(
      (sum, { account, state }) => sum + account.state.taken - state.taken,
      0n,
    )
    const program = await patiently(() => readProgram(world.db, bank.tenant.id, since))
    const sums = added(round.paid.map(({ payment }) => payment.belief.sums()))
    found.push(...differenceOfProgram(program, sums, taken))
    round.end()
    // A wrong balance would make payments after this one wrong, too.
    if (found.length > 0) await bank.renew()
    const story = schedule.story.filter((line) => line !== '…')
    return { faults: found, story, payments: round.paid.length }
  }
  return { run }
}

function faultsOf(
  account: BankAccount,
  before: BankAccount['state'],
  paid: readonly Paid[],
): string[] {
  const own = paid.filter((one) => one.account === account).map(({ payment }) => payment.belief)
  const found = differenceOf(before, account.state, added(own.map((one) => one.sums())))
  const counted = added(
    paid
      .filter((one) => one.account.user_id === account.user_id)
      .map(({ payment }) => payment.belief.sums()),
  ).counted
  const user_counted = account.state.user_counted - before.user_counted
  found.push(...unequal('counted of the user', counted, user_counted))
  const beyond = account.state.counted - before.counted > TIGHT
  if (account.isTight && beyond && !own.some(({ isForced }) => isForced))
    found.push('more is approved than the limit leaves')
  return found
}
