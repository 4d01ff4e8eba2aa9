/** Deletes expired tokens, which have no effect. */

import { tenantsWithDue } from '#kit/jobs/due_tenants.ts'
import { SELDOM_MS, type Sweep } from '#kit/jobs/sweep.ts'
import { deleteExpiredTokens } from './store.ts'

const PORTION = 500

export const widgetSweeps: readonly Sweep[] = [
  {
    name: 'widget tokens',
    every_ms: SELDOM_MS,
    dueTenants: tenantsWithDue('widget_tokens', 'expires'),
    run: async (ctx) => ({ more: (await deleteExpiredTokens(ctx, PORTION)) === PORTION }),
  },
]
