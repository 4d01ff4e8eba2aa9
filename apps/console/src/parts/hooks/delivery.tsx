import { useTranslation } from 'react-i18next'
import { Act } from '../act.tsx'
import { Block } from '../block.tsx'
import { Facts } from '../facts.tsx'
import { Columns } from '../object/columns.tsx'
import { ObjectLink } from '../object_link.tsx'
import { Page, type PageName } from '../page.tsx'
import { Panel } from '../panel.tsx'
import { Code, When } from '../values.tsx'
import type { DeliveryInFull, HookAttempt } from './hook.ts'
import styles from './hooks.module.css'

const POLL_MS = 2000
const WAITING = ['PENDING', 'RETRYING']

/** How long until a delivery is read again, while it changes by itself. */
export const pollOf = ({ status }: { status: string }): number | false =>
  WAITING.includes(status) && POLL_MS

type DeliveryViewProps = {
  name: PageName
  delivery: DeliveryInFull
  /** The server that it is sent to. */
  hook: { id: string; label: string; to: string }
  /** A role that may not has none. */
  resend: ((key: string) => Promise<unknown>) | false
}

/** One delivery with every attempt: the event and the server's answers. */
export function DeliveryView({ name, delivery, hook, resend }: DeliveryViewProps) {
  const { t } = useTranslation()
  return (
    <Page
      name={name}
      title={<bdi dir="ltr">{delivery.event}</bdi>}
      status={delivery.status}
      lead={<Code>{delivery.id}</Code>}
      actions={
        resend && (
          <Act label={t('webhooks.resend')} text={t('webhooks.resend_text')} act={resend} isMain />
        )
      }
    >
      <Columns facts={<DeliveryFacts delivery={delivery} hook={hook} />}>
        <Attempts history={delivery.history} />
      </Columns>
    </Page>
  )
}

function Attempts({ history }: { history: readonly HookAttempt[] }) {
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

function Attempt({ attempt }: { attempt: HookAttempt }) {
  const { t } = useTranslation()
  const { number, sent, duration_ms, request_headers, response_status, response_body } = attempt
  const headers = request_headers?.map((header) => `${header.name}: ${header.value}`).join('\n')
  const answer = response_body ?? attempt.error ?? ''
  return (
    <li>
      <div className={styles['attempt']}>
        <strong>{t('webhooks.attempt', { number })}</strong>
        <Code>{response_status === undefined ? (attempt.error ?? '–') : `${response_status}`}</Code>
        <span>{t('webhooks.took', { ms: duration_ms })}</span>
        <When at={sent} />
      </div>
      {headers !== undefined && <Block label={t('webhooks.request_headers')} text={headers} />}
      <Block label={t('webhooks.answer_body')} text={answer === '' ? t('none') : answer} />
    </li>
  )
}

function DeliveryFacts({ delivery, hook }: Pick<DeliveryViewProps, 'delivery' | 'hook'>) {
  const { t } = useTranslation()
  const { event_id, object_id, sequence, attempts, due, created } = delivery
  return (
    <Panel title={t('webhooks.facts')}>
      <Facts
        rows={[
          [
            hook.label,
            <ObjectLink key="hook" to={hook.to}>
              <Code>{hook.id}</Code>
            </ObjectLink>,
          ],
          [t('webhooks.event_id'), <Code key="event">{event_id}</Code>],
          [t('webhooks.object_id'), <Code key="object">{object_id}</Code>],
          [
            t('webhooks.place'),
            sequence === undefined ? undefined : <Code key="place">{String(sequence)}</Code>,
          ],
          [t('webhooks.attempts'), <Code key="attempts">{String(attempts)}</Code>],
          [t('webhooks.due'), due === undefined ? undefined : <When key="due" at={due} />],
          [t('fields.created'), <When key="created" at={created} />],
        ]}
      />
    </Panel>
  )
}
