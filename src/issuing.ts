/** The card platform as a table of its slices. */

import { accountsSlice } from '#issuing/accounts/slice.ts'
import type { Authorizer } from '#issuing/authorization/authorization.ts'
import { authorizationSlice } from '#issuing/authorization/slice.ts'
import { cardsSlice } from '#issuing/cards/slice.ts'
import { identificationsSlice } from '#issuing/identifications/slice.ts'
import { ledgerSlice } from '#issuing/ledger/slice.ts'
import { productsSlice } from '#issuing/products/slice.ts'
import { tenantsSlice } from '#issuing/tenants/slice.ts'
import { transactionsSlice } from '#issuing/transactions/slice.ts'
import { usersSlice } from '#issuing/users/slice.ts'
import { vaultSlice } from '#issuing/vault/slice.ts'
import { webhooksSlice } from '#issuing/webhooks/slice.ts'
import type { Slice } from '#kit/slice.ts'
import { clockSlice } from '#sandbox/clock/slice.ts'
import { playedNetworkSlice } from '#sandbox/network/slice.ts'
import type { Config } from './config.ts'
import { openFileVault } from './files.ts'

export const ISSUING_PREFIX = '/v1'

/** The slices of the issuing house, in the order in which they may build on each other. */
export function issuingSlices(config: Config, engine: Authorizer): Slice[] {
  return [
    tenantsSlice,
    usersSlice,
    identificationsSlice(openFileVault(config)),
    vaultSlice,
    productsSlice,
    ledgerSlice,
    accountsSlice,
    cardsSlice,
    transactionsSlice,
    authorizationSlice,
    webhooksSlice(),
    clockSlice,
    playedNetworkSlice(engine),
  ]
}
