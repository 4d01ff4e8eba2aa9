/** Every column with sealed bytes of all APIs. */

import { sealedDisputeFileKeys } from '#issuing/disputes/disputes.ts'
import { sealedFileKeys } from '#issuing/identifications/identifications.ts'
import { sealedNetworkKeys } from '#issuing/networks/networks.ts'
import { sealedInTenants } from '#issuing/tenants/tenants.ts'
import { sealedInVault } from '#issuing/vault/vault.ts'
import { sealedInWebhooks } from '#issuing/webhooks/webhooks.ts'
import { sealedAnswers } from '#kit/http/idempotency.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import { sealedMerchantCards } from '#merchant/acquirer/acquirer.ts'
import { sealedChargebackFileKeys } from '#merchant/chargebacks/chargebacks.ts'
import { sealedInMails } from '#portal/mails/mails.ts'
import { sealedInPeople } from '#portal/second_factors/second_factors.ts'

/** A test compares it with the columns of the database, so that a new one is not forgotten. */
export const sealedColumns: readonly SealedColumn[] = [
  ...sealedInTenants,
  ...sealedInVault,
  ...sealedInWebhooks,
  sealedFileKeys,
  sealedDisputeFileKeys,
  sealedChargebackFileKeys,
  sealedAnswers,
  sealedNetworkKeys,
  sealedMerchantCards,
  sealedInMails,
  sealedInPeople,
]
