/** How many card and token numbers a tenant is shown within an hour (D-1003). */

import { emit } from '#events/outbox.ts'
import type { TenantSettings } from '#issuing/tenants/tenants.ts'
import type { Tx } from '#kit/context.ts'
import { CommittedError } from '#lib/result.ts'
import { cardDetailsLimited } from './events.ts'
import { updateDetailsLimited, upsertDetailsShown } from './store.ts'

type Settings = Pick<TenantSettings, 'card_details_per_hour'>

const HOUR_MS = 60 * 60 * 1000

/**
 * Counts one showing in the hour of the tenant's clock. Showings of the tenant in other processes
 * wait for this transaction, which does not count if it is rolled back.
 *
 * Throws `rate_limited` with the seconds to the next hour if the hour has none left. That is
 * committed, with the event of the first refusal of the hour, so call it before other writes.
 */
export async function countDetails(tx: Tx, settings: Settings): Promise<void> {
  const { card_details_per_hour: most } = settings
  const hour = new Date(Math.floor(tx.now.getTime() / HOUR_MS) * HOUR_MS)
  if (await upsertDetailsShown(tx, hour, most)) return
  const limited = await updateDetailsLimited(tx)
  if (limited && most !== undefined) {
    await emit(tx, cardDetailsLimited(tx.tenant_id, limited.hour, most))
  }
  const ends = hour.getTime() + HOUR_MS
  throw new CommittedError('rate_limited', {
    detail: 'The tenant has been shown as many card details as its settings allow in an hour.',
    retry_after_seconds: Math.ceil((ends - tx.now.getTime()) / 1000),
  })
}
