import { IconStack2 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { forTenant } from '../../api/acting.ts'
import { answered, issuing } from '../../api/client.ts'
import type { CardProduct } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status } from '../../parts/values.tsx'

/** The card products of a tenant; each leads to the keys of its cards. */
export function Products({ tenant_id }: { tenant_id: string }) {
  const { t } = useTranslation()
  const read = (after: string | undefined) => {
    const query = after === undefined ? {} : { after }
    const headers = forTenant(tenant_id)
    return answered(issuing.cardProducts.list(query, { headers }))
  }
  const columns: Column<CardProduct>[] = [
    { title: t('fields.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    { title: t('operator.products.bin'), cell: ({ bin }) => <Code>{bin}</Code> },
    { title: t('fields.currency'), cell: ({ currency }) => <Code>{currency}</Code> },
  ]
  return (
    <Panel title={t('operator.products.title')} flush>
      <Paged
        label={t('operator.products.title')}
        queryKey={['tenants', tenant_id, 'products']}
        read={read}
        columns={columns}
        to={({ id }) => `/tenants/${tenant_id}/card-products/${id}`}
        expected={2}
        empty={
          <Empty
            icon={IconStack2}
            title={t('operator.products.none')}
            text={t('operator.products.none_text')}
            isSmall
          />
        }
      />
    </Panel>
  )
}
