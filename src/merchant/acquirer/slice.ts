import type { Slice } from '#kit/slice.ts'
import type { IssuerLink, TakenBack } from './acquirer.ts'
import { sweepsByIssuer } from './due.ts'
import { fileSweeps, type TakeIn } from './files/sweeps.ts'
import { adviceBacklog } from './store.ts'
import { adviceSweep } from './sweeps.ts'

type On = {
  onTakenBack: TakenBack
  /** Takes a clearing file in as the issuer of this program. */
  takeIn: TakeIn
}

export function acquirerSlice(link: IssuerLink, { onTakenBack, takeIn }: On): Slice {
  const advices = sweepsByIssuer(link, (issuer) => adviceSweep(link, issuer, onTakenBack))
  return {
    name: 'acquirer',
    backlogs: [adviceBacklog],
    sweeps: [...advices.sweeps, ...fileSweeps(link, takeIn)],
    grow: advices.grow,
  }
}
