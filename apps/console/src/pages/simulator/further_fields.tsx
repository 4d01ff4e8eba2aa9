import { Checkbox, NativeSelect, TextInput, type TextInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CRYPTOGRAMS, RESULTS, TYPES, VERSIONS } from './channels.ts'
import styles from './simulator.module.css'
import { isOfChip, type Typed } from './typed.ts'
import type { RequestFields } from './use_request.ts'

type FieldsProps = { form: RequestFields }

/** Fields that few requests need: the type, the proof of the card, and the data of its chip. */
export function FurtherFields({ form }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <div className={styles['pair']}>
        <NativeSelect
          label={t('simulator.type')}
          data={TYPES.map((value) => ({ value, label: t(`simulator.types.${value}`) }))}
          {...form.getInputProps('type')}
        />
        <NativeSelect
          label={t('simulator.three_ds')}
          data={RESULTS.map((value) => ({ value, label: t(`simulator.results.${value}`) }))}
          {...form.getInputProps('three_ds')}
        />
      </div>
      <Proofs form={form} />
      <div className={styles['pair']}>
        <Text form={form} name="city" label={t('simulator.city')} maxLength={13} />
        <Text form={form} name="acceptor" label={t('simulator.acceptor')} maxLength={15} />
      </div>
      <Checkbox
        label={t('simulator.partial')}
        {...form.getInputProps('partial', { type: 'checkbox' })}
      />
      {isOfChip(form.values) && <ChipFields form={form} />}
    </>
  )
}

function Proofs({ form }: FieldsProps) {
  const { t } = useTranslation()
  const number = { inputMode: 'numeric', placeholder: t('simulator.not_sent') } as const
  return (
    <div className={styles['three']}>
      <Text form={form} name="pin" label={t('simulator.pin')} maxLength={12} {...number} />
      <Text form={form} name="cvv2" label={t('simulator.cvv2')} maxLength={4} {...number} />
      <Text
        form={form}
        name="expiry"
        label={t('simulator.expiry')}
        placeholder={t('simulator.expiry_hint')}
        maxLength={7}
      />
    </div>
  )
}

/** Data that the card's chip sends. */
function ChipFields({ form }: FieldsProps) {
  const { t } = useTranslation()
  const usual = { value: '', label: t('simulator.usual') }
  return (
    <fieldset className={styles['group']}>
      <legend>{t('simulator.chip')}</legend>
      <div className={styles['three']}>
        <NativeSelect
          label={t('simulator.cryptogram')}
          data={CRYPTOGRAMS.map((value) => ({ value, label: t(`simulator.cryptograms.${value}`) }))}
          {...form.getInputProps('cryptogram')}
        />
        <NativeSelect
          label={t('simulator.version')}
          data={[usual, ...VERSIONS.map((value) => ({ value, label: value }))]}
          {...form.getInputProps('version')}
        />
        <Text
          form={form}
          name="atc"
          label={t('simulator.atc')}
          placeholder={t('simulator.atc_hint')}
          inputMode="numeric"
          maxLength={5}
        />
      </div>
    </fieldset>
  )
}

type TextProps = FieldsProps & { name: keyof Typed } & Omit<TextInputProps, 'form' | 'name'>

function Text({ form, name, ...rest }: TextProps) {
  return <TextInput dir="ltr" autoComplete="off" {...rest} {...form.getInputProps(name)} />
}
