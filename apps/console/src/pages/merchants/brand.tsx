import { Checkbox, FileInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import type { Shop } from '../../api/types.ts'
import { Edit } from '../../parts/edit/edit.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { readMerchant, updateMerchant } from './merchant_calls.ts'

const ACCEPTED = 'image/png,image/jpeg,image/webp'

type Typed = {
  color: string
  logo: File | null
  isCleared: boolean
  terms: string
  support: string
}

const typedOf = ({ brand_color, terms_url, support_url }: Shop): Typed => ({
  color: brand_color ?? '',
  logo: null,
  isCleared: false,
  terms: terms_url ?? '',
  support: support_url ?? '',
})

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

const bodyOf = ({ color, logo, isCleared, terms, support }: Typed) => ({
  brand_color: orNull(color),
  terms_url: orNull(terms),
  support_url: orNull(support),
  ...(isCleared && { logo: null }),
  ...(logo && { logo }),
})

/** The color, the logo and the links of the shop's payment page. An empty field clears its member. */
export function ChangeBrand({ merchant }: { merchant: Shop }) {
  const { t } = useTranslation()
  const may = useMay()
  const [typed, setTyped] = useState(() => typedOf(merchant))
  const { id } = merchant
  const { color, logo, isCleared, terms, support } = typed
  if (!may('updateMerchant')) return null
  const set = (changes: Partial<Typed>) => setTyped({ ...typed, ...changes })
  return (
    <Edit
      label={t('operator.merchants.brand')}
      text={t('operator.merchants.brand_text')}
      item={merchant}
      read={() => readMerchant(id)}
      labels={{
        color: t('operator.merchants.brand_color'),
        logo: t('operator.merchants.logo'),
        isCleared: t('operator.merchants.no_logo'),
        terms: t('operator.merchants.terms_url'),
        support: t('operator.merchants.support_url'),
      }}
      save={async ({ logo: file, ...changes }, header) => {
        const picture = file instanceof File ? await dataUrlOf(file) : file
        const body = { ...changes, ...(picture !== undefined && { logo: picture }) }
        return updateMerchant(id, body, header)
      }}
      {...{ typed, setTyped, typedOf, bodyOf }}
    >
      <TextInput
        path="brand_color"
        label={t('operator.merchants.brand_color')}
        dir="ltr"
        placeholder="#RRGGBB"
        maxLength={7}
        autoComplete="off"
        value={color}
        onChange={({ currentTarget }) => set({ color: currentTarget.value })}
      />
      <FileInput
        label={t('operator.merchants.logo')}
        description={t('operator.merchants.logo_hint')}
        placeholder={t('reviews.choose_file')}
        accept={ACCEPTED}
        value={logo}
        onChange={(file) => set({ logo: file })}
      />
      {merchant.logo !== undefined && (
        <Checkbox
          label={t('operator.merchants.no_logo')}
          checked={isCleared}
          onChange={({ currentTarget }) => set({ isCleared: currentTarget.checked })}
        />
      )}
      <LinkField path="terms_url" value={terms} onChange={(text) => set({ terms: text })} />
      <LinkField path="support_url" value={support} onChange={(text) => set({ support: text })} />
    </Edit>
  )
}

type LinkFieldProps = {
  path: 'terms_url' | 'support_url'
  value: string
  onChange: (text: string) => void
}

function LinkField({ path, value, onChange }: LinkFieldProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      path={path}
      label={t(`operator.merchants.${path}`)}
      description={t(`operator.merchants.${path}_hint`)}
      dir="ltr"
      inputMode="url"
      maxLength={2048}
      autoComplete="off"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'))
    reader.readAsDataURL(file)
  })
