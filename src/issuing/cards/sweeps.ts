/** The due jobs of cards, done a portion at a time (D-31, D-39, D-70). */

import { sql } from 'kysely'
import { emit } from '#events/outbox.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { Event } from '#kit/event.ts'
import { tenantsWithDue } from '#kit/jobs/due_tenants.ts'
import { SELDOM_MS, type Sweep } from '#kit/jobs/sweep.ts'
import { blocksDue } from './due.ts'
import { cardStatusChange } from './events.ts'
import { type Swept, updateCardsExpired, updateCardsUnblocked } from './sweeps_store.ts'

/** One statement moves this many cards, and one reports them. */
const CARDS_A_PORTION = 1_000

/** A card is valid until the end of its last month. */
const expiry: Sweep = {
  name: 'card expiry',
  // A minute more or less does not matter.
  every_ms: SELDOM_MS,
  dueTenants: tenantsWithDue('cards', 'valid_until', sql`d.status <> 'TERMINATED'`),
  run: (ctx) => sweepCards(ctx, updateCardsExpired, ({ card, was }) => cardStatusChange(was, card)),
}

/** Ends the block 24 hours after the fifth wrong attempt. */
const provisioningBlocks: Sweep = {
  ...blocksDue,
  run: (ctx) =>
    sweepCards(ctx, updateCardsUnblocked, ({ card, was }) => cardStatusChange(was, card)),
}

type Move = (tx: Tx, most: number) => Promise<Swept[]>

function sweepCards(ctx: Context, move: Move, eventOf: (swept: Swept) => Event) {
  return transact(ctx, async (tx) => {
    const swept = await move(tx, CARDS_A_PORTION)
    if (swept.length > 0) await emit(tx, ...swept.map(eventOf))
    // Some cards may be locked elsewhere, so fewer than a portion may be done while others are due.
    return { more: swept.length > 0 }
  })
}

/** The sweeps in the order in which their work becomes due, for a clock that is moved far ahead. */
export const cardSweeps: readonly Sweep[] = [provisioningBlocks, expiry]
