/** A decision in the transaction of what a person does: all of it is kept, or nothing. */

import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'
import { decideBatch, writeBatch } from './batch.ts'
import { AccountBusy } from './errors.ts'
import { gather } from './gathering/gather.ts'
import { CardQueue, Pending } from './pending.ts'
import { Products } from './store/products.ts'

/**
 * Decides one message about a card and writes it, with the account locked. For messages that a
 * person sends; those of a card network share batches (engine.ts).
 */
export async function decideWithin(
  tx: Tx,
  request: AuthorizationRequest & { card: { card_id: string } },
): Promise<AuthorizationAnswer> {
  await lockAccountOf(tx, request.card.card_id)
  const pending = new Pending({ request }, new CardQueue(''))
  // Products of its own: those that a process keeps may be older than this state.
  const read = await gather({ ctx: tx, locking: true }, new Products(), [pending])
  const batch = decideBatch(tx, read, [], { proves: false })
  const [answer] = batch.answers
  // It is about another account as well, which somebody else has locked.
  if (!answer) throw new AccountBusy()
  await writeBatch({ ...tx, now: batch.workingSet.now }, batch).start()
  return answer
}

/** A batch of the engine that has it is waited for; the reading passes over locked accounts. */
async function lockAccountOf({ db, tenant_id }: Tx, card_id: string): Promise<void> {
  await sql`
    select from accounts
    where tenant_id = ${tenant_id} and id = (
      select account_id from cards where tenant_id = ${tenant_id} and id = ${card_id})
    for no key update`.execute(db)
}
