import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'
import { saveText } from '../../parts/export_csv.tsx'
import styles from './accounts.module.css'

/** Days of the reader's clock, which begin and end where the reader is. */
const startOf = (day: string) =>
  day === '' ? {} : { from: new Date(`${day}T00:00`).toISOString() }

function endOf(day: string) {
  if (day === '') return {}
  const next = new Date(`${day}T00:00`)
  next.setDate(next.getDate() + 1)
  return { to: next.toISOString() }
}

/** The statement as the API writes it: one call, every row. */
export function Statement({ id }: { id: string }) {
  const { t } = useTranslation()
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const download = async () => {
    const params = { path: { id }, query: { ...startOf(first), ...endOf(last) } }
    const headers = { accept: 'text/csv' }
    const call = issuing.GET('/accounts/{id}/transactions', { params, headers, parseAs: 'text' })
    const text: string = await answered(call)
    saveText(`statement-${id}.csv`, text)
  }
  return (
    <Act
      label={t('accounts.statement')}
      text={t('accounts.statement_text')}
      submit={t('accounts.download')}
      act={download}
    >
      <div className={styles['dates']}>
        <TextInput
          type="date"
          label={t('accounts.first_day')}
          value={first}
          onChange={({ currentTarget }) => setFirst(currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t('accounts.last_day')}
          value={last}
          onChange={({ currentTarget }) => setLast(currentTarget.value)}
        />
      </div>
    </Act>
  )
}
