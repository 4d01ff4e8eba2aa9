/**
 * Bounds of the ids of deliveries, so that a statement reads only the partitions that can have what
 * it looks for (D-1421). The others, one for each month that is kept or made ahead, are otherwise
 * looked into for each object. Ids have the time of the process that made them: a week is left for
 * the difference of two clocks.
 */

import { firstIdAt, newId, timeOfId } from '#lib/id.ts'

const CLOCKS_APART_MS = 7 * 24 * 3_600_000

/** Every delivery that exists has a smaller id. */
export const idsEnd = (): string => firstIdAt(timeOfId(newId()) + CLOCKS_APART_MS)

/** No delivery of a later event of the same objects has a smaller id. */
export const idsAfter = (ids: readonly string[]): string =>
  firstIdAt(Math.min(...ids.map(timeOfId)) - CLOCKS_APART_MS)
