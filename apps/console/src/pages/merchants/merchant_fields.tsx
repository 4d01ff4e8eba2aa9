import { Checkbox } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { Shop } from '../../api/types.ts'
import type { Labels } from '../../parts/edit/meanwhile.tsx'
import { NativeSelect, TextInput } from '../../parts/fields.tsx'
import { codeOf, plainDigits } from '../../parts/typed_text.ts'
import styles from './merchants.module.css'

export type Typed = {
  name: string
  display_name: string
  /** Empty if the name that customers see is enough. */
  descriptor: string
  status: Shop['status']
  mcc: string
  country: string
  city: string
  capture_window_days: string
  token_minutes: string
  deadline_policy: Shop['deadline_policy']
  partial_captures: boolean
  callback_hosts: string
  kept_cards: boolean
  /** Empty for the default one. */
  issuer: string
}

/** The defaults of the API. */
export const NEW: Typed = {
  name: '',
  display_name: '',
  status: 'ACTIVE',
  mcc: '5999',
  country: 'ARE',
  city: 'Dubai',
  capture_window_days: '5',
  token_minutes: '30',
  deadline_policy: 'void',
  partial_captures: false,
  callback_hosts: '',
  kept_cards: false,
  issuer: '',
  descriptor: '',
}

export const typedOf = (merchant: Shop): Typed => ({
  name: merchant.name,
  display_name: merchant.display_name,
  status: merchant.status,
  mcc: merchant.mcc,
  country: merchant.country,
  city: merchant.city,
  deadline_policy: merchant.deadline_policy,
  partial_captures: merchant.partial_captures,
  kept_cards: merchant.kept_cards,
  capture_window_days: String(merchant.capture_window_days),
  token_minutes: String(merchant.token_minutes),
  callback_hosts: merchant.callback_hosts.join(', '),
  issuer: merchant.issuer ?? '',
  descriptor: merchant.descriptor ?? '',
})

export function bodyOf({ name, display_name, callback_hosts, ...typed }: Typed) {
  const { status, mcc, country, city, deadline_policy, partial_captures, kept_cards } = typed
  return {
    name: name.trim(),
    status,
    mcc: codeOf(mcc),
    country,
    city,
    deadline_policy,
    partial_captures,
    kept_cards,
    issuer: typed.issuer.trim() || null,
    descriptor: typed.descriptor.trim() || null,
    ...(display_name.trim() !== '' && { display_name: display_name.trim() }),
    capture_window_days: Number(plainDigits(typed.capture_window_days)),
    token_minutes: Number(plainDigits(typed.token_minutes)),
    callback_hosts: callback_hosts.split(/[\s,]+/).filter((host) => host !== ''),
  }
}

/** The fields by their names, for the comparison with what another person has typed. */
export function useLabels(): Labels<Typed> {
  const { t } = useTranslation()
  return {
    name: t('operator.merchants.name'),
    display_name: t('operator.merchants.display_name'),
    descriptor: t('operator.merchants.descriptor'),
    status: t('fields.status'),
    mcc: t('operator.merchants.mcc'),
    country: t('operator.merchants.country'),
    city: t('operator.merchants.city'),
    capture_window_days: t('operator.merchants.capture_window_days'),
    token_minutes: t('operator.merchants.token_minutes'),
    deadline_policy: {
      label: t('operator.merchants.deadline_policy'),
      textOf: (policy) => t(`operator.merchants.${policy}`),
    },
    partial_captures: t('operator.merchants.partial_captures'),
    callback_hosts: t('operator.merchants.callback_hosts'),
    kept_cards: t('operator.merchants.kept_cards'),
    issuer: t('operator.merchants.issuer'),
  }
}

type TextName = Exclude<
  keyof Typed,
  'status' | 'deadline_policy' | 'partial_captures' | 'kept_cards'
>

export function MerchantFields({ form }: { form: UseFormReturnType<Typed> }) {
  const { t } = useTranslation()
  const text = (name: TextName) => ({
    label: t(`operator.merchants.${name}`),
    withAsterisk: false,
    autoComplete: 'off',
    ...form.getInputProps(name),
  })
  const code = { dir: 'ltr', required: true } as const
  return (
    <>
      <div className={styles['pair']}>
        <TextInput required maxLength={100} {...text('name')} />
        <TextInput maxLength={100} {...text('display_name')} />
        <TextInput maxLength={4} {...code} {...text('mcc')} />
        <TextInput maxLength={3} {...code} {...text('country')} />
        <TextInput required maxLength={100} {...text('city')} />
        <NativeSelect
          label={t('fields.status')}
          data={['ACTIVE', 'INACTIVE']}
          {...form.getInputProps('status')}
        />
        <TextInput inputMode="numeric" {...code} {...text('capture_window_days')} />
        <TextInput inputMode="numeric" {...code} {...text('token_minutes')} />
      </div>
      <TextInput
        dir="ltr"
        maxLength={25}
        description={t('operator.merchants.descriptor_hint')}
        {...text('descriptor')}
      />
      <NativeSelect
        label={t('operator.merchants.deadline_policy')}
        data={[
          { value: 'void', label: t('operator.merchants.void') },
          { value: 'capture', label: t('operator.merchants.capture') },
        ]}
        {...form.getInputProps('deadline_policy')}
      />
      <Checkbox
        label={t('operator.merchants.partial_captures')}
        description={t('operator.merchants.partial_hint')}
        {...form.getInputProps('partial_captures', { type: 'checkbox' })}
      />
      <TextInput
        dir="ltr"
        description={t('operator.merchants.hosts_hint')}
        {...text('callback_hosts')}
      />
      <TextInput
        dir="ltr"
        maxLength={40}
        description={t('operator.merchants.issuer_hint')}
        {...text('issuer')}
      />
      <Checkbox
        label={t('operator.merchants.kept_cards')}
        description={t('operator.merchants.kept_cards_hint')}
        {...form.getInputProps('kept_cards', { type: 'checkbox' })}
      />
    </>
  )
}
