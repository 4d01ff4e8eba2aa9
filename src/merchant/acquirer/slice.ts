import type { Slice } from '#kit/slice.ts'
import type { IssuerLink, TakenBack } from './acquirer.ts'
import { sweepsByIssuer } from './due.ts'
import { adviceBacklog } from './store.ts'
import { adviceSweep } from './sweeps.ts'

export const acquirerSlice = (link: IssuerLink, onTakenBack: TakenBack): Slice => ({
  name: 'acquirer',
  backlogs: [adviceBacklog],
  ...sweepsByIssuer(link, (issuer) => adviceSweep(link, issuer, onTakenBack)),
})
