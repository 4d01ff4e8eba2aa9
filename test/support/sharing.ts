/** Which requests may share what they are about. */

import { type Belongings, createBelongings } from './belongings.ts'
import type { Operation } from './operations.ts'
import { needsOrders, usesUp } from './samples.ts'
import type { World } from './world.ts'

/**
 * What a request of this operation may use: `shared`, which has orders, unless it changes what
 * exists. Making everything anew takes forty requests.
 */
export async function belongingsFor(
  world: World,
  operation: Operation,
  shared: Belongings,
): Promise<Belongings> {
  const reads = operation.method === 'GET'
  const adds = operation.method === 'POST' && !needsOrders(operation) && !usesUp(operation)
  return reads || adds ? shared : createBelongings(world, { orders: needsOrders(operation) })
}
