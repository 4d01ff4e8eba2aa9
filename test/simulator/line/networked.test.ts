/**
 * The payments of the simulator over networks of NETWORKS_FILE: each message has a code (MAC), keys
 * change every few hundred messages, one exchange of three is lost half-way, and lines are cut.
 * PAYMENTS=… runs so many payments, PAYMENT=… runs one round again and prints its story.
 */

import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { SEED } from '#test/support/chances.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openWorld } from '#test/support/world.ts'
import { openLane } from '../lane.ts'
import { runRounds } from '../runs.ts'
import { Scheme } from './scheme.ts'
import { WiredProcess } from './wired_process.ts'

const USUAL = process.env['TEST_DEEP'] === '1' ? 20_000 : 200
const PAYMENTS = Number(process.env['PAYMENTS'] ?? USUAL)
/** Payments of one test. */
const PART = 2_500
/** Lanes of their own schemes: few, so that each of them changes keys in every way. */
const LANES = PAYMENTS < 2_000 ? 2 : 8
const PROCESSES = 3
const CONNECTIONS = 4
/** Messages of a lane after which a key changes. */
const EVERY = 200
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
const schemes: Scheme[] = []

function openWired() {
  const scheme = new Scheme(world, EVERY)
  schemes.push(scheme)
  return openLane(world, databases, (options) => new WiredProcess(options, scheme))
}

const runFrom = (t: TestContext, first: number, most: number) =>
  runRounds(t, {
    ...{ openLane: openWired, first, most, isTold: ONE !== undefined },
    lanes: ONE ? 1 : LANES,
  })

// Payments run in parts, so that none takes long on a machine with other work.
for (let part = 0; part * PART < PAYMENTS && !ONE; part += 1) {
  const most = Math.min(PART, PAYMENTS - part * PART)
  test(`payments from ${part * PART} on, with MAC and changing keys, end as believed`, (t) =>
    runFrom(t, SEED + part * PART, most))
}

if (ONE) {
  test('the payments of one round end as the network believes', (t) => runFrom(t, Number(ONE), 1))
}

test('keys were exchanged in every way, and the books are sound', async (t) => {
  const exchanged = new Map<string, number>()
  for (const [way, count] of schemes.flatMap((scheme) => [...scheme.exchanged])) {
    exchanged.set(way, (exchanged.get(way) ?? 0) + count)
  }
  t.diagnostic(`keys: ${[...exchanged].map(([way, count]) => `${count} ${way}`).join(', ')}`)
  await assertSound(world.db)
  if (PAYMENTS < USUAL || ONE) return
  for (const way of ['sent', 'lost half-way', 'asked for']) assert.ok(exchanged.has(`ZAK ${way}`))
})
