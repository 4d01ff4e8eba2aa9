/** Checkouts live for a day (D-81); a payment that broke off is cleared up. */

import { type Sweep, tenantsWithDue } from '#kit/sweeper.ts'
import { endDue } from './checkouts.ts'

const PORTION = 50

export const checkoutSweeps: readonly Sweep[] = [
  {
    name: 'checkouts',
    dueTenants: tenantsWithDue('checkouts', 'due'),
    run: (ctx) => endDue(ctx, PORTION),
  },
]
