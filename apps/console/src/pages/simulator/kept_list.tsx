import { ActionIcon } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconLink, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useCurrency } from '../../api/session.ts'
import { Panel } from '../../parts/panel.tsx'
import { type Kept, typedOf } from './shared.ts'
import styles from './simulator.module.css'
import type { Typed } from './typed.ts'

type KeptListProps = {
  all: readonly Kept[]
  isSending: boolean
  onOpen: (typed: Typed) => void
  onRun: (typed: Typed) => void
  onRemove: (id: string) => void
}

/** Requests that the browser keeps: each is opened in the form, run, shared by a link, removed. */
export function KeptList({ all, isSending, onOpen, onRun, onRemove }: KeptListProps) {
  const { t } = useTranslation()
  const currency = useCurrency()
  return (
    <Panel title={t('simulator.kept')} flush>
      {all.length === 0 && <p className={styles['none']}>{t('simulator.kept_none')}</p>}
      {all.length > 0 && (
        <ol className={styles['sent']} aria-label={t('simulator.kept')}>
          {all.map(({ id, shared }) => {
            const typed = typedOf(shared, currency)
            const kind = t(`simulator.kinds.${typed.mode === 'what_if' ? 'what_if' : 'request'}`)
            const sum = `${typed.currency} ${typed.amount}`
            const what = [kind, typed.merchant, sum].filter(Boolean).join(' · ')
            return (
              <li key={id}>
                <button type="button" onClick={() => onOpen(typed)}>
                  <bdi className={styles['what']}>{what}</bdi>
                </button>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={isSending}
                  aria-label={`${t('simulator.kept_run')}: ${what}`}
                  onClick={() => onRun(typed)}
                >
                  <IconPlayerPlay size={16} aria-hidden />
                </ActionIcon>
                <CopyLink what={what} shared={shared} />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`${t('simulator.kept_remove')}: ${what}`}
                  onClick={() => onRemove(id)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </li>
            )
          })}
        </ol>
      )}
    </Panel>
  )
}

function CopyLink({ what, shared }: Pick<Kept, 'shared'> & { what: string }) {
  const { t } = useTranslation()
  const { copied, copy } = useClipboard()
  const Picture = copied ? IconCheck : IconLink
  const address = `${location.origin}${location.pathname}?${new URLSearchParams(shared)}`
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`${copied ? t('actions.copied') : t('simulator.kept_link')}: ${what}`}
      onClick={() => copy(address)}
    >
      <Picture size={16} aria-hidden />
    </ActionIcon>
  )
}
