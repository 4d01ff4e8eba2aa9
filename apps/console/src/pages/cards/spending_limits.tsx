import { Skeleton } from '@mantine/core'
import { IconGauge } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { LinkLimit, Unlink } from '../../parts/issuing/linked_limits.tsx'
import { Panel } from '../../parts/panel.tsx'
import { AddLimit } from './add_limit.tsx'
import styles from './limits.module.css'
import { type Bounding, boundingLimits } from './limits_of.ts'
import { SpendingLimit } from './spending_limit.tsx'

/** The limits that a payment of the card must fit, and what each leaves of its period. */
export function SpendingLimits({ card }: { card: Card }) {
  const { t } = useTranslation()
  const may = useMay()
  const { id, status } = card
  const isOpen = status !== 'TERMINATED'
  const { data, error, refetch } = useQuery(boundingLimits(card))
  const link = (ids: string[], key: string) =>
    answered(issuing.limits.linkCardVelocityLimits(id, { ids }, { idempotencyKey: key }))
  const unlink = (ids: string[], key: string) =>
    answered(issuing.limits.unlinkCardVelocityLimits(id, { ids }, { idempotencyKey: key }))
  const mayLink = isOpen && may('linkCardVelocityLimits')
  const mayUnlink = isOpen && may('unlinkCardVelocityLimits')
  return (
    <Panel
      title={t('limits.velocity')}
      actions={
        mayLink && (
          <span className={styles['actions']}>
            <LinkLimit kind="velocity" link={link} />
            {may('createVelocityLimit') && <AddLimit card={card} link={link} />}
          </span>
        )
      }
      flush
    >
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Skeleton height={96} role="status" aria-label={t('states.loading')} />}
      {data?.length === 0 && (
        <Empty
          isSmall
          icon={IconGauge}
          title={t('limits.none')}
          text={mayLink ? t('limits.none_card') : t('limits.none_here')}
        />
      )}
      {data && data.length > 0 && (
        <ul className={styles['limits']} aria-label={t('limits.velocity')}>
          {data.map((bounding) => (
            <SpendingLimit
              key={bounding.limit.id}
              card={card}
              bounding={bounding}
              action={mayUnlink && isOwn(bounding) && <Unlink {...{ unlink, ...bounding }} />}
            />
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** A limit of the product, the user or the account is unlinked on the page of that. */
const isOwn = ({ of }: Bounding): boolean => of === 'card'
