import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Transaction } from '../../api/types.ts'
import { Panel } from '../../parts/panel.tsx'
import type { NextKind, Outgoing } from './send.ts'
import styles from './simulator.module.css'

type NextPanelProps = {
  transaction: Transaction
  isSending: boolean
  onSend: (outgoing: Outgoing) => void
}

/** What a shop can send next, by the status of its transaction. */
const NEXT: Readonly<Partial<Record<Transaction['status'], readonly NextKind[]>>> = {
  PENDING: ['clear', 'increment', 'reverse'],
  SETTLED: ['refund'],
}

/** Messages that follow an approval; without an amount the whole of it is meant. */
export function NextPanel({ transaction, isSending, onSend }: NextPanelProps) {
  const { t } = useTranslation()
  const [amount, setAmount] = useState('')
  const kinds = NEXT[transaction.status] ?? []
  if (kinds.length === 0) return null
  return (
    <Panel title={t('simulator.next')}>
      <div className={styles['form']}>
        <TextInput
          dir="ltr"
          inputMode="decimal"
          label={t('simulator.next_amount')}
          value={amount}
          onChange={({ currentTarget }) => setAmount(currentTarget.value)}
        />
        <div className={styles['next']}>
          {kinds.map((kind) => (
            <Button
              key={kind}
              variant="default"
              disabled={isSending || (kind === 'increment' && amount === '')}
              onClick={() => onSend({ kind, transaction, amount })}
            >
              {t(`simulator.${kind}`)}
            </Button>
          ))}
        </div>
      </div>
    </Panel>
  )
}
