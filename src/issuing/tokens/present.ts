/** Reads requests with numbers as secrets, and makes API answers with masked numbers. */

import { Secret } from '#lib/secret.ts'
import type { Provisioning } from './schema.ts'
import type { TokenRow } from './store.ts'
import type { ProvisioningRequest, RevealedToken } from './tokens.ts'

export const readProvisioning = ({
  card_number,
  cvv2,
  ...rest
}: Provisioning): ProvisioningRequest => ({
  ...rest,
  card_number: new Secret(card_number),
  cvv2: new Secret(cvv2),
})

/** The first six digits and the last four, as of cards. */
export const presentToken = (row: TokenRow) => ({
  ...row,
  masked_token_number: `${row.bin.slice(0, 6)}******${row.last_four}`,
})

/** The only place that puts the full number of a token into an answer. */
export const presentRevealed = ({ id, token_number, expiry_date }: RevealedToken) => ({
  id,
  token_number: token_number.reveal(),
  expiry_date,
})
