import { useTranslation } from 'react-i18next'
import { Panel } from '../../parts/panel.tsx'
import { WireMessages } from '../../parts/wire/wire_messages.tsx'
import type { Exchange } from './send.ts'
import styles from './simulator.module.css'

/** The region "Message": the messages on the network, both ways. A what-if sends nothing. */
export function MessagePanel({ sent }: { sent: Exchange | undefined }) {
  const { t } = useTranslation()
  const { message } = sent ?? {}
  const hint = sent ? t('simulator.what_if_hint') : t('simulator.waiting_message')
  return (
    <Panel title={t('simulator.message')} flush>
      {sent?.kind === 'transaction' && message && 'modified' in message ? (
        <WireMessages transaction_id={message.id} modified={message.modified} isOpen />
      ) : (
        <p className={styles['none']}>{hint}</p>
      )}
    </Panel>
  )
}
