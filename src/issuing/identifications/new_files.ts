import type { Metadata } from './rules/metadata.ts'
import type { SealedBlob } from './sealed_blobs.ts'
import type { FileRow } from './store.ts'

/** A stored file with the values of its row. */
export type NewFile = Metadata & {
  blob: SealedBlob
  sha256: Buffer
  scan_status: FileRow['scan_status']
}
export type NewFiles = { files: readonly NewFile[]; single: boolean }
