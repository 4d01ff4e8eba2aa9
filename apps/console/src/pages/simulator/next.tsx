import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Transaction } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { amountOf } from '../../parts/typed_text.ts'
import { Money, moneyText, Status } from '../../parts/values.tsx'
import { type NextKind, nextOf, type Outgoing } from './send.ts'
import styles from './simulator.module.css'

type NextPanelProps = {
  transaction: Transaction
  isSending: boolean
  onSend: (outgoing: Outgoing) => void
}

/** Messages that follow an approval; without an amount the whole of it is meant. */
export function NextPanel({ transaction, isSending, onSend }: NextPanelProps) {
  const { t } = useTranslation()
  const [amount, setAmount] = useState('')
  const { status } = transaction
  const kinds = nextOf(transaction)
  const send = (kind: NextKind) => {
    setAmount('')
    onSend({ kind, transaction, amount: amountOf(amount, transaction.currency) })
  }
  return (
    <Panel title={t('simulator.next')} actions={<Status>{status}</Status>}>
      <div className={styles['form']}>
        <Sums transaction={transaction} />
        {kinds.length === 0 ? (
          <p className={styles['hint']}>{t('simulator.over', { status })}</p>
        ) : (
          <>
            <TextInput
              dir="ltr"
              inputMode="decimal"
              label={t('simulator.how_much')}
              description={t('simulator.how_much_hint')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              value={amount}
              onChange={({ currentTarget }) => setAmount(currentTarget.value)}
            />
            <div className={styles['next']}>
              {kinds.map((kind) => (
                <Button
                  key={kind}
                  variant="default"
                  disabled={isSending || (kind === 'increment' && amount.trim() === '')}
                  onClick={() => send(kind)}
                >
                  {t(`simulator.kinds.${kind}`)}
                </Button>
              ))}
            </div>
          </>
        )}
      </div>
    </Panel>
  )
}

function Sums({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const { amount, currency, billing_currency = currency } = transaction
  const { cleared_amount, refunded_amount } = transaction
  const posted = (sum: number) => (sum > 0 ? moneyText(sum, billing_currency) : undefined)
  return (
    <Facts
      rows={[
        [t('fields.amount'), <Money key="amount" amount={amount} currency={currency} />],
        [t('simulator.cleared'), posted(cleared_amount)],
        [t('simulator.refunded'), posted(refunded_amount)],
      ]}
    />
  )
}
