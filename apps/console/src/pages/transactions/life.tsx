import { useTranslation } from 'react-i18next'
import type { Transaction } from '../../api/types.ts'
import { Panel } from '../../parts/panel.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { Code, Money } from '../../parts/values.tsx'
import styles from './transactions.module.css'

/** Events of the transaction, and how much of its amount is held, cleared and refunded now. */
export function Life({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const { events, currency } = transaction
  const moments = events
    .map(({ type, created, amount, status_code, message_type }, at) => ({
      id: String(at),
      at: created,
      title: (
        <span className={styles['moment']}>
          {t(`transactions.events.${type}`)}
          <Money amount={amount} currency={currency} />
        </span>
      ),
      text: <Code>{[message_type, status_code].filter(Boolean).join(' · ')}</Code>,
    }))
    .toReversed()
  return (
    <Panel title={t('transactions.history')}>
      <Standing transaction={transaction} />
      <Timeline label={t('transactions.history')} moments={moments} />
    </Panel>
  )
}

/** Four figures in the currency of the account. A declined one moves nothing and has none. */
function Standing({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const { status, billing_amount, billing_currency, cleared_amount, refunded_amount } = transaction
  if (status === 'DECLINED' || billing_currency === undefined) return null
  const figures: [name: string, amount: number | undefined][] = [
    [t('transactions.authorized'), billing_amount],
    [t('transactions.held'), heldOf(transaction)],
    [t('transactions.cleared'), cleared_amount],
    [t('transactions.refunded'), refunded_amount],
  ]
  return (
    <dl className={styles['standing']}>
      {figures.map(([name, amount]) =>
        amount === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd data-zero={amount === 0}>
              <Money amount={amount} currency={billing_currency} />
            </dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** If it is cleared at another rate, the rest of the hold is not the difference of two amounts. */
function heldOf({ status, rate, billing_amount = 0, cleared_amount }: Transaction) {
  if (status !== 'PENDING') return 0
  if (rate !== undefined && cleared_amount > 0) return undefined
  return Math.max(0, Number((billing_amount - cleared_amount).toFixed(4)))
}
