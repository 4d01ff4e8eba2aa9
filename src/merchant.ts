/** The order service as a table of its slices. */

import type { Slice } from '#kit/slice.ts'
import type { Config } from './config.ts'

export const MERCHANT_PREFIX = '/api/v1.0'

export function merchantSlices(_config: Config): Slice[] {
  return []
}
