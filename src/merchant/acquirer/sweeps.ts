/** Advices that the issuer has not acknowledged are sent again, for as long as that takes. */

import { type Context, transact } from '#kit/context.ts'
import { type Sweep, tenantsWithDue } from '#kit/sweeper.ts'
import { ADVICES, ANSWER_TIMEOUT_MS, forward, type IssuerLink } from './acquirer.ts'
import { claimDue } from './store.ts'

const PORTION = 20

export function acquirerSweeps(link: IssuerLink): Sweep[] {
  return [
    {
      name: 'acquirer advices',
      outside: true,
      bell: ADVICES,
      dueTenants: tenantsWithDue('acquirer_messages', 'due'),
      run: (ctx) => sendDueAdvices(ctx, link),
      // Requests and sweeps that need the line have ended by then.
      stop: async () => link.close(),
    },
  ]
}

/** One portion; what fails comes back at its own time, so it does not count as more to do. */
export async function sendDueAdvices(ctx: Context, link: IssuerLink): Promise<{ more: boolean }> {
  const held_until = new Date(ctx.now.getTime() + 2 * ANSWER_TIMEOUT_MS)
  const ids = await transact(ctx, (tx) => claimDue(tx, held_until, PORTION))
  const sent = await Promise.all(ids.map((id) => forward(ctx, link, id)))
  return { more: ids.length === PORTION && sent.includes(true) }
}
