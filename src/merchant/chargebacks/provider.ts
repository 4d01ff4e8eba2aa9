/**
 * The store of the files of evidence (D-1410). The program gives it to the slice: files of shops
 * are inspected, scanned, sealed and counted as all others of their tenant.
 */

import type { Selectable } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import type { Download } from '#kit/http/answers/downloads.ts'
import type { Parts, Received } from '#kit/http/bodies/uploads.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'

export type ChargebackFileRow = Selectable<Database['chargeback_files']>

/** A file whose bytes are in the store, and to which no row belongs yet. */
export type NewFile = Pick<
  ChargebackFileRow,
  'file_name' | 'content_type' | 'sha256' | 'scan_status'
> & {
  id?: string | undefined
  blob: { key: string; sealed_key: Buffer; size: number }
}
export type StoredFile = Omit<
  ChargebackFileRow,
  'tenant_id' | 'chargeback_id' | 'scan_due' | 'created' | 'deleted'
>
export type NewFiles = { files: readonly NewFile[]; single: boolean }

export type EvidenceStore = {
  /** The media types of its files. */
  contentTypes: readonly string[]
  receive: (ctx: Context, parts: Parts) => Promise<Received<NewFiles>>
  /** Their bytes become those of rows of this transaction, which have these columns. */
  takeOver: (tx: Tx, files: readonly NewFile[]) => Promise<StoredFile[]>
  /** The bytes of a row that is deleted in this transaction belong to none any more. */
  giveUp: (tx: Tx, row: ChargebackFileRow) => Promise<void>
  /** Removes bytes that belong to no row. Never throws. */
  remove: (ctx: Context, blob_key: string) => Promise<unknown>
  /** Fails with `file_held` and `file_infected`. */
  serve: (ctx: Context, row: ChargebackFileRow) => Download
  /** Scans the files that were not scanned at their upload. */
  held: Sweep
}
