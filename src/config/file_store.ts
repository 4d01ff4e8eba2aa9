/** The store of uploaded files, as the configuration names it (D-28). */

import { join } from 'node:path'
import { type BlobStore, folderStore } from '#kit/files/blobs.ts'
import { bucketStore } from '#kit/files/bucket.ts'
import type { Config } from './config.ts'

/** Opens nothing before the first file. */
export function openFileStore({ data_dir, storage: { bucket } }: Config): BlobStore {
  if (!bucket) return folderStore(join(data_dir, 'files'))
  return bucketStore({ ...bucket, secret_key: bucket.secret_key.reveal() })
}
