import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'
import { setMark, useMark } from '../../parts/csv_mark.ts'
import { periodOf } from '../../parts/days.ts'
import { saveText } from '../../parts/export_csv.tsx'
import styles from './accounts.module.css'

/** The statement as the API writes it: one call, every row. */
export function Statement({ id }: { id: string }) {
  const { t } = useTranslation()
  const [first, setFirst] = useState('')
  const [last, setLast] = useState('')
  const hasMark = useMark()
  const download = async () => {
    const answer = await answered(issuing.accounts.listEntriesAsCsv(id, periodOf(first, last)))
    saveText(`statement-${id}.csv`, await answer.text())
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
      <Checkbox
        label={t('downloads.mark')}
        checked={hasMark}
        onChange={({ currentTarget }) => setMark(currentTarget.checked)}
      />
    </Act>
  )
}
