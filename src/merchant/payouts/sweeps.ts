/** Makes the payouts of days that are over (D-735, D-736). */

import { emitSequenced } from '#events/outbox.ts'
import { type Tx, transact } from '#kit/context.ts'
import { lockNames, sharedName } from '#kit/db/locks.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { newId } from '#lib/id.ts'
import {
  entriesDue,
  findPayableEntry,
  lockPayableEntries,
  updateEntriesPaidOut,
} from '#merchant/chargebacks/chargebacks.ts'
import {
  dayBefore,
  findPayable,
  lockPayable,
  payoutsDue,
  updateOperationsPaidOut,
} from '#merchant/orders/orders.ts'
import { payoutCreated } from './events.ts'
import { nextPayout } from './rules.ts'
import { findNewestPayout, insertPayout } from './store.ts'

/** The most operations, and disputes, of a payout; a merchant with more in a day gets several. */
const PARTS_MAX = 5_000

export const payoutSweeps: readonly Sweep[] = [
  { ...payoutsDue, run: (ctx) => transact(ctx, makePayout) },
  { ...entriesDue, run: (ctx) => transact(ctx, makePayout) },
]

/**
 * One payout of one merchant, currency and day, with its parts, in one transaction: a crash leaves
 * all of it or nothing, and operations without a payout are found again. Only one of several
 * processes makes it, and the next one finds nothing left.
 */
async function makePayout(tx: Tx): Promise<{ more: boolean }> {
  const found = (await findPayable(tx)) ?? (await findPayableEntry(tx))
  if (!found) return { more: false }
  const { merchant_id, currency, payable } = found
  await lockNames(tx, [sharedName('payouts', `${merchant_id} ${currency}`)])
  const [previous, operations, entries] = await Promise.all([
    findNewestPayout(tx, found),
    lockPayable(tx, found, PARTS_MAX),
    lockPayableEntries(tx, found, PARTS_MAX),
  ])
  const parts = [...operations, ...entries]
  if (parts.length === 0) return { more: true }
  const row = {
    tenant_id: tx.tenant_id,
    id: newId(),
    merchant_id,
    currency,
    day: dayBefore(payable),
    ...nextPayout(parts, previous),
    reference: null,
    created: tx.now,
    modified: tx.now,
  }
  await insertPayout(tx, row)
  await updateOperationsPaidOut(
    tx,
    row.id,
    operations.map(({ id }) => id),
  )
  await updateEntriesPaidOut(
    tx,
    row.id,
    entries.map(({ id }) => id),
  )
  await emitSequenced(tx, [{ ...payoutCreated(row), sequence: 1 }]).start()
  return { more: true }
}
