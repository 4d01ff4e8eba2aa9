/** Every column of both houses that holds sealed bytes. */

import { sealedFileKeys } from '#issuing/identifications/identifications.ts'
import { sealedInVault } from '#issuing/vault/vault.ts'
import { sealedInWebhooks } from '#issuing/webhooks/webhooks.ts'
import { sealedAnswers } from '#kit/idempotency.ts'
import type { SealedColumn } from '#kit/sealed_columns.ts'
import { sealedMerchantCards } from '#merchant/acquirer/acquirer.ts'

/** A test holds it against the columns of the database, so that a new one cannot be forgotten. */
export const sealedColumns: readonly SealedColumn[] = [
  ...sealedInVault,
  ...sealedInWebhooks,
  sealedFileKeys,
  sealedAnswers,
  sealedMerchantCards,
]
