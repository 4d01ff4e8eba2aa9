/** The deliveries of a tenant's events. */

import type { Db } from '#kit/db/database.ts'

/** Deliveries in the order of each object's events. */
export const listDeliveries = (db: Db, tenant_id: string) =>
  db
    .selectFrom('deliveries')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .orderBy('object_id')
    .orderBy('sequence')
    .execute()
