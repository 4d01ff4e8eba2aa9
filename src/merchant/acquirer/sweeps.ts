/** Sends advices again until the issuer acknowledges them. */

import { type Context, transact } from '#kit/context.ts'
import { tenantsWithDue } from '#kit/jobs/due_tenants.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { allOf } from '#lib/promises.ts'
import { ADVICES, isOfIssuer } from './due.ts'
import type { IssuerLink, IssuerName } from './link.ts'
import { forward, type TakenBack } from './outcomes.ts'
import { ANSWER_TIMEOUT_MS } from './sending.ts'
import { advicesDueOf, claimDueMessages } from './store.ts'

const PORTION = 20
const CLAIM_MS = 2 * ANSWER_TIMEOUT_MS

export const adviceSweep = (
  link: IssuerLink,
  issuer: IssuerName,
  onTakenBack: TakenBack,
): Sweep => ({
  ...advicesDueOf(issuer),
  outside: true,
  channel: ADVICES,
  unfinished: tenantsWithDue('acquirer_messages', 'due', isOfIssuer('d.issuer', issuer), CLAIM_MS),
  run: (ctx) => sendDueAdvices(ctx, link, issuer, onTakenBack),
  // Requests and sweeps that need the connections have ended by then; it closes all of them.
  ...(issuer === null && { stop: () => link.close() }),
})

/** One portion; a failed advice becomes due later, so it does not count as more to do. */
async function sendDueAdvices(
  ctx: Context,
  link: IssuerLink,
  issuer: IssuerName,
  onTakenBack: TakenBack,
): Promise<{ more: boolean }> {
  if (link.closed) return { more: false }
  const held_until = new Date(ctx.now.getTime() + CLAIM_MS)
  const ids = await transact(ctx, (tx) => claimDueMessages(tx, issuer, held_until, PORTION))
  const sent = await allOf(ids.map((id) => forward(ctx, link, id, onTakenBack)))
  return { more: ids.length === PORTION && sent.includes(true) }
}
