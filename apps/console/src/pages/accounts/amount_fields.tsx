import { useTranslation } from 'react-i18next'
import { TextInput } from '../../parts/fields.tsx'

type Typed = { amount: string; notes: string }

type AmountFieldsProps = {
  currency: string
  typed: Typed
  onChange: (typed: Typed) => void
}

/** An amount in major units, and what the statement says of it. */
export function AmountFields({ currency, typed, onChange }: AmountFieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        path="amount"
        dir="ltr"
        required
        withAsterisk={false}
        inputMode="decimal"
        autoComplete="off"
        label={t('accounts.amount_in', { currency })}
        value={typed.amount}
        onChange={({ currentTarget }) => onChange({ ...typed, amount: currentTarget.value })}
      />
      <TextInput
        path="notes"
        label={t('accounts.notes')}
        description={t('accounts.notes_hint')}
        value={typed.notes}
        onChange={({ currentTarget }) => onChange({ ...typed, notes: currentTarget.value })}
      />
    </>
  )
}
