import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Webhook } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Deliveries, type DeliveryFilters } from '../../parts/hooks/deliveries.tsx'
import { Codes, HookNotices } from '../../parts/hooks/hook_state.tsx'
import { KINDS } from '../../parts/issuing/event_kinds.ts'
import { Columns } from '../../parts/object/columns.tsx'
import { History } from '../../parts/object/history.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import { WebhookActions } from './webhook_actions.tsx'
import { readWebhook } from './webhook_calls.ts'

function readDeliveries(id: string, filters: DeliveryFilters, after: string | undefined) {
  const query = { ...filters, ...(after !== undefined && { after }) } as object
  return answered(issuing.webhooks.listDeliveries(id, query))
}

/** One subscription: its events, and the results of its deliveries. */
export function WebhookPage() {
  return (
    <ObjectPage name="webhooks" read={readWebhook}>
      {(webhook) => <Loaded key={webhook.id} webhook={webhook} />}
    </ObjectPage>
  )
}

function Loaded({ webhook }: { webhook: Webhook }) {
  const { id, endpoint, status } = webhook
  return (
    <Page
      name="webhooks"
      title={<bdi dir="ltr">{endpoint}</bdi>}
      status={status}
      lead={<Code>{id}</Code>}
      actions={<WebhookActions webhook={webhook} />}
    >
      <HookNotices {...webhook} />
      <Columns facts={<WebhookFacts webhook={webhook} />}>
        <Deliveries
          queryKey={['webhooks', id]}
          kinds={KINDS}
          read={(filters, after) => readDeliveries(id, filters, after)}
          to={(delivery) => `/deliveries/${delivery.id}`}
        />
        <History of={id} />
      </Columns>
    </Page>
  )
}

function WebhookFacts({ webhook: { events, config } }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const { basic_auth_username: name, custom_headers: headers, created, modified } = config
  return (
    <Panel title={t('webhooks.facts')}>
      <Facts
        rows={[
          [t('webhooks.kinds'), <Codes key="kinds" texts={events} />],
          [t('webhooks.username'), name === undefined ? t('none') : <Code key="n">{name}</Code>],
          [
            t('webhooks.headers'),
            headers.length === 0 ? (
              t('none')
            ) : (
              <Codes key="headers" texts={headers.map(({ header_name }) => header_name)} />
            ),
          ],
          [t('fields.created'), <When key="created" at={created} />],
          [t('fields.modified'), <When key="modified" at={modified} />],
        ]}
      />
    </Panel>
  )
}
