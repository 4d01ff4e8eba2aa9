import { NativeSelect, TextInput } from '@mantine/core'
import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { CHANNELS } from './channels.ts'
import { countriesIn, countryName, shops } from './shops.ts'
import styles from './simulator.module.css'
import type { RequestFields } from './use_request.ts'

/** A text under a field that has none yet, so that the fields do not move when it has one. */
const NOTHING = '\u00a0'
const ORDER = ['label', 'input', 'description', 'error'] as const

/** A kind of shop fills in what such a shop sends; each value can be changed after it. */
export function ShopField({ form }: { form: RequestFields }) {
  const { t } = useTranslation()
  const { merchant } = form.values
  return (
    <fieldset className={styles['shops']}>
      <legend>{t('simulator.shop')}</legend>
      {shops.map(([name, shop]) => (
        <button
          key={name}
          type="button"
          aria-pressed={shop.merchant === merchant}
          onClick={() => form.setValues(shop)}
        >
          {t(`simulator.shops.${name}`)}
        </button>
      ))}
    </fieldset>
  )
}

export function MerchantFields({ form }: { form: RequestFields }) {
  const { t, i18n } = useTranslation()
  const [mccs, countries] = [useId(), useId()]
  const names: Readonly<Record<string, string>> = t('simulator.mccs', { returnObjects: true })
  const known = useMemo(() => countriesIn(i18n.language), [i18n.language])
  const { mcc, country } = form.values
  return (
    <>
      <div className={styles['pair']}>
        <TextInput
          dir="ltr"
          label={t('simulator.merchant')}
          maxLength={25}
          {...form.getInputProps('merchant')}
        />
        <TextInput
          dir="ltr"
          label={t('simulator.mcc')}
          description={names[mcc.trim()] ?? NOTHING}
          inputWrapperOrder={[...ORDER]}
          inputMode="numeric"
          maxLength={4}
          list={mccs}
          {...form.getInputProps('mcc')}
        />
      </div>
      <div className={styles['pair']}>
        <TextInput
          dir="ltr"
          label={t('simulator.country')}
          description={countryName(country.trim(), i18n.language) ?? NOTHING}
          inputWrapperOrder={[...ORDER]}
          maxLength={3}
          list={countries}
          {...form.getInputProps('country')}
        />
        <NativeSelect
          label={t('simulator.channel')}
          data={CHANNELS.map((value) => ({ value, label: t(`simulator.channels.${value}`) }))}
          {...form.getInputProps('channel')}
        />
      </div>
      <datalist id={mccs}>
        {Object.entries(names).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </datalist>
      <datalist id={countries}>
        {known.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}
