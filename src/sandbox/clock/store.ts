import type { Tx } from '#kit/context.ts'

/** Milliseconds that the tenant's clock is ahead; other moves wait until the transaction ends. */
export async function lockOffset({ db, tenant_id }: Tx): Promise<number | undefined> {
  const row = await db
    .selectFrom('tenants')
    .select('clock_offset_ms')
    .where('id', '=', tenant_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && Number(row.clock_offset_ms)
}

export async function updateOffset({ db, tenant_id }: Tx, milliseconds: number): Promise<void> {
  await db
    .updateTable('tenants')
    .set({ clock_offset_ms: BigInt(milliseconds) })
    .where('id', '=', tenant_id)
    .execute()
}
