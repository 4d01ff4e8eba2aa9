/** Rounds of payments in lanes at one time, until so many payments are made. */

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Lane, Result } from './lane.ts'

/** The number of stories that are printed. */
const STORIES = 3

export type Run = {
  openLane: () => Promise<Lane>
  lanes: number
  /** The seed of the first round. */
  first: number
  /** The number of payments. */
  most: number
  /** The story of each round is printed. */
  isTold: boolean
}

const storyOf = (seed: number, { faults, story }: Result) =>
  [`round ${seed}: ${faults.join('; ')}`, ...story, `PAYMENT=${seed} runs it again`].join('\n  ')

/** Fails if a round is wrong. */
export async function runRounds(t: TestContext, run: Run): Promise<void> {
  const wrong: string[] = []
  const since = process.cpuUsage()
  let [seed, payments, rounds, count] = [run.first, 0, 0, 0]
  let isBroken = false
  const work = async () => {
    const lane = await run.openLane()
    while (payments < run.most && !isBroken) {
      const own = seed
      seed += 1
      rounds += 1
      const result = await lane.run(own)
      payments += result.payments
      if (run.isTold) t.diagnostic(storyOf(own, result))
      if (result.faults.length === 0) continue
      count += 1
      if (wrong.length < STORIES) wrong.push(storyOf(own, result))
    }
  }
  const lanes = Array.from({ length: run.lanes }, () =>
    work().catch((error: unknown) => {
      isBroken = true
      throw error
    }),
  )
  // The rounds of the other lanes end first, so that a later run has the database for itself.
  await Promise.allSettled(lanes)
  await Promise.all(lanes)
  const { user, system } = process.cpuUsage(since)
  const cpu = ((user + system) / 1e6).toFixed(1)
  t.diagnostic(`${payments} payments in ${rounds} rounds, ${cpu} s of CPU in this process`)
  assert.equal(count, 0, `${count} of ${rounds} rounds are wrong\n${wrong.join('\n')}`)
  t.diagnostic(`${count} wrong`)
}
