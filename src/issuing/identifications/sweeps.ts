/** Deletes bytes that no file owns, and scans files that were not scanned at their upload. */

import { sql } from 'kysely'
import { giveBackBytes } from '#issuing/tenants/tenants.ts'
import { databaseNow } from '#kit/clock.ts'
import { type Context, transact } from '#kit/context.ts'
import { tenantsWith } from '#kit/jobs/due_tenants.ts'
import { SELDOM_MS, type Sweep } from '#kit/jobs/sweep.ts'
import { type FileStorage, removeBlobs, scanBlob, sealedBlobOf } from './file_storage.ts'
import {
  claimHeld,
  type FileTable,
  type HeldRow,
  insertLoose,
  listDueLoose,
  updateLooseDue,
  updateScan,
} from './loose_store.ts'
import { SCAN_AGAIN_MS } from './store.ts'

const PORTION = 50
const SCANS = 4
/** Bytes that could not be deleted come again after this. */
const AGAIN_MS = 60 * 60_000

/** Both run on real time: they depend on requests and on the scanner, not on the tenant. */
export function fileSweeps(storage: FileStorage): Sweep[] {
  return [looseSweep(storage), heldFiles(storage, 'held files', 'identification_files')]
}

function looseSweep(storage: FileStorage): Sweep {
  return {
    name: 'loose file bytes',
    every_ms: SELDOM_MS,
    outside: true,
    realTime: true,
    dueTenants: tenantsWith(
      sql`exists (select from loose_blobs b
        where b.tenant_id = t.tenant_id and b.due <= ${databaseNow})`,
    ),
    run: async (ctx) => {
      const due = await listDueLoose(ctx, PORTION)
      const stopped_at = await removeBlobs(storage, ctx, due)
      if (stopped_at === undefined) return { more: due.length === PORTION }
      // The store may be unavailable, or keep these bytes: the next round begins with others.
      await updateLooseDue(ctx, stopped_at, AGAIN_MS)
      return { more: false }
    },
  }
}

/** Files of a table that the virus scanner has not seen yet. */
export function heldFiles(storage: FileStorage, name: string, table: FileTable): Sweep {
  return {
    name,
    every_ms: SELDOM_MS,
    outside: true,
    realTime: true,
    dueTenants: tenantsWith(
      sql`exists (select from ${sql.table(table)} f
        where f.tenant_id = t.tenant_id and f.scan_due is not null
          and f.scan_due <= ${databaseNow})`,
    ),
    run: async (ctx) => {
      const held = await transact(ctx, (tx) => claimHeld(tx, table, SCAN_AGAIN_MS, SCANS))
      for (const file of held) await scanAgain(storage, ctx, table, file)
      return { more: held.length === SCANS }
    },
  }
}

async function scanAgain(
  storage: FileStorage,
  ctx: Context,
  table: FileTable,
  file: HeldRow,
): Promise<void> {
  const verdict = await scanBlob(storage, ctx, sealedBlobOf(file))
  if (verdict === undefined || verdict === 'UNKNOWN') return
  await transact(ctx, async (tx) => {
    const isHeld = await updateScan(tx, table, file.id, { scan_status: verdict, scan_due: null })
    if (!isHeld || verdict !== 'INFECTED') return
    await giveBackBytes(tx, file.size)
    await insertLoose(tx, file.blob_key, 0)
  })
  if (verdict === 'INFECTED') await removeBlobs(storage, ctx, [file.blob_key])
}
