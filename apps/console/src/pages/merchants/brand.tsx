import { Checkbox, FileInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Shop } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'

const ACCEPTED = 'image/png,image/jpeg,image/webp'

/** The color and the logo of the shop's payment page. Empty fields clear the color, not the logo. */
export function ChangeBrand({ merchant }: { merchant: Shop }) {
  const { t } = useTranslation()
  const may = useMay()
  const [color, setColor] = useState(merchant.brand_color ?? '')
  const [logo, setLogo] = useState<File | null>(null)
  const [isCleared, setCleared] = useState(false)
  if (!may('updateMerchant')) return null
  const act = async () => {
    const body = {
      brand_color: color.trim() === '' ? null : color.trim(),
      ...(isCleared && { logo: null }),
      ...(logo && { logo: await dataUrlOf(logo) }),
    }
    const params = { path: { id: merchant.id } }
    return answered(issuing.PUT('/operator/merchants/{id}', { params, body }))
  }
  return (
    <Act
      label={t('operator.merchants.brand')}
      text={t('operator.merchants.brand_text')}
      submit={t('actions.save')}
      act={act}
    >
      <TextInput
        label={t('operator.merchants.brand_color')}
        dir="ltr"
        placeholder="#RRGGBB"
        maxLength={7}
        autoComplete="off"
        value={color}
        onChange={({ currentTarget }) => setColor(currentTarget.value)}
      />
      <FileInput
        label={t('operator.merchants.logo')}
        description={t('operator.merchants.logo_hint')}
        placeholder={t('reviews.choose_file')}
        accept={ACCEPTED}
        value={logo}
        onChange={setLogo}
      />
      {merchant.logo !== undefined && (
        <Checkbox
          label={t('operator.merchants.no_logo')}
          checked={isCleared}
          onChange={({ currentTarget }) => setCleared(currentTarget.checked)}
        />
      )}
    </Act>
  )
}

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'))
    reader.readAsDataURL(file)
  })
