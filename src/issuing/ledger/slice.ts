import type { Slice } from '#kit/slice.ts'
import { ledgerErrors } from './errors.ts'
import { ledgerEvents } from './events.ts'

export const ledgerSlice: Slice = { name: 'ledger', errors: ledgerErrors, events: ledgerEvents }
