/** Ends checkouts after a day (D-81) and reverses interrupted payments. */

import type { Sweep } from '#kit/jobs/sweep.ts'
import { endDue } from './checkouts.ts'
import { checkoutsDue } from './store.ts'

const PORTION = 50

export const checkoutSweeps: readonly Sweep[] = [
  {
    ...checkoutsDue,
    run: (ctx) => endDue(ctx, PORTION),
  },
]
