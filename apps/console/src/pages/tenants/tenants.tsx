import { IconBuildingBank } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useActing } from '../../api/acting.ts'
import { answered, issuing } from '../../api/client.ts'
import type { Tenant } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import { ActFor } from './act_for.tsx'
import { CreateTenant } from './create_tenant.tsx'

const read = (after: string | undefined) => {
  const query = after === undefined ? {} : { after }
  return answered(issuing.operator.listTenants(query))
}

/** The organizations whose cards this platform issues. */
export function Tenants() {
  const { t } = useTranslation()
  return (
    <Page name="tenants" lead={t('operator.tenants.lead')} actions={<CreateTenant />}>
      <Panel title={t('operator.tenants.all')} flush>
        <Paged
          label={t('pages.tenants')}
          queryKey={['tenants', 'list']}
          read={read}
          columns={useTenantColumns()}
          to={({ id }) => `/tenants/${id}`}
          empty={
            <Empty
              icon={IconBuildingBank}
              title={t('operator.tenants.none')}
              text={t('operator.tenants.none_text')}
            />
          }
        />
      </Panel>
    </Page>
  )
}

function useTenantColumns(): Column<Tenant>[] {
  const { t } = useTranslation()
  const acting = useActing()
  return [
    { title: t('fields.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    {
      title: t('fields.currency'),
      cell: ({ settings }) => <Code>{settings.default_currency}</Code>,
    },
    { title: t('fields.id'), cell: ({ id }) => <Code>{id.slice(-12)}</Code> },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    {
      title: t('operator.act'),
      cell: (tenant) =>
        tenant.id === acting?.id ? t('operator.acting_now') : <ActFor tenant={tenant} isSmall />,
    },
  ]
}
