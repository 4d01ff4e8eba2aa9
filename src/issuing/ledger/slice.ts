import type { Slice } from '#kit/slice.ts'
import { ledgerRefusals } from './refusals.ts'

export const ledgerSlice: Slice = { name: 'ledger', refusals: ledgerRefusals }
