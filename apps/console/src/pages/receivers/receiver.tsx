import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Webhook, WebhookReceiver } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { CopyField } from '../../parts/copy.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status, When } from '../../parts/values.tsx'
import { Answers } from './answers.tsx'
import { readReceiver, useWebhookTo } from './read.ts'
import styles from './receivers.module.css'
import { Requests } from './requests.tsx'

const POLL_MS = 2000

/** One receiver: requests as they arrive, and how it answers. */
export function ReceiverPage() {
  return (
    <ObjectPage name="webhooks" read={readReceiver} poll={() => POLL_MS}>
      {(receiver) => <Loaded key={receiver.id} receiver={receiver} />}
    </ObjectPage>
  )
}

function Loaded({ receiver }: { receiver: WebhookReceiver }) {
  const { t } = useTranslation()
  const may = useMay()
  const { data: webhook } = useWebhookTo(receiver.url)
  const isActive = webhook?.status === 'ACTIVE'
  const test = isActive && may('pingWebhook') && <TestEvent id={webhook.id} />
  return (
    <Page
      name="webhooks"
      title={t('receiver.title')}
      lead={t('receiver.lead')}
      actions={
        <>
          {test}
          {may('deleteWebhookReceiver') && <Delete id={receiver.id} />}
        </>
      }
    >
      {webhook?.status === 'DISABLED' && (
        <Notice tone="warn" title={t('receiver.disabled')}>
          {t('receiver.disabled_text')}
        </Notice>
      )}
      <Columns
        side={<Answers receiver={receiver} />}
        facts={<ReceiverFacts receiver={receiver} webhook={webhook} />}
      >
        <Requests receiver_id={receiver.id} />
      </Columns>
    </Page>
  )
}

function TestEvent({ id }: { id: string }) {
  const { t } = useTranslation()
  return (
    <Act
      label={t('receiver.test_event')}
      text={t('webhooks.ping_text')}
      act={(key) => answered(issuing.webhooks.ping(id, { idempotencyKey: key }))}
      isMain
    />
  )
}

function Delete({ id }: { id: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Act
      label={t('receiver.delete')}
      text={t('receiver.delete_text')}
      act={() => answered(issuing.simulation.deleteWebhookReceiver(id))}
      onDone={() => void navigate({ to: '/webhooks' })}
      isDangerous
    />
  )
}

type FactsProps = { receiver: WebhookReceiver; webhook: Webhook | null | undefined }

function ReceiverFacts({ receiver: { url, received, created }, webhook }: FactsProps) {
  const { t } = useTranslation()
  return (
    <Panel title={t('webhooks.facts')}>
      <div className={styles['facts']}>
        <CopyField label={t('receiver.address')} text={url} />
        <Facts
          rows={[
            [t('receiver.received'), <Code key="received">{String(received)}</Code>],
            [
              t('receiver.webhook'),
              webhook ? <Subscription key="webhook" webhook={webhook} /> : t('receiver.no_webhook'),
            ],
            [t('fields.created'), <When key="created" at={created} />],
          ]}
        />
      </div>
    </Panel>
  )
}

function Subscription({ webhook: { id, status } }: { webhook: Webhook }) {
  const { t } = useTranslation()
  return (
    <span className={styles['webhook']}>
      <Status>{status}</Status>
      <ObjectLink to={`/webhooks/${id}`}>{t('receiver.deliveries')}</ObjectLink>
    </span>
  )
}
