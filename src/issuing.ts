/** The card platform as a table of its slices. */

import { webhooksSlice } from '#issuing/webhooks/slice.ts'
import type { Slice } from '#kit/slice.ts'
import type { Config } from './config.ts'

export const ISSUING_PREFIX = '/v1'

/** The slices of the issuing house, in the order in which they may build on each other. */
export function issuingSlices({ mode }: Config): Slice[] {
  return [webhooksSlice({ live: mode === 'live' })]
}
