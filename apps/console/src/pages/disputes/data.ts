/** Reads of disputes that the pages share. */

import { queryOptions } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'
import type { Dispute } from '../../api/types.ts'

export const STATUSES = [
  ...(['DRAFT', 'SUBMITTED', 'CHARGED_BACK', 'REPRESENTED', 'PRE_ARBITRATION'] as const),
  ...(['WON', 'LOST', 'ACCEPTED', 'WITHDRAWN', 'EXPIRED'] as const),
]
/** The statuses in which the issuer has to act. */
const OURS = ['DRAFT', 'REPRESENTED'] as const

const PAGE = 200
/** More of a status than these are found in the list. */
export const QUEUE_MOST = 1000

export const readDispute = (id: string): Promise<Dispute> => answered(issuing.disputes.get(id))

async function readAll(status: (typeof OURS)[number]): Promise<Dispute[]> {
  const found: Dispute[] = []
  let after: string | undefined
  do {
    const query = {
      status,
      sort_by: 'deadline' as const,
      limit: PAGE,
      ...(after !== undefined && { after }),
    }
    const page = await answered(issuing.disputes.list(query))
    found.push(...page.data)
    after = page.has_more ? page.after : undefined
  } while (after !== undefined && found.length < QUEUE_MOST)
  return found
}

const endOf = ({ deadline = '9999' }: Dispute): string => deadline

/** The disputes that wait for the issuer; the deadline that is next comes first. */
export const queue = queryOptions({
  queryKey: ['disputes', 'queue'],
  queryFn: async () => {
    const found = await Promise.all(OURS.map(readAll))
    return found.flat().toSorted((one, other) => (endOf(one) < endOf(other) ? -1 : 1))
  },
})
