import type { Slice } from '#kit/slice.ts'
import { ledgerErrors } from './errors.ts'

export const ledgerSlice: Slice = { name: 'ledger', errors: ledgerErrors }
