/** The files of shops, kept as those of the issuer: one store, one scanner, one count of bytes. */

import { openProviders, type Providers } from '#adapters/adapter.ts'
import {
  columnsOf,
  contentTypes,
  giveUp,
  heldFiles,
  receiveForm,
  removeBlobs,
  servedFile,
  takeOver,
} from '#issuing/identifications/identifications.ts'
import type { EvidenceStore } from '#merchant/chargebacks/chargebacks.ts'
import type { Config } from '#src/config/config.ts'
import { openFileStore } from '#src/config/file_store.ts'

/** Opens nothing before the first file. */
export function evidenceStore(config: Config, providers: Providers): EvidenceStore {
  const { scanner } = openProviders(config.adapters, providers)
  const storage = { store: openFileStore(config), scanner }
  return {
    contentTypes,
    receive: (ctx, parts) => receiveForm(storage, ctx, 'ADDITIONAL', parts),
    async takeOver(tx, files) {
      await takeOver(tx, files)
      return files.map(columnsOf)
    },
    giveUp,
    remove: (ctx, blob_key) => removeBlobs(storage, ctx, [blob_key]),
    serve: (ctx, row) => servedFile(storage, ctx, row, 'attachment'),
    held: heldFiles(storage, 'held files of chargebacks', 'chargeback_files'),
  }
}
