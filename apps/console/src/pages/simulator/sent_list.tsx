import { ActionIcon } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../parts/panel.tsx'
import { moneyText } from '../../parts/values.tsx'
import { type Exchange, type Outgoing, verdictOf } from './send.ts'
import styles from './simulator.module.css'

type SentListProps = {
  /** Newest first. */
  all: readonly Exchange[]
  shown: Exchange | undefined
  isSending: boolean
  onOpen: (sent: Exchange) => void
  onAgain: (outgoing: Outgoing) => void
}

/** Requests sent since the page was opened: each can be looked at, and sent again. */
export function SentList({ all, shown, isSending, onOpen, onAgain }: SentListProps) {
  const { t } = useTranslation()
  const nameOf = useName()
  return (
    <Panel title={t('simulator.sent')} flush>
      {all.length === 0 && <p className={styles['none']}>{t('simulator.sent_none')}</p>}
      {all.length > 0 && (
        <ol className={styles['sent']}>
          {all.map((sent) => {
            const { code, isDeclined } = verdictOf(sent)
            const what = nameOf(sent)
            return (
              <li key={sent.id} data-shown={sent === shown}>
                <button
                  type="button"
                  aria-current={sent === shown ? 'true' : undefined}
                  onClick={() => onOpen(sent)}
                >
                  <bdi dir="ltr" className={styles['answer']} data-declined={isDeclined}>
                    {code}
                  </bdi>
                  <bdi className={styles['what']}>{what}</bdi>
                </button>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={isSending}
                  aria-label={`${t('simulator.sent_again')}: ${what}`}
                  onClick={() => onAgain(sent.outgoing)}
                >
                  <IconRepeat size={16} aria-hidden />
                </ActionIcon>
              </li>
            )
          })}
        </ol>
      )}
    </Panel>
  )
}

/** `Request · Palm Books · AED 20.00` */
function useName(): (sent: Exchange) => string {
  const { t } = useTranslation()
  return ({ outgoing, kind, message }) => {
    if (outgoing.kind === 'request') {
      const { typed } = outgoing
      const sum = `${message.currency} ${typed.amount}`
      const name = t(`simulator.kinds.${kind === 'what_if' ? 'what_if' : 'request'}`)
      return [name, typed.merchant, sum].filter(Boolean).join(' · ')
    }
    const { amount, transaction } = outgoing
    const sum = amount === '' ? t('simulator.whole') : moneyText(Number(amount), message.currency)
    return [t(`simulator.kinds.${outgoing.kind}`), transaction.merchant.name, sum]
      .filter(Boolean)
      .join(' · ')
  }
}
