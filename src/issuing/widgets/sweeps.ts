/** A token that has expired opens nothing, used or not: nothing is lost with it. */

import { type Sweep, tenantsWithDue } from '#kit/sweeper.ts'
import { deleteExpired } from './store.ts'

const PORTION = 500

export const widgetSweeps: readonly Sweep[] = [
  {
    name: 'widget tokens',
    dueTenants: tenantsWithDue('widget_tokens', 'expires'),
    run: async (ctx) => ({ more: (await deleteExpired(ctx, PORTION)) === PORTION }),
  },
]
