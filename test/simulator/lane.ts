/** Payments one after the other on a card of its own, each over processes and faults of its seed. */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import { firstIdAt, timeOfId } from '#lib/id.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import type { World } from '#test/support/world.ts'
import { Network } from './network.ts'
import { AGE_MS, Payment } from './payment.ts'
import { Schedule } from './schedule.ts'
import { type ProcessOptions, SimulatedProcess } from './simulated_process.ts'

export type Lane = {
  /** What of the payment of this seed is not as the network believes; empty where all is. */
  run: (seed: number) => Promise<{ faults: string[]; story: readonly string[] }>
}

type State = { balance: bigint; held: bigint }

const OPENING = 900_000
/** Below it payments could be declined for want of funds, minor units. */
const LOW = 300_000n
/** Engines of seeds whose database is slow give up early, milliseconds. */
const SHORT_MS = 60
const USUAL_MS = 4_500
const ENDS_MAX = 2

/** `databases` are those of the processes; `make` makes a process, by default a sound one. */
export async function openLane(
  world: World,
  databases: readonly Db[],
  make = (options: ProcessOptions) => new SimulatedProcess(options),
): Promise<Lane> {
  const tenant = await world.otherTenant({ hold_days: 365 })
  const issuer = await openIssuer(world, tenant)
  let card = await issuer.card(OPENING)
  const rows = {
    state: () => stateOf(world.db, card),
    age: () => ageAll(world.db, tenant.id),
    waiting: () => makeDue(world.db, tenant.id),
  }

  async function run(seed: number) {
    const schedule = new Schedule(seed)
    const before = await rows.state()
    const isSlow = schedule.percent(3)
    const doubts = schedule.pick([0, 0, 4])
    const faults = {
      fate: () => {
        const chance = schedule.chance() * 100
        if (chance >= 2 * doubts) return 'answered' as const
        return chance < doubts ? ('answer lost' as const) : ('never sent' as const)
      },
      delay: () => (isSlow && schedule.percent(30) ? 2 * SHORT_MS : 0),
    }
    const count = 2 + schedule.upTo(2)
    const open = (at: number, generation: number) =>
      make({
        ...{ world, schedule, faults, tenant_id: tenant.id },
        db: databases[at] ?? world.db,
        name: `P${at + 1}${"'".repeat(generation)}`,
        answer_ms: isSlow ? SHORT_MS : USUAL_MS,
      })
    const all = Array.from({ length: count }, (_, at) => open(at, 0))
    let running = [...all]
    const processes = () => running as [SimulatedProcess, ...SimulatedProcess[]]
    let calm = false
    const ways = { broken: schedule.pick([0, 20, 40]), lost: schedule.pick([0, 15]) }
    const network = new Network(schedule, processes, ways)
    const quiet = async () => {
      for (const process of running) await process.quiet()
      while (await rows.waiting()) await running[0]?.sweep()
    }
    const ages = schedule.percent(10)
    const age = async () => {
      await quiet()
      schedule.note('forty-five days pass')
      await schedule.during(rows.age())
    }
    const payment = new Payment(network, card, ages ? age : undefined)
    const ends = async () => {
      const times = schedule.percent(25) ? 1 + schedule.upTo(ENDS_MAX) : 0
      for (let time = 1; time <= times; time += 1) {
        for (let wait = 3 + schedule.upTo(25); wait > 0; wait -= 1) await schedule.point('…')
        if (calm) return
        const at = schedule.upTo(running.length)
        schedule.note(`${running[at]?.name} ends, and another takes its place`)
        running[at]?.end()
        running = running.with(at, open(at, time))
        all.push(...running.slice(at, at + 1))
      }
    }
    const sweeps = async () => {
      for (let times = schedule.upTo(3); times > 0; times -= 1) {
        for (let wait = schedule.upTo(15); wait > 0; wait -= 1) await schedule.point('…')
        await schedule.during(rows.waiting().then(() => {}))
        await running[0]?.sweep()
      }
    }
    const found: string[] = []
    try {
      const background = [ends(), sweeps()]
      await schedule.drive(payment.run())
      calm = true
      await schedule.drive(Promise.all(background))
      await schedule.drive(quiet())
    } catch (error) {
      found.push(`the simulation failed: ${error instanceof Error ? error.stack : String(error)}`)
    }
    found.push(...all.flatMap(({ late }) => late))
    found.push(...difference(before, await rows.state(), payment.belief))
    for (const process of running) process.end()
    // A wrong balance would make payments after this one wrong, too; an empty one declines them.
    const { balance, held } = await rows.state()
    if (found.length > 0 || balance - held < LOW) card = await issuer.card(OPENING)
    return { faults: found, story: schedule.story.filter((line) => line !== '…') }
  }
  return { run }
}

