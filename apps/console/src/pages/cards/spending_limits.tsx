import { Progress, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing, once } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { type AnyLimit, LinkedLimits } from '../../parts/issuing/linked_limits.tsx'
import { Money } from '../../parts/values.tsx'
import styles from './cards.module.css'

/** Velocity limits of the card, and what they leave of their period. */
export function SpendingLimits({ card: { id, status } }: { card: Card }) {
  const may = useMay()
  const isOpen = status !== 'TERMINATED'
  const body = (ids: string[], key: string) => ({
    body: { ids },
    params: { path: { id }, header: once(key) },
  })
  const link = (ids: string[], key: string) =>
    answered(issuing.POST('/cards/{id}/velocitylimits:link', body(ids, key)))
  const unlink = (ids: string[], key: string) =>
    answered(issuing.POST('/cards/{id}/velocitylimits:unlink', body(ids, key)))
  return (
    <LinkedLimits
      kind="velocity"
      id={id}
      read={(after) => {
        const query = after === undefined ? {} : { after }
        return answered(
          issuing.GET('/cards/{id}/velocitylimits', { params: { path: { id }, query } }),
        )
      }}
      link={isOpen && may('linkCardVelocityLimits') ? link : undefined}
      unlink={isOpen && may('unlinkCardVelocityLimits') ? unlink : undefined}
      left={(limit) => <Left card_id={id} limit={limit} />}
    />
  )
}

function Left({ card_id, limit }: { card_id: string; limit: AnyLimit }) {
  const { t } = useTranslation()
  const { id, max_amount } = limit
  const { data, error } = useQuery({
    queryKey: ['velocity', id, card_id],
    queryFn: () => {
      const params = { path: { id }, query: { card_id } }
      return answered(issuing.GET('/velocitylimits/{id}:available', { params }))
    },
  })
  if (error) return '—'
  if (!data) return <Skeleton height={20} width={96} />
  const { available_amount: amount, available_frequency: number, currency } = data
  return (
    <span className={styles['left']}>
      {amount !== undefined && <Money amount={amount} currency={currency} />}
      {number !== undefined && <span>{t('limits.times', { number })}</span>}
      {amount !== undefined && max_amount !== undefined && max_amount > 0 && (
        <Progress
          size="sm"
          value={(amount / max_amount) * 100}
          aria-label={t('limits.left')}
          className={styles['bar']}
        />
      )}
    </span>
  )
}
