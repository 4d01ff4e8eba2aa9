import { useTranslation } from 'react-i18next'
import { answered, issuing, once } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { DeliveryWithHistory } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Block } from '../../parts/block.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import styles from './webhooks.module.css'

const readDelivery = (id: string) =>
  answered(issuing.GET('/deliveries/{id}', { params: { path: { id } } }))

const POLL_MS = 2000
const WAITING = ['PENDING', 'RETRYING']

/** One delivery with every attempt: what was sent and what the server answered. */
export function DeliveryPage() {
  return (
    <ObjectPage
      name="webhooks"
      read={readDelivery}
      poll={({ status }) => WAITING.includes(status) && POLL_MS}
    >
      {(delivery) => <Loaded key={delivery.id} delivery={delivery} />}
    </ObjectPage>
  )
}

function Loaded({ delivery }: { delivery: DeliveryWithHistory }) {
  const { t } = useTranslation()
  const may = useMay()
  const params = { path: { id: delivery.id }, header: once() }
  return (
    <Page
      name="webhooks"
      title={<bdi dir="ltr">{delivery.event}</bdi>}
      status={delivery.status}
      lead={<Code>{delivery.id}</Code>}
      actions={
        may('resendDelivery') && (
          <Act
            label={t('webhooks.resend')}
            text={t('webhooks.resend_text')}
            act={() => answered(issuing.POST('/deliveries/{id}:resend', { params }))}
            isMain
          />
        )
      }
    >
      <Columns facts={<DeliveryFacts delivery={delivery} />}>
        <Attempts history={delivery.history} />
      </Columns>
    </Page>
  )
}

type History = DeliveryWithHistory['history']

function Attempts({ history }: { history: History }) {
  const { t } = useTranslation()
  return (
    <Panel title={t('webhooks.attempts')}>
      {history.length === 0 ? (
        <p className={styles['hint']}>{t('webhooks.no_attempts')}</p>
      ) : (
        <ol className={styles['attempts']}>
          {history.map((attempt) => (
            <Attempt key={attempt.number} attempt={attempt} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

function Attempt({ attempt }: { attempt: History[number] }) {
  const { t } = useTranslation()
  const { number, sent, duration_ms, request_headers, response_status, response_body } = attempt
  const headers = request_headers.map((header) => `${header.name}: ${header.value}`).join('\n')
  const answer = response_body ?? attempt.error ?? ''
  return (
    <li>
      <div className={styles['attempt']}>
        <strong>{t('webhooks.attempt', { number })}</strong>
        <Code>{response_status === undefined ? (attempt.error ?? '–') : `${response_status}`}</Code>
        <span>{t('webhooks.took', { ms: duration_ms })}</span>
        <When at={sent} />
      </div>
      <Block label={t('webhooks.request_headers')} text={headers} />
      <Block label={t('webhooks.answer_body')} text={answer === '' ? t('none') : answer} />
    </li>
  )
}

function DeliveryFacts({ delivery }: { delivery: DeliveryWithHistory }) {
  const { t } = useTranslation()
  const { webhook_id, event_id, object_id, sequence, attempts, due, created } = delivery
  return (
    <Panel title={t('webhooks.facts')}>
      <Facts
        rows={[
          [
            t('webhooks.webhook'),
            <ObjectLink key="webhook" to={`/webhooks/${webhook_id}`}>
              <Code>{webhook_id}</Code>
            </ObjectLink>,
          ],
          [t('webhooks.event_id'), <Code key="event">{event_id}</Code>],
          [t('webhooks.object_id'), <Code key="object">{object_id}</Code>],
          [t('webhooks.place'), <Code key="place">{String(sequence)}</Code>],
          [t('webhooks.attempts'), <Code key="attempts">{String(attempts)}</Code>],
          [t('webhooks.due'), due === undefined ? undefined : <When key="due" at={due} />],
          [t('fields.created'), <When key="created" at={created} />],
        ]}
      />
    </Panel>
  )
}