function difference(before: State, after: State, belief: Payment['belief']): string[] {
  const { authorized, presented, refunded } = belief
  const open = authorized > presented ? authorized - presented : 0n
  const posted = presented - refunded
  const paid = before.balance - after.balance
  const held = after.held - before.held
  return [
    ...(paid === posted ? [] : [`the network believes ${posted} paid, the books say ${paid}`]),
    ...(held === open ? [] : [`the network believes ${open} held, the books say ${held}`]),
  ]
}

async function stateOf(db: Db, { account_id }: MadeCard): Promise<State> {
  const { rows } = await sql<State>`
    select balance, held from accounts where id = ${account_id}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the account is missing')
  return row
}

/** Makes what waits to be reversed due at once; whether there is any. */
async function makeDue(db: Db, tenant_id: string): Promise<boolean> {
  const { rows } = await sql`
    update unanswered_approvals set due = now() where tenant_id = ${tenant_id}
    returning 1`.execute(db)
  return rows.length > 0
}

/**
 * Everything that is stored of the tenant's payments is older by AGE_MS, all of it at once: what a
 * process has in hand commits before or after.
 */
const ageAll = (db: Db, tenant_id: string): Promise<void> =>
  db.runTransaction(async (tx) => {
    await sql`lock table transactions, network_messages, transfers, events
      in share row exclusive mode`.execute(tx)
    await ageRows(tx, tenant_id)
  })

async function ageRows(db: Db, tenant_id: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from transactions where tenant_id = ${tenant_id}
      and id >= ${firstIdAt(Date.now() - AGE_MS / 2)}`.execute(db)
  for (const { id } of rows) {
    const older = `${firstIdAt(timeOfId(id) - AGE_MS).slice(0, 13)}${id.slice(13)}`
    await sql`update transactions set id = ${older}
      where tenant_id = ${tenant_id} and id = ${id}`.execute(db)
    await sql`update transfers set transaction_id = ${older}
      where tenant_id = ${tenant_id} and transaction_id = ${id}`.execute(db)
    await sql`update network_messages set transaction_id = ${older}
      where tenant_id = ${tenant_id} and transaction_id = ${id}`.execute(db)
    await sql`update transactions
      set details = replace(details::text, ${id}, ${older})::json
      where tenant_id = ${tenant_id} and details ->> 'reference_transaction_id' = ${id}`.execute(db)
    await sql`update events set object_ids = array_replace(object_ids, ${id}::uuid, ${older}::uuid)
      where tenant_id = ${tenant_id} and ${id}::uuid = any (object_ids)`.execute(db)
  }
  // Citus computes nothing of a column by a time zone in an update.
  const messages = await sql<{ created: string; older: string }>`
    select distinct created::text, (created - interval '45 days')::text as older
    from network_messages
    where tenant_id = ${tenant_id} and created > now() - interval '20 days'`.execute(db)
  for (const { created, older } of messages.rows) {
    await sql`update network_messages set created = ${older}::timestamptz
      where tenant_id = ${tenant_id} and created = ${created}::timestamptz`.execute(db)
  }
}
