import type { Slice } from '#kit/slice.ts'
import type { IssuerLink, TakenBack } from './acquirer.ts'
import { adviceBacklog } from './store.ts'
import { acquirerSweeps } from './sweeps.ts'

export const acquirerSlice = (link: IssuerLink, onTakenBack: TakenBack): Slice => ({
  name: 'acquirer',
  backlogs: [adviceBacklog],
  sweeps: acquirerSweeps(link, onTakenBack),
})
