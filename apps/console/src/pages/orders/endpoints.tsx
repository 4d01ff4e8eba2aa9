import { IconWebhook } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import type { ListPage, WebhookEndpoint } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status, When } from '../../parts/values.tsx'
import { explainNoShop } from './no_shop.tsx'
import { OrdersTabs } from './orders_tabs.tsx'

type Row = WebhookEndpoint & { id: string }

async function readEndpoints(after: string | undefined): Promise<ListPage<Row>> {
  const query = after === undefined ? {} : { after }
  const page = await answered(merchant.GET('/webhooks', { params: { query } }))
  return { ...page, data: page.data.map((endpoint) => ({ ...endpoint, id: endpoint.webhook_id })) }
}

/** Servers of the shop that receive its events, which it has named itself. */
export function Endpoints() {
  const { t } = useTranslation()
  const columns: Column<Row>[] = [
    { title: t('webhooks.endpoint'), cell: ({ url }) => <Code>{url}</Code> },
    {
      title: t('webhooks.kinds'),
      cell: ({ events }) => t('webhooks.kinds_count', { count: events.length }),
    },
    {
      title: t('fields.status'),
      cell: ({ enabled }) => <Status>{enabled ? 'ACTIVE' : 'DISABLED'}</Status>,
    },
    {
      title: t('webhooks.failing_since'),
      cell: ({ failing_since }) => (failing_since ? <When at={failing_since} /> : t('none')),
    },
  ]
  return (
    <Page name="endpoints" lead={t('orders.endpoints.lead')}>
      <OrdersTabs present="endpoints" />
      <Panel title={t('orders.endpoints.all')} flush>
        <Paged
          label={t('pages.endpoints')}
          queryKey={['orders', 'endpoints']}
          read={readEndpoints}
          columns={columns}
          explain={explainNoShop}
          empty={
            <Empty
              icon={IconWebhook}
              title={t('orders.endpoints.none')}
              text={t('orders.endpoints.none_text')}
            />
          }
        />
      </Panel>
    </Page>
  )
}
