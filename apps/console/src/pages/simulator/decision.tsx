import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Checks } from '../../parts/checks.tsx'
import { NotDone } from '../../parts/not_done.tsx'
import { Panel } from '../../parts/panel.tsx'
import type { Action } from '../../parts/use_action.ts'
import { dateText, moneyText, Status } from '../../parts/values.tsx'
import { type Exchange, type Outgoing, verdictOf } from './send.ts'
import styles from './simulator.module.css'

type DecisionPanelProps = { sent: Exchange | undefined; sending: Action<Outgoing, Exchange> }

/** The region "Decision": the status code, and what led to it. */
export function DecisionPanel({ sent, sending }: DecisionPanelProps) {
  const { error } = sending
  const { t } = useTranslation()
  return (
    <Panel title={t('simulator.decision')}>
      <NotDone of={sending} />
      {error === null && !sent && <p className={styles['hint']}>{t('simulator.waiting')}</p>}
      {error === null && sent && <Decided sent={sent} />}
    </Panel>
  )
}

function Decided({ sent }: { sent: Exchange }) {
  const { t } = useTranslation()
  const { message, checks, after } = sent
  const currency = after[0]?.currency
  const { code, isDeclined } = verdictOf(sent)
  return (
    <div className={styles['decision']}>
      <div role="status" className={styles['verdict']}>
        <bdi dir="ltr" className={styles['code']} data-declined={isDeclined}>
          {code}
        </bdi>
        {code === message.status_code && <bdi>{message.status_description}</bdi>}
        <Status>{message.status}</Status>
      </div>
      <p className={styles['hint']}>
        <Remark sent={sent} />
      </p>
      {sent.kind === 'transaction' && (
        <Anchor component={Link} to={`/transactions/${sent.message.id}`}>
          {t('simulator.transaction')}
        </Anchor>
      )}
      {checks.length > 0 && (
        <Checks checks={checks} currency={currency} requested={message.currency} />
      )}
    </div>
  )
}

function Remark({ sent }: { sent: Exchange }) {
  const { t } = useTranslation()
  if (sent.kind === 'what_if') {
    const { max_approved_amount, currency } = sent.message
    return t('simulator.most', { amount: moneyText(max_approved_amount, currency) })
  }
  const { status, amount, currency, hold_expires } = sent.message
  if (status !== 'PENDING' || hold_expires === undefined) return null
  return t('simulator.held_now', {
    amount: moneyText(amount, currency),
    date: dateText(hold_expires),
  })
}
