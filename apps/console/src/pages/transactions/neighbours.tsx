import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useFilters } from '../../parts/filters.tsx'
import { listOf, NAMES } from './search.ts'
import styles from './transactions.module.css'

/** Pages of the list in which the payment is looked for; behind them it has no neighbours. */
const PAGES_MAX = 5

/** The list that the reader comes from, as its filters in the address have it. */
export function Neighbours({ id }: { id: string }) {
  const { t } = useTranslation()
  const { values } = useFilters(NAMES)
  const query = useInfiniteQuery(listOf(values))
  const { data, error, hasNextPage, isFetching, fetchNextPage } = query
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  const at = rows.findIndex((row) => row.id === id)
  // The next row may stand on the next page.
  const isShort = at === -1 || at === rows.length - 1
  const isLooking = at !== -1 || (data?.pages.length ?? 0) < PAGES_MAX
  useEffect(() => {
    if (isShort && isLooking && hasNextPage && !isFetching && !error) void fetchNextPage()
  }, [isShort, isLooking, hasNextPage, isFetching, error, fetchNextPage])
  const [before, after] = at === -1 ? [] : [rows[at - 1], rows[at + 1]]
  return (
    <nav aria-label={t('payment.neighbours')} className={styles['neighbours']}>
      <Step to="/transactions">{t('payment.list')}</Step>
      {before && <Step to={`/transactions/${before.id}`}>{t('payment.previous')}</Step>}
      {after && <Step to={`/transactions/${after.id}`}>{t('payment.next')}</Step>}
    </nav>
  )
}

/** The filters stay in the address. */
function Step({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Button component={Link} to={to} search={true} variant="default" size="xs">
      {children}
    </Button>
  )
}
