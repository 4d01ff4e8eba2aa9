import { useTranslation } from 'react-i18next'
import { TextInput } from '../../parts/fields.tsx'

/** Words that go with a change of the status. */
export function Note({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation()
  return (
    <TextInput
      path="note"
      label={t('cards.note')}
      description={t('cards.note_hint')}
      maxLength={1000}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
