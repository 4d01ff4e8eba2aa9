/** How tokens come and go: numbers wrapped as soon as they are read, shown only as they may be. */

import { Secret } from '#lib/secret.ts'
import type { Provisioning } from './schema.ts'
import type { TokenRow } from './store.ts'
import type { Given, RevealedToken } from './tokens.ts'

export const readProvisioning = ({ card_number, cvv2, ...rest }: Provisioning): Given => ({
  ...rest,
  card_number: new Secret(card_number),
  cvv2: new Secret(cvv2),
})

/** The first six digits and the last four, as of cards. */
export const presentToken = (row: TokenRow) => ({
  ...row,
  masked_token_number: `${row.bin.slice(0, 6)}******${row.last_four}`,
})

/** The only place where the number of a token leaves in clear. */
export const presentRevealed = ({ id, token_number, expiry_date }: RevealedToken) => ({
  id,
  token_number: token_number.reveal(),
  expiry_date,
})
