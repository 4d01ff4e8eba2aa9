import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import type { Transaction } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Copy } from '../../parts/copy.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { amountOf } from '../../parts/typed_text.ts'
import { follow, nextOf } from '../simulator/send.ts'
import { OpenDispute } from './disputes_of.tsx'

/** Messages of a shop after a payment, by the operation that stands for each. */
const KINDS = [
  ['clear', 'simulateClearing'],
  ['reverse', 'simulateReversal'],
  ['refund', 'simulateRefund'],
] as const
type Kind = (typeof KINDS)[number][0]

/** The actions of a payment; a sandbox has those of the shop as well. */
export function Actions({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const may = useMay()
  const next = nextOf(transaction)
  return (
    <>
      {KINDS.map(
        ([kind, operation]) =>
          next.includes(kind) &&
          may(operation) && <Follow key={kind} kind={kind} transaction={transaction} />,
      )}
      <OpenDispute transaction={transaction} />
      <Copy text={transaction.id} label={t('payment.copy_id')} size="sm" />
    </>
  )
}

function Follow({ kind, transaction }: { kind: Kind; transaction: Transaction }) {
  const { t } = useTranslation()
  const [amount, setAmount] = useState('')
  const { currency } = transaction
  return (
    <Act
      label={t(`payment.${kind}`)}
      text={t(`payment.${kind}_text`)}
      onOpen={() => setAmount('')}
      act={(key) => follow({ kind, transaction, amount: amountOf(amount, currency) }, key)}
    >
      <TextInput
        path="amount"
        dir="ltr"
        inputMode="decimal"
        autoComplete="off"
        label={t('payment.how_much', { currency })}
        description={t('payment.how_much_hint')}
        value={amount}
        onChange={({ currentTarget }) => setAmount(currentTarget.value)}
      />
    </Act>
  )
}
