/** Deletes expired tokens, which have no effect. */

import { type Sweep, tenantsWithDue } from '#kit/jobs/sweeper.ts'
import { deleteExpiredTokens } from './store.ts'

const PORTION = 500

export const widgetSweeps: readonly Sweep[] = [
  {
    name: 'widget tokens',
    dueTenants: tenantsWithDue('widget_tokens', 'expires'),
    run: async (ctx) => ({ more: (await deleteExpiredTokens(ctx, PORTION)) === PORTION }),
  },
]
