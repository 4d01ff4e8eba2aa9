import { Progress, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing, once } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { type AnyLimit, LinkedLimits } from '../../parts/issuing/linked_limits.tsx'
import { Money, moneyText, When } from '../../parts/values.tsx'
import styles from './cards.module.css'

/** The part of a limit from which little is left. */
const NEARLY = 0.9

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
  const { available_amount: amount, available_frequency: number, currency, window_end } = data
  const isCounted = amount !== undefined && max_amount !== undefined && max_amount > 0
  return (
    <span className={styles['left']}>
      {amount !== undefined && <Money amount={amount} currency={currency} />}
      {number !== undefined && <span>{t('limits.times', { number })}</span>}
      {isCounted && window_end !== undefined && (
        <Spent spent={max_amount - amount} most={max_amount} currency={currency} />
      )}
      {window_end !== undefined && (
        <small className={styles['until']}>
          {t('limits.until')} <When at={window_end} />
        </small>
      )}
    </span>
  )
}

type SpentProps = { spent: number; most: number; currency: string }

/** The part of the limit that the period has used, as a bar and in words. */
function Spent({ spent, most, currency }: SpentProps) {
  const { t } = useTranslation()
  const amounts = { spent: moneyText(spent, currency), most: moneyText(most, currency) }
  const part = Math.min(1, Math.max(0, spent / most))
  return (
    <>
      <Progress
        size="sm"
        value={part * 100}
        color={part > NEARLY ? 'red' : 'accent'}
        aria-label={t('limits.spent', amounts)}
        className={styles['bar']}
      />
      <small className={styles['until']}>{t('limits.spent', amounts)}</small>
    </>
  )
}
