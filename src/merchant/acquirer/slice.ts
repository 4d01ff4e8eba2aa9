import type { Slice } from '#kit/slice.ts'
import type { IssuerLink } from './acquirer.ts'
import { acquirerSweeps } from './sweeps.ts'

export const acquirerSlice = (link: IssuerLink): Slice => ({
  name: 'acquirer',
  sweeps: acquirerSweeps(link),
})
