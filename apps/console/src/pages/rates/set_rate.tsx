import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { allTenants, tenantChoices } from '../../api/tenants.ts'
import { Act } from '../../parts/act.tsx'
import { NativeSelect, TextInput } from '../../parts/fields.tsx'
import { amountOf } from '../../parts/typed_text.ts'
import { Code } from '../../parts/values.tsx'
import styles from './rates.module.css'

/** Digits of a reverse rate that is only shown. */
const REVERSE_DIGITS = 6

type Typed = { from: string; to: string; rate: string; back: string; tenant_id: string }

/** Sets the rate of two currencies, and that of the other way where one is typed. */
export function SetRate() {
  const { t } = useTranslation()
  const may = useMay()
  const { data: tenants } = useQuery(allTenants)
  const initialValues: Typed = { from: '', to: '', rate: '', back: '', tenant_id: '' }
  const form = useForm({ initialValues })
  if (!may('setRates')) return null
  const act = () => answered(issuing.operator.setRates(bodyOf(form.values)))
  const text = (name: Exclude<keyof Typed, 'tenant_id'>) => ({
    dir: 'ltr' as const,
    autoComplete: 'off',
    withAsterisk: false,
    ...form.getInputProps(name),
  })
  return (
    <Act
      label={t('operator.rates.set')}
      text={t('operator.rates.set_text')}
      act={act}
      onDone={() => form.reset()}
      isMain
    >
      <div className={styles['pair']}>
        <TextInput label={t('operator.rates.from')} required maxLength={3} {...text('from')} />
        <TextInput label={t('operator.rates.to')} required maxLength={3} {...text('to')} />
      </div>
      <TextInput
        label={t('operator.rates.rate')}
        description={t('operator.rates.rate_hint')}
        required
        inputMode="decimal"
        {...text('rate')}
      />
      <Reverse rate={form.values.rate} />
      <TextInput
        label={t('operator.rates.back')}
        description={t('operator.rates.back_hint')}
        inputMode="decimal"
        {...text('back')}
      />
      <NativeSelect
        label={t('operator.rates.for')}
        data={[{ value: '', label: t('operator.rates.every') }, ...tenantChoices(tenants)]}
        {...form.getInputProps('tenant_id')}
      />
    </Act>
  )
}

/** One divided by the rate, to compare the two directions. */
function Reverse({ rate }: { rate: string }) {
  const { t } = useTranslation()
  const value = 1 / Number(amountOf(rate))
  if (!Number.isFinite(value) || value <= 0) return null
  return (
    <p className={styles['hint']}>
      {t('operator.rates.reverse')} <Code>{value.toFixed(REVERSE_DIGITS)}</Code>
    </p>
  )
}

function bodyOf(typed: Typed) {
  const [from, to] = [typed.from.trim().toUpperCase(), typed.to.trim().toUpperCase()]
  const [rate, back] = [amountOf(typed.rate), amountOf(typed.back)]
  const rates = [{ from, to, rate }, ...(back === '' ? [] : [{ from: to, to: from, rate: back }])]
  return { rates, ...(typed.tenant_id !== '' && { tenant_id: typed.tenant_id }) }
}
