import { Checkbox } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { TextInput } from '../../parts/fields.tsx'
import type { ProductValues } from './product_values.ts'
import styles from './products.module.css'

/** How the bureau makes the physical cards; an empty field has its default. */
export function ProductionFields({ form }: { form: UseFormReturnType<ProductValues> }) {
  const { t } = useTranslation()
  const text = (name: 'chip_profile' | 'carrier', label: string) => (
    <TextInput
      maxLength={64}
      label={label}
      path={`production.${name}`}
      {...form.getInputProps(name)}
    />
  )
  const choice = (name: 'pin_mailer' | 'tracking', label: string) => (
    <Checkbox label={label} {...form.getInputProps(name, { type: 'checkbox' })} />
  )
  return (
    <>
      <div className={styles['pair']}>
        <TextInput
          dir="ltr"
          inputMode="numeric"
          maxLength={3}
          label={t('products.service_code')}
          description={t('products.service_code_hint')}
          path="production.service_code"
          {...form.getInputProps('service_code')}
        />
        <TextInput
          dir="ltr"
          maxLength={26}
          label={t('products.second_line')}
          description={t('products.second_line_hint')}
          path="production.second_line"
          {...form.getInputProps('second_line')}
        />
      </div>
      <div className={styles['pair']}>
        {text('chip_profile', t('products.chip_profile'))}
        {text('carrier', t('products.carrier'))}
      </div>
      <div className={styles['choices']}>
        {choice('pin_mailer', t('products.pin_mailer'))}
        {choice('tracking', t('products.tracking'))}
      </div>
    </>
  )
}
