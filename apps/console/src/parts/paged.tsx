import { useInfiniteQuery } from '@tanstack/react-query'
import type { ListPage } from '../api/types.ts'
import { Failing } from './failing.tsx'
import { Listing, type ListingProps } from './listing.tsx'
import { More } from './more.tsx'

type PagedProps<Item> = Omit<ListingProps<Item>, 'rows' | 'error' | 'retry'> & {
  /** The key of the query that reads the rows. */
  queryKey: readonly unknown[]
  /** Reads the rows behind a cursor. */
  read: (after: string | undefined) => Promise<ListPage<Item>>
}

/** A list that is read page by page (D-4). */
export function Paged<Item extends { id: string }>({ queryKey, read, ...rest }: PagedProps<Item>) {
  const query = useInfiniteQuery({
    queryKey,
    initialPageParam: '',
    queryFn: ({ pageParam }) => read(pageParam === '' ? undefined : pageParam),
    getNextPageParam: ({ has_more, after }) => (has_more ? after : undefined),
  })
  const { data, error, refetch, fetchNextPage } = query
  const rows = data?.pages.flatMap((page) => page.data)
  return (
    <>
      <Listing {...rest} rows={rows} error={error} retry={refetch} />
      {rows && error && <Failing error={error} retry={fetchNextPage} />}
      <More {...query} />
    </>
  )
}
