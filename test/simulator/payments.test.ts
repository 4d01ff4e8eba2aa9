/**
 * Payments on several cards over two or three processes whose messages, repeats and reversals
 * overlap, with lost answers, ends of processes and changes of status, limits and rates: the
 * network's belief and the books agree once all is quiet. A seed is a round of one to eight
 * payments at one time. PAYMENTS=… runs so many payments, PAYMENT=… runs one round again and prints
 * its story.
 */

import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { SEED } from '#test/support/chances.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openWorld } from '#test/support/world.ts'
import { openLane } from './lane.ts'
import { runRounds } from './runs.ts'
import { SimulatedProcess } from './simulated_process.ts'

const USUAL = process.env['TEST_DEEP'] === '1' ? 200_000 : 500
const PAYMENTS = Number(process.env['PAYMENTS'] ?? USUAL)
/** Payments of one test. */
const PART = 500
const LANES = 4
const PROCESSES = 3
const CONNECTIONS = 4
const ONE = process.env['PAYMENT']

const world = await openWorld()
const opened = Array.from({ length: PROCESSES }, () =>
  openDatabase(world.url, CONNECTIONS, { role: USUAL_ROLE }),
)
after(async () => {
  for (const { close } of opened) await close()
  await world[Symbol.asyncDispose]()
})
const databases = opened.map(({ batches }) => batches)

const runFrom = (first: number, most: number, t: TestContext) =>
  runRounds(t, {
    openLane: () => openLane(world, databases),
    lanes: ONE ? 1 : LANES,
    first,
    most,
    isTold: ONE !== undefined,
  })

// Payments run in parts, so that none takes long on a machine with other work.
for (let part = 0; part * PART < PAYMENTS && !ONE; part += 1) {
  const most = Math.min(PART, PAYMENTS - part * PART)
  test(`payments from ${part * PART} on end as the network believes`, (t) =>
    runFrom(SEED + part * PART, most, t))
}

if (ONE) {
  test('the payments of one round end as the network believes', (t) => runFrom(Number(ONE), 1, t))
}

test('the books are sound after all payments', () => assertSound(world.db))

/** Acknowledges reversals of the network without deciding them. */
class Forgetful extends SimulatedProcess {
  override async receive(...[request, way]: Parameters<SimulatedProcess['receive']>) {
    if (request.message_type !== '0420') return super.receive(request, way)
    const answer = { status_code: '0000', approved: true, amount: 0n, hints: {}, repeated: false }
    return { transaction_id: '', ...answer }
  }
}

test('a process that forgets reversals is found out', async () => {
  const lane = await openLane(world, databases, (options) => new Forgetful(options))
  const found: string[] = []
  for (let seed = 1; seed <= 40 && found.length === 0; seed += 1)
    found.push(...(await lane.run(seed)).faults)
  assert.ok(found.length > 0)
})
