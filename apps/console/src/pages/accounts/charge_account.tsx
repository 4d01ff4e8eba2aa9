import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Account, Charge } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { NativeSelect, TextInput } from '../../parts/fields.tsx'
import { amountOf } from '../../parts/typed_text.ts'

const TYPES = [
  'OTHER',
  'ISSUING',
  'REPLACEMENT',
  'CASH_WITHDRAWAL',
  'FOREIGN_CURRENCY',
  'MONTHLY',
] as const satisfies readonly Charge['type'][]

type Typed = { amount: string; description: string; type: Exclude<Charge['type'], 'DISPUTE'> }

/** A fee; the API has no dry run of it. */
export function ChargeAccount({ account: { id, currency } }: { account: Account }) {
  const { t } = useTranslation()
  const form = useForm<Typed>({ initialValues: { amount: '', description: '', type: 'OTHER' } })
  return (
    <Act
      label={t('accounts.charge')}
      text={t('accounts.charge_text')}
      act={(key) => {
        const body = { ...form.values, amount: amountOf(form.values.amount, currency), currency }
        return answered(issuing.charges.chargeAccount(id, body, { idempotencyKey: key }))
      }}
      onDone={form.reset}
    >
      <TextInput
        dir="ltr"
        required
        withAsterisk={false}
        inputMode="decimal"
        autoComplete="off"
        label={t('accounts.amount_in', { currency })}
        {...form.getInputProps('amount')}
      />
      <NativeSelect
        label={t('fields.type')}
        data={TYPES.map((value) => ({ value, label: t(`accounts.charge_types.${value}`) }))}
        {...form.getInputProps('type')}
      />
      <TextInput
        required
        withAsterisk={false}
        label={t('accounts.description')}
        description={t('accounts.description_hint')}
        {...form.getInputProps('description')}
      />
    </Act>
  )
}
