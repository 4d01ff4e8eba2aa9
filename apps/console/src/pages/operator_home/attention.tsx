import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Failing } from '../../parts/failing.tsx'
import listing from '../../parts/listing.module.css'
import { Panel } from '../../parts/panel.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import styles from './operator_home.module.css'

export type Item = { id: string; what: ReactNode; how: ReactNode }

type AttentionProps = {
  title: string
  /** The page that has all of it. */
  to: string
  /** Items that need attention; undefined until they have arrived. */
  items: readonly Item[] | undefined
  /** Whether there is more than `items`. */
  hasMore?: boolean | undefined
  /** The sentence that is shown if there are none. */
  good: string
  error: unknown
  retry: () => unknown
}

const SHOWN = 5

/** One thing that may need attention, with the first of it. */
export function Attention({ title, to, items, hasMore, good, error, retry }: AttentionProps) {
  const { t } = useTranslation()
  return (
    <Panel
      title={title}
      actions={
        <Link
          to={to}
          className={listing['link'] ?? ''}
          aria-label={`${t('operator.home.open')}: ${title}`}
        >
          {t('operator.home.open')}
        </Link>
      }
      flush
    >
      {error !== null && !items && (
        <div className={styles['around']}>
          <Failing error={error} retry={retry} />
        </div>
      )}
      {!items && error === null && (
        <div className={styles['around']}>
          <Waiting height={24} />
        </div>
      )}
      {items?.length === 0 && (
        <p className={styles['good']}>
          <IconCircleCheck size={20} aria-hidden />
          {good}
        </p>
      )}
      {items && items.length > 0 && <Items items={items} hasMore={hasMore} />}
    </Panel>
  )
}

function Items({
  items,
  hasMore = false,
}: {
  items: readonly Item[]
  hasMore?: boolean | undefined
}) {
  const { t } = useTranslation()
  const more = items.length - SHOWN
  const n = hasMore ? `${more}+` : String(more)
  return (
    <ul className={styles['list']}>
      {items.slice(0, SHOWN).map(({ id, what, how }) => (
        <li key={id}>
          <span>{what}</span>
          <span className={styles['soft']}>{how}</span>
        </li>
      ))}
      {more > 0 && (
        <li>
          <span className={styles['soft']}>{t('operator.home.more', { n })}</span>
        </li>
      )}
    </ul>
  )
}
