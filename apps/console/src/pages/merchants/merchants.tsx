import { IconBuildingStore } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { allTenants, tenantChoices } from '../../api/tenants.ts'
import type { Shop } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterSelect, Filters, useFilters } from '../../parts/filters.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status, When } from '../../parts/values.tsx'
import { CreateMerchant } from './merchant_forms.tsx'

const NAMES = ['tenant_id'] as const

/** The shops that sell by the order service. */
export function Merchants() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const { data: tenants } = useQuery(allTenants)
  const read = (after: string | undefined) => {
    const query = { ...values, ...(after !== undefined && { after }) }
    return answered(issuing.operator.listMerchants(query))
  }
  return (
    <Page name="merchants" lead={t('operator.merchants.lead')} actions={<CreateMerchant />}>
      <Panel title={t('operator.merchants.all')} flush>
        <Filters>
          <FilterSelect
            label={t('operator.tenant')}
            all={t('filters.all')}
            data={tenantChoices(tenants)}
            value={values.tenant_id}
            onChange={(value) => set('tenant_id', value)}
          />
        </Filters>
        <Paged
          label={t('pages.merchants')}
          queryKey={['merchants', 'list', values]}
          read={read}
          columns={useMerchantColumns()}
          to={({ id }) => `/merchants/${id}`}
          filters={values}
          empty={
            <Empty
              icon={IconBuildingStore}
              title={t('operator.merchants.none')}
              text={t('operator.merchants.none_text')}
            />
          }
        />
      </Panel>
    </Page>
  )
}

function useMerchantColumns(): Column<Shop>[] {
  const { t } = useTranslation()
  const { data: tenants } = useQuery(allTenants)
  const nameOf = (id: string) => tenants?.find((one) => one.id === id)?.name ?? id.slice(-12)
  return [
    { title: t('fields.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    { title: t('operator.tenant'), cell: ({ tenant_id }) => <bdi>{nameOf(tenant_id)}</bdi> },
    { title: t('operator.merchants.mcc'), cell: ({ mcc }) => <Code>{mcc}</Code> },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
  ]
}
