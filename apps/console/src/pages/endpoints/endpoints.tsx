import { IconWebhook } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import { Empty } from '../../parts/empty.tsx'
import { useHookColumns } from '../../parts/hooks/hook_state.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { explainNoShop } from '../orders/no_shop.tsx'
import { OrdersTabs } from '../orders/orders_tabs.tsx'
import { CreateEndpoint } from './create_endpoint.tsx'
import { readEndpoints } from './endpoint_calls.ts'

/** Servers of the shop that receive its events. */
export function Endpoints() {
  const { t } = useTranslation()
  const may = useMay()
  return (
    <Page
      name="endpoints"
      lead={t('orders.endpoints.lead')}
      actions={may('createEndpoint') && <CreateEndpoint />}
    >
      <OrdersTabs present="endpoints" />
      <Panel title={t('orders.endpoints.all')} flush>
        <Paged
          label={t('pages.endpoints')}
          queryKey={['endpoints', 'list']}
          read={readEndpoints}
          columns={useHookColumns()}
          isNamed
          to={({ id }) => `/endpoints/${id}`}
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
