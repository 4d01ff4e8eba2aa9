import { useTranslation } from 'react-i18next'
import { Facts } from '../../parts/facts.tsx'
import { Deliveries } from '../../parts/hooks/deliveries.tsx'
import { Codes, HookNotices } from '../../parts/hooks/hook_state.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { History } from '../../parts/object/history.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import { EndpointActions } from './endpoint_actions.tsx'
import { ENDPOINT_KINDS, type Endpoint, readDeliveries, readEndpoint } from './endpoint_calls.ts'

/** One server of the shop: its events, and the results of its deliveries. */
export function EndpointPage() {
  return (
    <ObjectPage name="endpoints" read={readEndpoint}>
      {(endpoint) => <Loaded key={endpoint.id} endpoint={endpoint} />}
    </ObjectPage>
  )
}

function Loaded({ endpoint }: { endpoint: Endpoint }) {
  const { id } = endpoint
  return (
    <Page
      name="endpoints"
      title={<bdi dir="ltr">{endpoint.endpoint}</bdi>}
      status={endpoint.status}
      lead={<Code>{id}</Code>}
      actions={<EndpointActions endpoint={endpoint} />}
    >
      <HookNotices {...endpoint} />
      <Columns facts={<EndpointFacts endpoint={endpoint} />}>
        <Deliveries
          queryKey={['endpoints', id]}
          kinds={ENDPOINT_KINDS}
          read={(filters, after) => readDeliveries(id, filters, after)}
          to={(delivery) => `/endpoints/${id}/deliveries/${delivery.id}`}
        />
        <History of={id} />
      </Columns>
    </Page>
  )
}

function EndpointFacts({ endpoint: { events, created, modified } }: { endpoint: Endpoint }) {
  const { t } = useTranslation()
  return (
    <Panel title={t('webhooks.facts')}>
      <Facts
        rows={[
          [t('webhooks.kinds'), <Codes key="kinds" texts={events} />],
          [t('fields.created'), <When key="created" at={created} />],
          [t('fields.modified'), <When key="modified" at={modified} />],
        ]}
      />
    </Panel>
  )
}
