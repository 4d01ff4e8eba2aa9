import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Webhook } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { History } from '../../parts/object/history.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import { Deliveries } from './deliveries.tsx'
import { WebhookActions } from './webhook_actions.tsx'
import styles from './webhooks.module.css'

const readWebhook = (id: string) =>
  answered(issuing.GET('/webhooks/{id}', { params: { path: { id } } }))

/** One subscription: what it receives, and how its deliveries went. */
export function WebhookPage() {
  return (
    <ObjectPage name="webhooks" read={readWebhook}>
      {(webhook) => <Loaded key={webhook.id} webhook={webhook} />}
    </ObjectPage>
  )
}

function Loaded({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const { id, endpoint, status, disabled_reason, failing_since } = webhook
  return (
    <Page
      name="webhooks"
      title={<bdi dir="ltr">{endpoint}</bdi>}
      status={status}
      lead={<Code>{id}</Code>}
      actions={<WebhookActions webhook={webhook} />}
    >
      {failing_since && (
        <Notice tone="warn" title={t('webhooks.failing')}>
          {t('webhooks.failing_text')} <When at={failing_since} />
        </Notice>
      )}
      {disabled_reason && (
        <Notice tone="bad" title={t('webhooks.disabled')}>
          {disabled_reason}
        </Notice>
      )}
      <Columns facts={<WebhookFacts webhook={webhook} />}>
        <Deliveries webhook_id={id} />
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

function Codes({ texts }: { texts: readonly string[] }) {
  return (
    <ul className={styles['codes']}>
      {texts.map((text) => (
        <li key={text}>
          <Code>{text}</Code>
        </li>
      ))}
    </ul>
  )
}
