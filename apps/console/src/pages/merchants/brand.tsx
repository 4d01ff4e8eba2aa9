import { Checkbox, FileInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import type { Shop } from '../../api/types.ts'
import { Edit } from '../../parts/edit/edit.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { readMerchant, updateMerchant } from './merchant_calls.ts'

const ACCEPTED = 'image/png,image/jpeg,image/webp'

type Typed = { color: string; logo: File | null; isCleared: boolean }

const typedOf = ({ brand_color }: Shop): Typed => ({
  color: brand_color ?? '',
  logo: null,
  isCleared: false,
})

const bodyOf = ({ color, logo, isCleared }: Typed) => ({
  brand_color: color.trim() === '' ? null : color.trim(),
  ...(isCleared && { logo: null }),
  ...(logo && { logo }),
})

/** The color and the logo of the shop's payment page. Empty fields clear the color, not the logo. */
export function ChangeBrand({ merchant }: { merchant: Shop }) {
  const { t } = useTranslation()
  const may = useMay()
  const [typed, setTyped] = useState(() => typedOf(merchant))
  const { id } = merchant
  const { color, logo, isCleared } = typed
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
    </Edit>
  )
}

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'))
    reader.readAsDataURL(file)
  })
