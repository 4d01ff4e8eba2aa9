import { presentFees } from './rules.ts'
import type { Merchant } from './schema.ts'
import type { MerchantRow } from './store.ts'

/** A merchant as the API returns it. */
export const presentMerchant = ({
  fees,
  descriptor,
  issuer,
  brand_color,
  logo,
  terms_url,
  support_url,
  ...row
}: MerchantRow): Merchant => ({
  ...row,
  ...(descriptor !== null && { descriptor }),
  ...(issuer !== null && { issuer }),
  ...(brand_color !== null && { brand_color }),
  ...(logo !== null && { logo }),
  ...(terms_url !== null && { terms_url }),
  ...(support_url !== null && { support_url }),
  fees: presentFees(fees),
})
