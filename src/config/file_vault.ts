/** The store of uploaded files and the virus scanner, as the configuration names them (D-28). */

import { join } from 'node:path'
import { type BlobStore, folderStore } from '#kit/files/blobs.ts'
import { bucketStore } from '#kit/files/bucket.ts'
import { clamdScanner, type Scanner } from '#kit/files/clamd.ts'
import type { Config } from './config.ts'

/** Opens nothing before the first file. */
export function openFileVault({ data_dir, storage: { bucket, scanner } }: Config): {
  store: BlobStore
  scanner: Scanner | undefined
} {
  return {
    store: bucket
      ? bucketStore({ ...bucket, secret_key: bucket.secret_key.reveal() })
      : folderStore(join(data_dir, 'files')),
    scanner: scanner ? clamdScanner(scanner) : undefined,
  }
}
