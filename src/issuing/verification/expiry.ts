/** The expiry job: finds expiring documents daily, and when the clock is moved (D-24). */

import { emit } from '#events/outbox.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { lockUser, mayStep, stepUser } from '#issuing/users/users.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { limitLocks } from '#kit/db/locks.ts'
import { SELDOM_MS, type Sweep } from '#kit/jobs/sweep.ts'
import { addDays } from '#lib/time.ts'
import { documentAlert } from './events.ts'
import {
  type Expiring,
  insertAlert,
  listExpiring,
  tenantsToLookAt,
  upsertLook,
} from './expiry_store.ts'
import { callEach } from './portions.ts'

const USERS_A_PORTION = 100

export const documentExpiry: Sweep = {
  name: 'document expiry',
  // It looks once a day, and finds tenants by their settings.
  every_ms: SELDOM_MS,
  dueTenants: tenantsToLookAt,
  run: lookForExpired,
}

/** One user that is locked elsewhere, or at fault, holds up no other (D-933). */
async function lookForExpired(ctx: Context): Promise<{ more: boolean }> {
  const { expired_idv_policy: policy } = await readSettings(ctx)
  if (!policy) return { more: false }
  const expiring = await listExpiring(ctx, {
    until: addDays(ctx.now, policy.days_prior_expiration),
    statuses: policy.applicable_user_status,
    limit: USERS_A_PORTION,
  })
  await callEach(expiring, (document) => transact(ctx, (tx) => warn(tx, document)))
  const more = expiring.length === USERS_A_PORTION
  if (!more) await transact(ctx, (tx) => upsertLook(tx, addDays(startOfDay(ctx), 1)))
  return { more }
}

async function warn(tx: Tx, document: Expiring): Promise<void> {
  await limitLocks(tx).start()
  const user = await lockUser(tx, document.user_id, 'change')
  // Since the query the user may have been suspended, or warned by another process.
  if (!mayStep(user, 'document_expiry')) return
  await insertAlert(tx, document)
  const note = `${document.type} ends ${document.expiration_date.toISOString().slice(0, 10)}`
  await stepUser(tx, user, 'document_expiry', { note })
  await emit(tx, documentAlert(document))
}

const startOfDay = ({ now }: Context) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
