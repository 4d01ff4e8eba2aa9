/**
 * Clients use the program while the ways to it and from it to its database are slow, cut and closed
 * by chance, and answers to COMMIT are lost: every answered request is in the books once, and every
 * key has its answer in the end.
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { openDatabase } from '#kit/db/database.ts'
import { chances, SEED } from '#test/support/chances.ts'
import { auditCrowd } from '#test/support/crowd/audit.ts'
import { gatherCrowd } from '#test/support/crowd/stock.ts'
import { assertSound, untilQuiet } from '#test/support/inspection/oracle.ts'
import { keeper } from '#test/support/keeper.ts'
import { openKillable } from '#test/support/processes/killable.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { openProxy } from '#test/support/services/proxy.ts'
import { openRelay, type Relay } from '#test/support/services/relay.ts'

const CLIENTS = 16
/** Ten minutes, a quarter of them without a fault. */
const [PERIODS, PERIOD_MS, QUIET] = [120, 5_000, 1 / 4]
const LATEST_MS = 300
const RESET_EVERY_MS = 500
const [CLOSED_LEAST_MS, CLOSED_MOST_MS] = [1_000, 5_000]
/** A connection is reset somewhere in its first bytes. */
const BYTES_MOST = 100_000
const LOST_LEAST = 200

const chance = chances(SEED)
const keep = keeper()
const database = await createTestDatabase()
keep({ close: database.drop })
const proxy = keep(await openProxy(database.url))
const toDatabase = keep(await openRelay(Number(new URL(proxy.url).port)))
const url = new URL(proxy.url)
url.port = String(toDatabase.port)
let toProgram: Relay | undefined
const platform = keep(
  await openKillable(
    { url: url.href, drop: async () => {} },
    {
      async wayTo(port) {
        toProgram = keep(await openRelay(port))
        return toProgram.port
      },
    },
  ),
)
const direct = keep(openDatabase(database.url, 3))
const crowd = await gatherCrowd(platform, { cards: 8, own_cards: 16, orders: 200 })

let lost = 0
const late = () => chance() * LATEST_MS
const reset_after = () => Math.floor(chance() * BYTES_MOST)

/** Each begins a fault; the function that it returns ends it. */
const faults: Readonly<Record<string, (way: Relay) => () => void>> = {
  'is slow': (way) => {
    way.set({ late })
    return () => {}
  },
  'resets connections': (way) => {
    const timer = setInterval(() => way.reset(), RESET_EVERY_MS)
    return () => clearInterval(timer)
  },
  'cuts what is sent': (way) => {
    way.set({ reset_after })
    way.reset()
    return () => {}
  },
  'is closed': (way) => {
    way.set({ isClosed: true })
    way.reset()
    const open = CLOSED_LEAST_MS + chance() * (CLOSED_MOST_MS - CLOSED_LEAST_MS)
    const timer = setTimeout(() => way.set({}), open)
    return () => clearTimeout(timer)
  },
  'loses answers to COMMIT': () => {
    let isOn = true
    const next = async (): Promise<void> => {
      await proxy.lose('answer lost')
      lost += 1
      if (isOn) await next()
    }
    void next()
    return () => {
      isOn = false
    }
  },
}

async function onePeriod(): Promise<string> {
  const ways = [toDatabase, toProgram].flatMap((way) => way ?? [])
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(chance() * values.length)]
  const [name = '', begin] = pick(Object.entries(faults)) ?? []
  const way = pick(ways)
  const isQuiet = chance() < QUIET
  const end = isQuiet || !way ? undefined : begin?.(way)
  await pass(PERIOD_MS)
  end?.()
  for (const one of ways) one.set({})
  return isQuiet ? 'quiet' : name
}

test(`ten minutes of faults (SEED=${SEED})`, async (t) => {
  const work = crowd.work(CLIENTS, (client) => chances(SEED + client + 1))
  const periods = new Map<string, number>()
  for (let period = 0; period < PERIODS; period += 1) {
    const name = await onePeriod()
    periods.set(name, (periods.get(name) ?? 0) + 1)
  }
  await work.stop()
  await untilQuiet(direct.db)
  const kinds = [...periods].map(([name, count]) => `${name} ${count}`).join(', ')
  t.diagnostic(`${crowd.requests} requests, ${crowd.cut} times cut, ${lost} COMMITs lost; ${kinds}`)
  assert.ok(lost >= LOST_LEAST, `only ${lost} answers to COMMIT were lost`)
  assert.deepEqual(await auditCrowd(direct.db, crowd), [])
  await assertSound(direct.db)
})
