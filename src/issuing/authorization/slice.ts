import type { Slice } from '#kit/slice.ts'
import { forgetMessages, holdExpiry } from './sweeps.ts'

export const authorizationSlice: Slice = {
  name: 'authorization',
  sweeps: [holdExpiry, forgetMessages],
}
