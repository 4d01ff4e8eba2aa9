import { useTranslation } from 'react-i18next'
import type { Column } from '../listing.tsx'
import { Notice } from '../notice.tsx'
import { Code, Status, When } from '../values.tsx'
import type { Hook } from './hook.ts'
import styles from './hooks.module.css'

/** Columns of a list of servers that receive events. */
export function useHookColumns(): Column<Hook>[] {
  const { t } = useTranslation()
  return [
    { title: t('webhooks.endpoint'), cell: ({ endpoint }) => <Code isLong>{endpoint}</Code> },
    {
      title: t('webhooks.kinds'),
      cell: ({ events }) => t('webhooks.kinds_count', { count: events.length }),
    },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    {
      title: t('webhooks.failing_since'),
      cell: ({ failing_since }) => (failing_since ? <When at={failing_since} /> : t('none')),
    },
  ]
}

/** Why a server receives nothing, or may soon receive nothing. */
export function HookNotices({ failing_since, disabled_reason }: Hook) {
  const { t } = useTranslation()
  return (
    <>
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
    </>
  )
}

/** Kinds and names, one below the other. */
export function Codes({ texts }: { texts: readonly string[] }) {
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
