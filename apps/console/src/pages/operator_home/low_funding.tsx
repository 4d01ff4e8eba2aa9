import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Money } from '../../parts/values.tsx'
import { Attention } from './attention.tsx'

const BELOW = 1_000

/** Tenants that will soon be unable to load accounts. */
export function LowFunding() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['low_funding'],
    queryFn: () => answered(issuing.operator.listLowFunding({ below: BELOW })),
  })
  const items = data?.data.map(({ account_id, tenant_id, tenant_name, available, currency }) => ({
    id: account_id,
    what: (
      <ObjectLink to={`/tenants/${tenant_id}`}>
        <bdi>{tenant_name}</bdi>
      </ObjectLink>
    ),
    how: <Money amount={available} currency={currency} />,
  }))
  return (
    <Attention
      title={t('operator.home.funding', { below: BELOW.toLocaleString('en') })}
      to="/tenants"
      items={items}
      good={t('operator.home.funding_good')}
      error={error}
      retry={refetch}
    />
  )
}
