import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Order } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { Notice } from '../../parts/notice.tsx'
import { amountOf } from '../../parts/typed_text.ts'

/** The difference of two amounts with four decimals, without the zeros at its end. */
const leftOf = (total: string, captured = '0') =>
  String(Math.round((Number(total) - Number(captured)) * 10_000) / 10_000)

type Result = { status: 'SUCCESS' | 'FAILURE' }

/**
 * An open order is captured in full or in part, and the rest of the hold is released, or stays for
 * later captures where the shop may capture in parts.
 */
export function Capture({ order }: { order: Order }) {
  const { t } = useTranslation()
  const may = useMay()
  const { reference, currency, total_captured } = order
  const inParts = total_captured !== undefined
  const [total, setTotal] = useState(leftOf(order.total, total_captured))
  const [final, setFinal] = useState(false)
  const [result, setResult] = useState<Result>()
  if (order.status !== 'OPENED' || !may('captureOrder')) return null
  const act = (key: string) => {
    const body = { total: amountOf(total, currency), currency, ...(inParts && { final }) }
    return answered(merchant.orders.capture(reference, body, { idempotencyKey: key }))
  }
  return (
    <>
      <Act
        label={t('orders.capture')}
        text={t(inParts ? 'orders.part_text' : 'orders.capture_text')}
        act={act}
        onDone={setResult}
        isMain
      >
        <AmountField currency={currency} value={total} onChange={setTotal} />
        {inParts && (
          <Checkbox
            label={t('orders.last')}
            checked={final}
            onChange={({ currentTarget }) => setFinal(currentTarget.checked)}
          />
        )}
      </Act>
      {result?.status === 'FAILURE' && <Notice tone="bad" title={t('orders.capture_failed')} />}
    </>
  )
}

/** Refunds of a captured order add up to its total at most. */
export function Refund({ order }: { order: Order }) {
  const { t } = useTranslation()
  const may = useMay()
  const { reference, currency } = order
  const left = Number(order.total_captured ?? order.total) - Number(order.total_refund)
  const [total, setTotal] = useState('')
  const [result, setResult] = useState<Result>()
  if (order.status !== 'COMPLETED' || left <= 0 || !may('refundOrder')) return null
  const act = (key: string) => {
    const body = { total: amountOf(total, currency), currency }
    return answered(merchant.orders.refund(reference, body, {}, { idempotencyKey: key }))
  }
  return (
    <>
      <Act
        label={t('orders.refund')}
        text={t('orders.refund_text')}
        act={act}
        onDone={(answer) => {
          setResult(answer)
          setTotal('')
        }}
        isDangerous
      >
        <AmountField currency={currency} value={total} onChange={setTotal} />
      </Act>
      {result?.status === 'FAILURE' && <Notice tone="bad" title={t('orders.refund_failed')} />}
    </>
  )
}

type AmountFieldProps = { currency: string; value: string; onChange: (value: string) => void }

function AmountField({ currency, value, onChange }: AmountFieldProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      path="total"
      label={`${t('fields.amount')} (${currency})`}
      dir="ltr"
      inputMode="decimal"
      required
      withAsterisk={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
