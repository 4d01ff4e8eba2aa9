import { Skeleton } from '@mantine/core'
import {
  IconAlertTriangle,
  IconChevronRight,
  IconCircleCheck,
  IconWebhook,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ReceivedRequest } from '../../api/types.ts'
import { Block } from '../../parts/block.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import { attemptsOf, readBody, useRequests } from './read.ts'
import styles from './receivers.module.css'

/** Requests that have arrived, newest first; it opens by itself to the newest one. */
export function Requests({ receiver_id }: { receiver_id: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useRequests(receiver_id)
  const requests = data?.data
  const attempts = attemptsOf(requests ?? [])
  return (
    <Panel title={t('receiver.requests')} actions={<Live />} flush>
      {error && !requests && <Failing error={error} retry={refetch} />}
      {!error && !requests && <Waiting />}
      {requests?.length === 0 && (
        <Empty icon={IconWebhook} title={t('receiver.waiting')} text={t('receiver.waiting_text')} />
      )}
      {requests && requests.length > 0 && (
        <ol className={styles['requests']} aria-label={t('receiver.requests')}>
          {requests.map((request, at) => (
            <li key={request.id}>
              <Request
                request={request}
                attempt={attempts.get(request.id) ?? 1}
                isOpen={at === 0}
              />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function Live() {
  const { t } = useTranslation()
  return <span className={styles['live']}>{t('receiver.live')}</span>
}

function Waiting() {
  const { t } = useTranslation()
  return (
    <div className={styles['waiting']} role="status" aria-label={t('states.loading')}>
      <Skeleton height={220} />
    </div>
  )
}

type RequestProps = { request: ReceivedRequest; attempt: number; isOpen: boolean }

function Request({ request, attempt, isOpen }: RequestProps) {
  const { t } = useTranslation()
  const { number, headers, body, answer_status: status, delay_ms: ms, created } = request
  const read = body === undefined ? undefined : readBody(body)
  const lines = headers.map(({ name, value }) => `${name}: ${value}`).join('\n')
  return (
    <details className={styles['request']} open={isOpen}>
      <summary>
        <span className={styles['what']}>
          <IconChevronRight size={16} aria-hidden className={styles['chevron'] ?? ''} />
          <Code>{read?.kind ?? t('receiver.request', { number })}</Code>
          {attempt > 1 && (
            <span className={styles['attempt']}>{t('receiver.attempt', { number: attempt })}</span>
          )}
        </span>
        <Verified request={request} />
        <span className={styles['answer']} data-good={status < 300}>
          {ms === 0
            ? t('receiver.answered', { status })
            : t('receiver.answered_late', { status, ms })}
        </span>
        <span className={styles['at']}>
          <When at={created} />
        </span>
      </summary>
      <div className={styles['parts']}>
        {read && body !== undefined ? (
          <Block label={t('receiver.body')} text={read.text} copied={body} />
        ) : (
          <p className={styles['hint']}>{t('receiver.no_body')}</p>
        )}
        <Block label={t('receiver.headers')} text={lines} />
      </div>
    </details>
  )
}

function Verified({ request: { verification } }: { request: ReceivedRequest }) {
  const { t } = useTranslation()
  const isValid = verification === 'VALID'
  const Picture = isValid ? IconCircleCheck : IconAlertTriangle
  return (
    <span className={styles['verified']} data-valid={isValid}>
      <Picture size={16} aria-hidden />
      {isValid ? t('receiver.verified') : t(`receiver.not_verified.${verification}`)}
    </span>
  )
}
