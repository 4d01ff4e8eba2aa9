/** Ends checkouts after a day (D-81) and reverses interrupted payments. */

import { type Sweep, tenantsWithDue } from '#kit/jobs/sweeper.ts'
import { endDue } from './checkouts.ts'

const PORTION = 50

export const checkoutSweeps: readonly Sweep[] = [
  {
    name: 'checkouts',
    dueTenants: tenantsWithDue('checkouts', 'due'),
    run: (ctx) => endDue(ctx, PORTION),
  },
]
