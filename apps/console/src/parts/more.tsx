import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from './listing.module.css'

type MoreProps = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
  /** Below what has no rows that reach the edges of the panel. */
  isInset?: boolean
}

/** Reads the next page of a list, where there is one. */
export function More({
  hasNextPage,
  isFetchingNextPage,
  fetchNextPage,
  isInset = false,
}: MoreProps) {
  const { t } = useTranslation()
  if (!hasNextPage) return null
  return (
    <div className={styles[isInset ? 'inset' : 'more']}>
      <Button
        variant="default"
        size="xs"
        loading={isFetchingNextPage}
        onClick={() => void fetchNextPage()}
      >
        {t('actions.more')}
      </Button>
    </div>
  )
}
