/** The sweeps of the program that act on payments. */

import { holdExpiry } from '#issuing/authorization/sweeps.ts'
import { chargeSweeps } from '#issuing/charges/sweeps.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import type { World } from '#test/support/world.ts'
import { patiently } from './patiently.ts'

export const expireHolds = (world: World, tenant_id: string) => run(world, tenant_id, [holdExpiry])

/** Gives back charges of transactions of which nothing is left. */
export const giveBackCharges = (world: World, tenant_id: string) =>
  run(world, tenant_id, chargeSweeps)

async function run(world: World, tenant_id: string, sweeps: readonly Sweep[]): Promise<void> {
  for (const sweep of sweeps) {
    let left = true
    while (left) {
      left = await patiently(async () => {
        const done = await sweep.run(await world.ctx(tenant_id))
        return Boolean(done?.more)
      })
    }
  }
}
