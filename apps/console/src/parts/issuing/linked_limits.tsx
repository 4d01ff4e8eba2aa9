import { IconGauge } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { BalanceLimit, ListPage, VelocityLimit } from '../../api/types.ts'
import { Act } from '../act.tsx'
import { Empty } from '../empty.tsx'
import { NativeSelect } from '../fields.tsx'
import type { Column } from '../listing.tsx'
import { Paged } from '../paged.tsx'
import { Panel } from '../panel.tsx'
import { useChoice } from '../use_choice.ts'
import { Code, moneyText, Status } from '../values.tsx'

type AnyLimit = BalanceLimit | VelocityLimit

const MOST = 200

const choicesOf = (kind: 'balance' | 'velocity'): Promise<{ data: AnyLimit[] }> => {
  return kind === 'balance'
    ? answered(issuing.limits.listBalanceLimits({ limit: MOST }))
    : answered(issuing.limits.listVelocityLimits({ limit: MOST }))
}

type LinkedLimitsProps = {
  kind: 'balance' | 'velocity'
  /** The object that they are linked to. */
  id: string
  read: (after: string | undefined) => Promise<ListPage<AnyLimit>>
  /** Absent if the role or the object allows no change. */
  link?: ((ids: string[], key: string) => Promise<unknown>) | undefined
  unlink?: ((ids: string[], key: string) => Promise<unknown>) | undefined
}

/** The limits of one object, which a limit of the page Controls joins by a link. */
export function LinkedLimits({ kind, id, read, link, unlink }: LinkedLimitsProps) {
  const { t } = useTranslation()
  const title = t(`limits.${kind}`)
  const columns: Column<AnyLimit>[] = [
    { title: t('limits.limit'), cell: (limit) => <LimitName limit={limit} /> },
    { title: t('limits.terms'), cell: (limit) => limitTerms(t, limit) },
    { title: t('limits.mode'), cell: ({ mode }) => <Status>{mode}</Status> },
    ...(unlink
      ? [
          {
            title: t('limits.action'),
            isFigure: true,
            cell: (limit: AnyLimit) => <Unlink limit={limit} unlink={unlink} />,
          },
        ]
      : []),
  ]
  return (
    <Panel title={title} actions={link && <LinkLimit kind={kind} link={link} />} flush>
      <Paged
        label={title}
        queryKey={['limits', kind, id]}
        read={read}
        columns={columns}
        expected={2}
        empty={
          <Empty
            isSmall
            icon={IconGauge}
            title={t('limits.none')}
            text={t(`limits.none_${kind}`)}
          />
        }
      />
    </Panel>
  )
}

export function LimitName({ limit: { id, description } }: { limit: AnyLimit }) {
  return description ? <bdi>{description}</bdi> : <Code>{id}</Code>
}

/** `At most AED 500.00 · Uses: 3 · per day`. */
export function limitTerms(t: TFunction, limit: AnyLimit): string {
  const { min_amount, max_amount, currency } = limit
  const { frequency, period } = 'transaction_scope' in limit ? limit : {}
  const texts = [
    min_amount !== undefined && t('limits.least', { amount: moneyText(min_amount, currency) }),
    max_amount !== undefined && t('limits.most', { amount: moneyText(max_amount, currency) }),
    frequency !== undefined && t('limits.times', { number: frequency }),
    period !== undefined && t(`limits.periods.${period}`),
  ]
  return texts.filter(Boolean).join(' · ')
}

type LinkLimitProps = {
  kind: 'balance' | 'velocity'
  link: (ids: string[], key: string) => Promise<unknown>
}

export function LinkLimit({ kind, link }: LinkLimitProps) {
  const { t } = useTranslation()
  const may = useMay()
  const [chosen, choose] = useState('')
  const operation = kind === 'balance' ? 'listBalanceLimits' : 'listVelocityLimits'
  const choices = useQuery({
    queryKey: ['limits', kind, 'all'],
    queryFn: () => choicesOf(kind),
    enabled: may(operation),
  })
  const limits = choices.data?.data ?? []
  const id = useChoice<AnyLimit>(limits, chosen)?.id ?? ''
  if (limits.length === 0) return null
  return (
    <Act
      label={t('limits.link')}
      text={t('limits.link_text')}
      act={(key) => link([id], key)}
      onDone={() => choose('')}
    >
      <NativeSelect
        path="ids"
        label={t('limits.limit')}
        data={limits.map((limit) => ({
          value: limit.id,
          label: limit.description ?? limit.id,
        }))}
        value={id}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </Act>
  )
}

type UnlinkProps = { limit: AnyLimit; unlink: (ids: string[], key: string) => Promise<unknown> }

export function Unlink({ limit, unlink }: UnlinkProps) {
  const { t } = useTranslation()
  return (
    <Act
      isDangerous
      label={t('limits.unlink')}
      text={t('limits.unlink_text', { name: limit.description ?? limit.id })}
      act={(key) => unlink([limit.id], key)}
    />
  )
}
