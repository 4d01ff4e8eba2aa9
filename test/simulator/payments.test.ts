/**
 * Payments over two or three processes whose messages, repeats and reversals overlap, with lost
 * answers and ends of processes: what the network believes and what the books say agree once all is
 * quiet. PAYMENTS=… runs so many seeds, PAYMENT=… runs one again and prints its story.
 */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { SEED } from '#test/support/chances.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openWorld } from '#test/support/world.ts'
import { openLane } from './lane.ts'
import { SimulatedProcess } from './simulated_process.ts'

const USUAL = process.env['TEST_DEEP'] === '1' ? 60_000 : 500
const SEEDS = Number(process.env['PAYMENTS'] ?? USUAL)
const LANES = 4
const PROCESSES = 3
const CONNECTIONS = 4
/** So many stories are printed. */
const STORIES = 3
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

const tell = (seed: number, { faults, story }: { faults: string[]; story: readonly string[] }) =>
  [`payment ${seed}: ${faults.join('; ')}`, ...story, `PAYMENT=${seed} runs it again`].join('\n  ')

test(`${SEEDS} payments end as the network believes`, async (t) => {
  const seeds = ONE
    ? [Number(ONE)].values()
    : Array.from({ length: SEEDS }, (_, at) => SEED + at).values()
  const wrong: string[] = []
  let count = 0
  const work = async () => {
    const lane = await openLane(world, databases)
    for (const seed of seeds) {
      const result = await lane.run(seed)
      if (ONE) t.diagnostic(tell(seed, result))
      if (result.faults.length === 0) continue
      count += 1
      if (wrong.length < STORIES) wrong.push(tell(seed, result))
    }
  }
  await Promise.all(Array.from({ length: ONE ? 1 : LANES }, work))
  assert.equal(count, 0, `${count} of ${SEEDS} are wrong\n${wrong.join('\n')}`)
  await assertSound(world.db)
})

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
  for (let seed = 1; seed <= 40; seed += 1) found.push(...(await lane.run(seed)).faults)
  assert.ok(found.length > 0)
})
