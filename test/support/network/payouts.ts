/** Payouts of a tenant's merchants before the day is over. */

import { sql } from 'kysely'
import type { World } from '../world.ts'

/**
 * Pays out what the tenant's merchants have captured so far; answers the id of the newest payout,
 * of the merchant where one is given.
 */
export async function payOut(
  { db, sweeper }: World,
  tenant_id: string,
  merchant_id?: string,
): Promise<string> {
  const { rows } = await sql<{ midnight: Date }>`
    select date_trunc('day', now() + clock_offset_ms * interval '1 millisecond', 'UTC') as midnight
    from tenants where id = ${tenant_id}`.execute(db)
  const [{ midnight } = {}] = rows
  await sql`
    update order_operations set payable = ${midnight},
      booked = ${midnight}::timestamptz - interval '1 second',
      created = least(created, ${midnight}::timestamptz - interval '2 seconds')
    where tenant_id = ${tenant_id} and payable is not null`.execute(db)
  await sql`
    update due_work set due = ${midnight}
    where tenant_id = ${tenant_id} and kind = 'payouts'`.execute(db)
  await sweeper.runDueJobs(tenant_id)
  const { id } = await db
    .selectFrom('payouts')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .$if(merchant_id !== undefined, (query) => query.where('merchant_id', '=', merchant_id ?? ''))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}
