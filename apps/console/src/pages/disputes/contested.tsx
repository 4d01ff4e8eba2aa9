import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Dispute } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Failing } from '../../parts/failing.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, Status, When } from '../../parts/values.tsx'

/** The payment that is contested. */
export function Contested({ dispute }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const { transaction_id: id, amount, currency } = dispute
  const { data, error, refetch } = useQuery({
    queryKey: ['transactions', id],
    queryFn: () => answered(issuing.transactions.get(id)),
  })
  return (
    <Panel title={t('disputes.transaction')}>
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Skeleton height={120} role="status" aria-label={t('states.loading')} />}
      {data && (
        <Facts
          rows={[
            [t('fields.merchant'), <bdi key="shop">{data.merchant.name ?? data.merchant.id}</bdi>],
            [t('fields.status'), <Status key="status">{data.status}</Status>],
            [t('fields.amount'), <Money key="all" amount={data.amount} currency={data.currency} />],
            [
              t('disputes.settled'),
              <Money key="settled" amount={data.cleared_amount} currency={currency} />,
            ],
            [
              t('transactions.refunded'),
              <Money key="refunded" amount={data.refunded_amount} currency={currency} />,
            ],
            [t('disputes.contested'), <Money key="own" amount={amount} currency={currency} />],
            [t('fields.created'), <When key="created" at={data.created} />],
            [
              t('fields.id'),
              <ObjectLink key="id" to={`/transactions/${id}`}>
                <Code>{id}</Code>
              </ObjectLink>,
            ],
          ]}
        />
      )}
    </Panel>
  )
}
