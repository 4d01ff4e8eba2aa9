/** Kept cards as the API returns them: never with the number. */

import { formatSixDigits } from '#lib/time.ts'
import { isExpired } from './rules.ts'
import type { KeptCard } from './schema.ts'
import type { KeptCardRow } from './store.ts'

export const presentKeptCard = (row: KeptCardRow, now: Date): KeptCard => ({
  id: row.id,
  customer: row.customer,
  status: isExpired(row.expiry, now) ? 'EXPIRED' : 'ACTIVE',
  ...(row.brand !== null && { brand: row.brand }),
  last_four: row.last_four,
  expiry_date: `20${row.expiry.slice(0, 2)}-${row.expiry.slice(2)}`,
  consent: { text: row.consent, given_at: formatSixDigits(row.consented) },
  ...(row.used !== null && { used_at: formatSixDigits(row.used) }),
  created_at: formatSixDigits(row.created),
  updated_at: formatSixDigits(row.modified),
})
