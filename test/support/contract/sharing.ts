/** Decides which requests may share the objects that they are about. */

import type { World } from '../world.ts'
import type { Belongings } from './belongings.ts'
import { freshFor } from './fresh.ts'
import type { Operation } from './operations.ts'
import type { Sample } from './sample.ts'
import { needsOrders, sampleOf, usesUp } from './samples.ts'

/**
 * The objects that a request of this operation may use: `shared`, which has orders. If the
 * operation changes objects, those that its sample names are new.
 */
export async function belongingsFor(
  world: World,
  operation: Operation,
  shared: Belongings,
): Promise<Belongings> {
  const reads = operation.method === 'GET'
  const adds = operation.method === 'POST' && !needsOrders(operation) && !usesUp(operation)
  if (reads || (adds && !lacks(sampleOf(operation, shared)))) return shared
  return freshFor(world, (belongings) => sampleOf(operation, belongings) ?? {}, shared)
}

/** Whether it names something that the shared objects do not have, as an order. */
const lacks = ({ params, body }: Sample = {}): boolean =>
  Object.values({ ...params, ...body }).includes(undefined)
