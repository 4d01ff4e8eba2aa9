/** The queue of reviews, as its filters in the address choose it. */

import { infiniteQueryOptions, useQuery } from '@tanstack/react-query'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { allTenants } from '../../api/tenants.ts'
import type { Review, User } from '../../api/types.ts'
import { type FilterValues, useFilters } from '../../parts/filters.tsx'
import { USER_STATUSES, USER_TYPES } from '../../parts/person/person.ts'

type Name = 'status' | 'user_type' | 'tenant_id'

/** The most that the operation answers: a reviewer has these before them, then the next ones. */
const PAGE = 50

export const useQueueFilters = () => useFilters<Name>(['status', 'user_type', 'tenant_id'])

export function readQueue({ status, user_type, tenant_id }: FilterValues<Name>, after?: string) {
  const chosen = {
    status: USER_STATUSES.find((one) => one === status),
    user_type: USER_TYPES.find((one) => one === user_type),
  }
  const query = {
    limit: PAGE,
    ...(chosen.status && { status: chosen.status }),
    ...(chosen.user_type && { user_type: chosen.user_type }),
    ...(tenant_id !== undefined && { tenant_id }),
    ...(after !== undefined && { after }),
  }
  return answered(issuing.operator.listReviews(query))
}

export const queueOf = (filters: FilterValues<Name>) =>
  infiniteQueryOptions({
    queryKey: ['reviews', 'queue', filters],
    initialPageParam: '',
    queryFn: ({ pageParam }) => readQueue(filters, pageParam === '' ? undefined : pageParam),
    getNextPageParam: ({ has_more, after }) => (has_more ? after : undefined),
  })

/** The page of a review; the filters stay in the address, so that the next one is of the same queue. */
export function addressOf(
  { tenant_id, user }: Pick<Review, 'tenant_id'> & { user: Pick<User, 'id'> },
  filters: FilterValues<Name>,
): string {
  return `/reviews/${tenant_id}/${user.id}${queryOf(filters)}`
}

export const queueAddress = (filters: FilterValues<Name>): string => `/reviews${queryOf(filters)}`

function queryOf(filters: FilterValues<Name>): string {
  const query = new URLSearchParams(filters).toString()
  return query === '' ? '' : `?${query}`
}

export function useTenants() {
  const may = useMay()
  const { data: tenants = [] } = useQuery({ ...allTenants, enabled: may('listTenants') })
  return { tenants, nameOf: (id: string) => tenants.find((one) => one.id === id)?.name ?? id }
}
