import { Progress, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { AvailableVelocity, Card, VelocityLimit } from '../../api/types.ts'
import { LimitName, limitTerms } from '../../parts/issuing/linked_limits.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { countText, moneyText, Status, When } from '../../parts/values.tsx'
import styles from './limits.module.css'
import type { Bounding } from './limits_of.ts'

type SpendingLimitProps = { card: Card; bounding: Bounding; action: ReactNode }

/** One limit with the rest of its period, as figures and as a bar. */
export function SpendingLimit({ card, bounding: { limit, of, id }, action }: SpendingLimitProps) {
  const { t } = useTranslation()
  const pages = { product: 'card-products', user: 'users', account: 'accounts' } as const
  return (
    <li>
      <div className={styles['head']}>
        <div>
          <strong className={styles['name']}>
            <ObjectLink to={`/controls/velocity/${limit.id}`}>
              <LimitName limit={limit} />
            </ObjectLink>
            {limit.mode === 'SHADOW' && <Status>{limit.mode}</Status>}
          </strong>
          <p className={styles['terms']}>
            {limitTerms(t, limit)}
            {of !== 'card' && (
              <>
                {' · '}
                <ObjectLink to={`/${pages[of]}/${id}`}>{t(`limits.of.${of}`)}</ObjectLink>
              </>
            )}
          </p>
        </div>
        {action}
      </div>
      <Left card_id={card.id} limit={limit} />
    </li>
  )
}

function Left({ card_id, limit }: { card_id: string; limit: VelocityLimit }) {
  const { data, error } = useQuery({
    queryKey: ['velocity', limit.id, card_id],
    queryFn: () => answered(issuing.limits.getAvailableVelocity(limit.id, { card_id })),
  })
  if (error) return <p className={styles['terms']}>—</p>
  if (!data) return <Skeleton height={40} />
  return <Measures limit={limit} left={data} />
}

type MeasuresProps = { limit: VelocityLimit; left: AvailableVelocity }

function Measures({ limit, left }: MeasuresProps) {
  const { t } = useTranslation()
  const { max_amount, frequency } = limit
  const { available_amount: amount, available_frequency: number, currency, window_end } = left
  // A limit of each payment alone has no period to be used up.
  const isCounted = limit.type === 'CUMULATIVE'
  const money = (sum: number) => moneyText(sum, currency)
  return (
    <div className={styles['measures']}>
      {amount !== undefined && isCounted && max_amount !== undefined && (
        <Measure
          left={amount}
          most={max_amount}
          label={t('limits.sum')}
          textOf={money}
          until={window_end}
        />
      )}
      {amount !== undefined && !isCounted && (
        <p className={styles['figures']}>
          <bdi>{t('limits.each', { amount: money(amount) })}</bdi>
        </p>
      )}
      {number !== undefined && frequency !== undefined && (
        <Measure
          left={number}
          most={frequency}
          label={t('limits.count')}
          textOf={countText}
          until={window_end}
        />
      )}
    </div>
  )
}

/** The parts of a limit from which little, and very little, is left. */
const NEARLY = 0.75
const OVER = 0.9

type MeasureProps = {
  label: string
  left: number
  most: number
  textOf: (sum: number) => string
  until: string | undefined
}

/** `AED 380.00 left until 30 Nov`, a bar, and `AED 120.00 of AED 500.00 used`. */
function Measure({ label, left, most, textOf, until }: MeasureProps) {
  const { t } = useTranslation()
  const used = Math.max(0, most - left)
  const part = most > 0 ? Math.min(1, used / most) : 1
  const text = t('limits.spent', { spent: textOf(used), most: textOf(most) })
  const tone = part > OVER ? 'red' : part > NEARLY ? 'yellow' : 'accent'
  return (
    <div className={styles['measure']}>
      <p className={styles['figures']}>
        <strong>
          <bdi>{t('limits.left_now', { left: textOf(left) })}</bdi>
        </strong>
        {until !== undefined && (
          <span className={styles['until']}>
            {t('limits.until')} <When at={until} />
          </span>
        )}
      </p>
      <Progress size="lg" value={part * 100} color={tone} aria-label={`${label}: ${text}`} />
      <p className={styles['figures']}>
        <span className={styles['terms']}>{label}</span>
        <span className={styles['terms']}>{text}</span>
      </p>
    </div>
  )
}
