/**
 * The program is killed at random moments under many clients (reliability 1), and in the middle of
 * a request of each kind (5): nothing that was told is lost, nothing is done twice, no key sticks.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { chances, SEED } from '#test/support/chances.ts'
import { gather } from '#test/support/crowd.ts'
import { auditCrowd } from '#test/support/crowd_audit.ts'
import { openKillable } from '#test/support/killable.ts'
import { assertSound, faultsOfLog, untilQuiet } from '#test/support/oracle.ts'

const deep = process.env['TEST_DEEP'] === '1'
const KILLS = deep ? 50 : 15
const CLIENTS = 64
/** Between a start and the next kill. */
const [SHORTEST_MS, LONGEST_MS] = [800, 1_500]

const platform = await openKillable()
after(() => platform.close())
const crowd = await gather(platform, { accounts: 8, orders: deep ? 200 : 60, own_cards: 16 })

describe(`killed ${KILLS} times under ${CLIENTS} clients (SEED=${SEED})`, () => {
  test('everything that was told is in the books once', async (t) => {
    const chance = chances(SEED)
    const work = crowd.work(CLIENTS, (client) => chances(SEED + client + 1))
    const starts: number[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      // The moment of a kill is the one thing here that is to be a matter of time.
      await pass(SHORTEST_MS + chance() * (LONGEST_MS - SHORTEST_MS))
      await platform.kill()
      starts.push(await platform.start())
    }
    await work.stop()
    await untilQuiet(platform.db)

    const sorted = starts.toSorted((one, other) => one - other).map(Math.round)
    const median = sorted[Math.floor(sorted.length / 2)]
    t.diagnostic(
      `${crowd.requests()} requests, ${crowd.cut()} times cut; from the start of the process to ` +
        `its first answer ${median} ms (median), ${sorted.at(-1)} ms (longest)`,
    )
    assert.ok(crowd.cut() >= KILLS, 'the kills have cut nothing')
    assert.deepEqual(await auditCrowd(platform.db, crowd), [])
    await assertSound(platform.db)
  })

  test('it ends well, and none of its processes met an error that it did not expect', async () => {
    await platform.stop()
    assert.deepEqual(faultsOfLog(platform.lines()), [])
    void randomUUID
  })
})
