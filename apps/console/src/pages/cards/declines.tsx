import { Anchor, Skeleton } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Card, Transaction } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { declineText } from '../../parts/issuing/decline_words.ts'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { countText, Money, When } from '../../parts/values.tsx'
import styles from './cards.module.css'

/** The newest declined payments, whose reasons are counted. */
const NEWEST = 50
const REASONS = 5

/** The reasons for which the card did not work, the newest first. */
export function Declines({ card: { id: card_id } }: { card: Card }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['transactions', 'declines_of_card', card_id],
    queryFn: async () => {
      const query = { card_id, status: 'DECLINED' as const, limit: NEWEST }
      return (await answered(issuing.transactions.list(query))).data
    },
  })
  const reasons = [...Map.groupBy(data ?? [], (one) => declineText(t, one))].slice(0, REASONS)
  const all = `/transactions?card_id=${card_id}&status=DECLINED`
  return (
    <Panel
      title={t('declines.title')}
      flush
      actions={
        reasons.length > 0 && (
          <Anchor component={Link} to={all} size="sm">
            {t('declines.all')}
          </Anchor>
        )
      }
    >
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Skeleton height={64} role="status" aria-label={t('states.loading')} />}
      {data?.length === 0 && (
        <Empty
          isSmall
          icon={IconCircleCheck}
          title={t('declines.none')}
          text={t('declines.none_text')}
        />
      )}
      {reasons.length > 0 && (
        <ul className={styles['declines']}>
          {reasons.map(([reason, rows]) => (
            <Reason key={reason} reason={reason} rows={rows} />
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Reason({ reason, rows }: { reason: string; rows: readonly Transaction[] }) {
  const { t } = useTranslation()
  const [newest] = rows
  if (!newest) return null
  const { id, merchant, amount, currency, created } = newest
  return (
    <li>
      <span>
        <strong>{reason}</strong>
        <small>
          <ObjectLink to={`/transactions/${id}`}>
            <bdi>{merchant.name ?? merchant.id ?? id}</bdi>
          </ObjectLink>
          {' · '}
          <Money amount={amount} currency={currency} />
          {' · '}
          <When at={created} />
        </small>
      </span>
      {rows.length > 1 && <small>{t('declines.times', { number: countText(rows.length) })}</small>}
    </li>
  )
}
