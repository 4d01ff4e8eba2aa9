/** The reviews before and behind one in the queue that the address names. */

import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Review, User } from '../../api/types.ts'
import { addressOf, queueAddress, queueOf, useQueueFilters } from './queue_data.ts'

/**
 * Reads the queue up to the place of the user, and one page further where the user is the last of
 * those that were read. The queue is sorted, newest first: behind an older user it is not sought.
 */
export function useNeighbours(tenant_id: string, { id, created }: User) {
  const navigate = useNavigate()
  const { values } = useQueueFilters()
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(queueOf(values))
  const queue = data?.pages.flatMap((page) => page.data) ?? []
  const at = queue.findIndex((one) => one.tenant_id === tenant_id && one.user.id === id)
  const last = queue.at(-1)?.user.created ?? ''
  const isFurther = hasNextPage && (at < 0 ? last >= created : at === queue.length - 1)
  const isAsked = isFurther && !isFetching && !error
  useEffect(() => {
    if (isAsked) void fetchNextPage()
  }, [isAsked, fetchNextPage])
  const open = (review: Review | undefined) => {
    if (review) void navigate({ to: addressOf(review, values) })
  }
  const back = () => void navigate({ to: queueAddress(values) })
  // One that is opened by its address and is in no queue is followed by the first of the queue.
  const [next, previous] = [queue[at + 1], queue[at - 1]]
  const goOn = () => {
    const following = next ?? previous
    if (following) open(following)
    else back()
  }
  return {
    values,
    at,
    /** Whether it is not known yet where the user is. */
    isSought: !error && (data === undefined || isFurther),
    count: queue.length,
    hasMore: hasNextPage,
    next,
    previous,
    open,
    back,
    goOn,
  }
}
