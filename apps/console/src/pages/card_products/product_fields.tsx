import { Checkbox } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { NativeSelect, Textarea, TextInput } from '../../parts/fields.tsx'
import type { ProductValues } from './product_values.ts'
import { ProductionFields } from './production_fields.tsx'
import styles from './products.module.css'

type FieldsProps = { form: UseFormReturnType<ProductValues> }

/** Also of an Arabic keyboard, and a BIN with its blank: `4000 0001`. */
const BIN = '[0-9\\u0660-\\u0669\\u06f0-\\u06f9 ]{6,10}'
const DIGITS = '[0-9\\u0660-\\u0669\\u06f0-\\u06f9]+'

const STATUSES = ['INACTIVE', 'ACTIVE']

/** Fields that are set when a product is created, and stay. */
export function BinFields({ form }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <div className={styles['pair']}>
      <TextInput
        dir="ltr"
        required
        withAsterisk={false}
        inputMode="numeric"
        pattern={BIN}
        maxLength={10}
        label={t('products.bin')}
        title={t('products.bin_hint')}
        placeholder="40000001"
        {...form.getInputProps('bin')}
      />
      <TextInput
        dir="ltr"
        required
        withAsterisk={false}
        maxLength={3}
        label={t('fields.currency')}
        {...form.getInputProps('currency')}
      />
    </div>
  )
}

export function ProductFields({ form }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        required
        withAsterisk={false}
        maxLength={100}
        label={t('fields.name')}
        {...form.getInputProps('name')}
      />
      <Textarea
        autosize
        maxLength={1000}
        label={t('products.description')}
        {...form.getInputProps('description')}
      />
      <div className={styles['pair']}>
        <NativeSelect
          label={t('products.initial_virtual')}
          data={STATUSES}
          {...form.getInputProps('initial_status_of_virtual_card')}
        />
        <NativeSelect
          label={t('products.initial_physical')}
          data={STATUSES}
          {...form.getInputProps('initial_status_of_physical_card')}
        />
      </div>
      <Figures form={form} />
      <NativeSelect
        label={t('products.pin_verification')}
        path="pin.verification"
        data={(['PVV', 'OFFSET'] as const).map((value) => ({
          value,
          label: t(`products.pin_verification_names.${value}`),
        }))}
        {...form.getInputProps('pin_verification')}
      />
      <NativeSelect
        label={t('products.responder')}
        data={(['ASK', 'SKIP'] as const).map((value) => ({
          value,
          label: t(`products.responder_names.${value}`),
        }))}
        {...form.getInputProps('responder')}
      />
      <Choices form={form} />
      <ProductionFields form={form} />
    </>
  )
}

function Figures({ form }: FieldsProps) {
  const { t } = useTranslation()
  const figure = (name: keyof ProductValues, label: string) => (
    <TextInput
      dir="ltr"
      required
      withAsterisk={false}
      inputMode="numeric"
      pattern={DIGITS}
      label={label}
      {...form.getInputProps(name)}
    />
  )
  return (
    <>
      <div className={styles['pair']}>
        {figure('card_validity_months', t('products.validity'))}
        {figure('clearing_tolerance_percent', t('products.tolerance'))}
      </div>
      <div className={styles['pair']}>
        {figure('pin_length', t('products.pin_length'))}
        {figure('max_tries', t('products.pin_tries'))}
      </div>
      <div className={styles['pair']}>
        <TextInput
          dir="ltr"
          inputMode="numeric"
          pattern={DIGITS}
          label={t('products.per_user')}
          description={t('products.per_user_hint')}
          {...form.getInputProps('num_of_cards_per_user')}
        />
        <TextInput
          dir="ltr"
          inputMode="decimal"
          label={t('products.identify')}
          description={t('products.identify_hint')}
          {...form.getInputProps('identify_above')}
        />
      </div>
    </>
  )
}

function Choices({ form }: FieldsProps) {
  const { t } = useTranslation()
  const choice = (name: keyof ProductValues, label: string) => (
    <Checkbox label={label} {...form.getInputProps(name, { type: 'checkbox' })} />
  )
  return (
    <div className={styles['choices']}>
      {choice('link_account_to_card', t('products.link_account'))}
      {choice('partial_approval', t('products.partial'))}
      {choice('otp_3ds', t('products.otp'))}
      {choice('refuse_weak', t('products.weak'))}
    </div>
  )
}
