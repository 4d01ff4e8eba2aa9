/** The SQL of the files of evidence. */

import type { Insertable } from 'kysely'
import { databaseNowPlus } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { ChargebackFileRow } from './provider.ts'

type Own = 'tenant_id' | 'created' | 'deleted' | 'scan_due'

/** A held file is scanned after so long, in real time. */
const SCAN_MS = 60 * 1000

/** Rows whose id exists are absent from the result. */
export function insertChargebackFiles(
  { db, tenant_id, now }: Tx,
  rows: readonly Omit<Insertable<Database['chargeback_files']>, Own>[],
): Promise<ChargebackFileRow[]> {
  const held = databaseNowPlus(SCAN_MS)
  const values = rows.map((row) => ({
    ...{ ...row, tenant_id, created: now },
    scan_due: row.scan_status === 'HELD' ? held : null,
  }))
  return db
    .insertInto('chargeback_files')
    .values(values)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .returningAll()
    .execute()
}

const filesOf = ({ db, tenant_id }: Context, chargeback_id: string) =>
  db
    .selectFrom('chargeback_files')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('chargeback_id', '=', chargeback_id)
    .where('deleted', 'is', null)

export const listChargebackFileRows = (
  ctx: Context,
  chargeback_id: string,
  range: PageRange,
): Promise<ChargebackFileRow[]> => selectRange(filesOf(ctx, chargeback_id), range).execute()

/** All files of a dispute: a few. */
export const listFilesOfChargeback = (
  ctx: Context,
  chargeback_id: string,
): Promise<ChargebackFileRow[]> =>
  filesOf(ctx, chargeback_id).orderBy('created').orderBy('id').execute()

/** A file of a dispute of the calling merchant, by one statement. */
export const findChargebackFileRow = (
  { db, tenant_id, actor }: Context,
  chargeback_id: string,
  id: string,
): Promise<ChargebackFileRow | undefined> =>
  db
    .selectFrom('chargeback_files as f')
    .innerJoin('chargebacks as c', (join) =>
      join.on('c.tenant_id', '=', tenant_id).onRef('c.id', '=', 'f.chargeback_id'),
    )
    .selectAll('f')
    .where('f.tenant_id', '=', tenant_id)
    .where('f.chargeback_id', '=', chargeback_id)
    .where('f.id', '=', id)
    .where('f.deleted', 'is', null)
    .where('c.merchant_id', '=', actor.id)
    .executeTakeFirst()

/** Undefined when it was deleted before. */
export function updateChargebackFileDeleted(
  { db, tenant_id, now }: Tx,
  id: string,
): Promise<ChargebackFileRow | undefined> {
  return db
    .updateTable('chargeback_files')
    .set({ deleted: now, scan_due: null })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('deleted', 'is', null)
    .returningAll()
    .executeTakeFirst()
}
