/** The SQL of the files of evidence. */

import type { Insertable, Selectable } from 'kysely'
import { databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'

export type DisputeFileRow = Selectable<Database['dispute_files']>
type Own = 'tenant_id' | 'created' | 'deleted' | 'scan_due'

/** A held file is scanned after so long, in real time. */
const SCAN_MS = 60 * 1000

/** Rows whose id exists are absent from the result. */
export function insertDisputeFiles(
  { db, tenant_id, now }: Tx,
  rows: readonly Omit<Insertable<Database['dispute_files']>, Own>[],
): Promise<DisputeFileRow[]> {
  return db
    .insertInto('dispute_files')
    .values(
      rows.map((row) => ({
        ...row,
        tenant_id,
        created: now,
        scan_due: row.scan_status === 'HELD' ? databaseNowPlus(SCAN_MS) : null,
      })),
    )
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .returningAll()
    .execute()
}

const filesOf = ({ db, tenant_id }: Context, dispute_id: string) =>
  db
    .selectFrom('dispute_files')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('dispute_id', '=', dispute_id)
    .where('deleted', 'is', null)

export const listDisputeFileRows = (
  ctx: Context,
  dispute_id: string,
  range: PageRange,
): Promise<DisputeFileRow[]> => selectRange(filesOf(ctx, dispute_id), range).execute()

/** Those of the issuer. */
export async function countDisputeFiles(ctx: Context, dispute_id: string): Promise<number> {
  return (await filesOf(ctx, dispute_id).where('source', '=', 'ISSUER').execute()).length
}

export const findDisputeFileRow = (
  ctx: Context,
  dispute_id: string,
  id: string,
): Promise<DisputeFileRow | undefined> =>
  filesOf(ctx, dispute_id).where('id', '=', id).executeTakeFirst()

/** Undefined when it was deleted before. */
export function updateDisputeFileDeleted(
  { db, tenant_id, now }: Tx,
  id: string,
): Promise<Pick<DisputeFileRow, 'size' | 'scan_status'> | undefined> {
  return db
    .updateTable('dispute_files')
    .set({ deleted: now, scan_due: null })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('deleted', 'is', null)
    .returning(['size', 'scan_status'])
    .executeTakeFirst()
}
