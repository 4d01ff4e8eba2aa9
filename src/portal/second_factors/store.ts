import { databaseNow } from '#kit/clock.ts'
import type { Tx } from '#kit/context.ts'

/** False where the person has no such code that is unused. */
export async function updateRecoveryCodeUsed(
  { db }: Tx,
  person_id: string,
  code_hash: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used: databaseNow })
    .where('person_id', '=', person_id)
    .where('code_hash', '=', code_hash)
    .where('used', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
