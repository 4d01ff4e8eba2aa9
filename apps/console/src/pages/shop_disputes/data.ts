/** Reads of the shop's disputes. */

import { answered, merchant } from '../../api/client.ts'
import type { ListPage, ShopDispute } from '../../api/types.ts'

export const STATUSES = [
  ...(['NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON', 'LOST', 'ACCEPTED', 'WITHDRAWN'] as const),
]

export type Row = ShopDispute & { id: string }
type Query = {
  status?: (typeof STATUSES)[number]
  reference?: string
  sort_by?: 'respond_by'
  after?: string
}

export async function readDisputes(query: Query): Promise<ListPage<Row>> {
  const page = await answered(merchant.disputes.listChargebacks(query))
  return { ...page, data: page.data.map((one) => ({ ...one, id: one.dispute_id })) }
}

export const readDispute = (id: string): Promise<ShopDispute> =>
  answered(merchant.disputes.getChargeback(id))
