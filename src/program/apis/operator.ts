/** The slices beside the operator's routes of the issuing API. */

import type { Slice } from '#kit/slice.ts'
import { reconciliationSlice } from '#src/audit/reconciliation/slice.ts'
import { settlementSlice } from '#src/audit/settlement/slice.ts'
import { stuckSlice } from '#src/audit/stuck/slice.ts'
import { type Config, isOwnAddress } from '#src/config/config.ts'
import { merchantOperatorSlices } from '#src/program/apis/merchant.ts'
import { portalOperatorSlices } from '#src/program/apis/portal.ts'

/**
 * Both are called when they are needed: ports may be known only once the program listens, and the
 * names of the issuers change with their file.
 */
export const operatorSlices = (config: () => Config, issuers: () => readonly string[]): Slice[] => [
  ...merchantOperatorSlices(issuers),
  reconciliationSlice(() => isOwnAddress(config())),
  settlementSlice,
  stuckSlice(() => isOwnAddress(config())),
  ...portalOperatorSlices,
]
