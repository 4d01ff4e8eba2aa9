import { useTranslation } from 'react-i18next'
import type { Clearing, ClearingRecord } from '../../api/types.ts'
import type { Column } from '../../parts/listing.tsx'
import { Code, countText, Money, Status } from '../../parts/values.tsx'
import { countIn, isReason, type RecordRow } from './calls.ts'
import styles from './clearings.module.css'

/** The amount of the transaction, with what it means for the issuer. */
export function RecordAmount({ record }: { record: ClearingRecord }) {
  const { t } = useTranslation()
  const { amount, currency, direction } = record
  if (amount === undefined || currency === undefined) return '–'
  return (
    <span className={styles['stack']}>
      <Money amount={amount} currency={currency} />
      <span>{t(`operator.clearings.directions.${direction}`)}</span>
    </span>
  )
}

/** Why a record is in suspense, in words. */
export function Reason({ record: { reason, status_code } }: { record: ClearingRecord }) {
  const { t } = useTranslation()
  if (reason === undefined) return '–'
  return (
    <span>
      {isReason(reason) ? t(`operator.clearings.reasons.${reason}`) : <Code>{reason}</Code>}{' '}
      {status_code !== undefined && <Code>{status_code}</Code>}
    </span>
  )
}

export const toRecord = ({ file_id, number }: RecordRow): string =>
  `/clearings/${file_id}/records/${number}`

export function useRecordColumns(): Column<RecordRow>[] {
  const { t } = useTranslation()
  return [
    { title: t('operator.clearings.number'), cell: ({ number }) => <Code>{String(number)}</Code> },
    {
      title: t('operator.clearings.kind'),
      cell: ({ kind, mti, function_code }) => (
        <span className={styles['stack']}>
          <span>{t(`operator.clearings.kinds.${kind}`)}</span>
          <Code>{`${mti} ${function_code}`}</Code>
        </span>
      ),
    },
    { title: t('operator.clearings.state'), cell: ({ state }) => <Status>{state}</Status> },
    { title: t('operator.clearings.reason'), cell: (record) => <Reason record={record} /> },
    {
      title: t('fields.amount'),
      isFigure: true,
      cell: (record) => <RecordAmount record={record} />,
    },
  ]
}

/** How many records are decided, of all. */
export function Decided({ file }: { file: Clearing }) {
  const { t } = useTranslation()
  const done = file.records - countIn(file, 'WAITING')
  if (file.state === 'CHECKING' || file.state === 'REJECTED') return countText(file.records)
  return t('operator.clearings.progress_of', {
    done: countText(done),
    all: countText(file.records),
  })
}

/** The sums that the network takes, or pays, by currency. */
export function SumsOf({ file, direction }: { file: Clearing; direction: 'DEBIT' | 'CREDIT' }) {
  const sums = new Map<string, number>()
  for (const sum of file.sums ?? []) {
    if (sum.direction !== direction || sum.currency === undefined || sum.amount === 0) continue
    sums.set(sum.currency, (sums.get(sum.currency) ?? 0) + sum.amount)
  }
  if (sums.size === 0) return '–'
  return (
    <span className={styles['stack']}>
      {[...sums].map(([currency, amount]) => (
        <Money key={currency} amount={amount} currency={currency} />
      ))}
    </span>
  )
}
