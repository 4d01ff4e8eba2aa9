/** The job of backtests, which no clock that moves waits for. */

import { backtesting } from '#issuing/backtests/sweeps.ts'
import type { World } from './world.ts'

/** Does all that is due for the tenant. */
export async function runBacktests(world: Pick<World, 'ctx'>, tenant_id?: string): Promise<void> {
  const sweep = backtesting()
  while ((await sweep.run(await world.ctx(tenant_id))).more);
}
