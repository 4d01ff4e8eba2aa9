import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { Act } from '../../parts/act.tsx'
import { NativeSelect, Textarea } from '../../parts/fields.tsx'
import { isKeyName, KEY_NAMES, type KeyName, type OfProduct } from './key_names.ts'

/** Components, one a line, which the vault joins; the key is in none of them. */
export function SetProtectionKey({ of }: { of: OfProduct }) {
  const { t } = useTranslation()
  const may = useMay()
  const [text, setText] = useState('')
  if (!may('setKeyBlockProtectionKeyAsOperator')) return null
  const act = () => {
    const components = text.split(/\s+/).filter((line) => line !== '')
    return answered(
      issuing.operator.setKeyBlockProtectionKey(of.id, of.card_product_id, { components }),
    )
  }
  return (
    <Act
      label={t('operator.products.set_protection')}
      text={t('operator.products.set_protection_text')}
      submit={t('actions.save')}
      act={act}
      onDone={() => setText('')}
    >
      <Textarea
        path="components"
        label={t('operator.products.components')}
        description={t('operator.products.components_hint')}
        required
        withAsterisk={false}
        dir="ltr"
        rows={3}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </Act>
  )
}

/** One key of the product, in a key block that the protection key opens. */
export function ImportKey({ of }: { of: OfProduct }) {
  const { t } = useTranslation()
  const may = useMay()
  const [name, setName] = useState<KeyName>('cvk')
  const [key_block, setBlock] = useState('')
  if (!may('importKeyAsOperator')) return null
  const act = (key: string) => {
    const body = { name, key_block: key_block.trim() }
    return answered(
      issuing.operator.importKey(of.id, of.card_product_id, body, { idempotencyKey: key }),
    )
  }
  return (
    <Act
      label={t('operator.products.import')}
      text={t('operator.products.import_text')}
      act={act}
      onDone={() => setBlock('')}
    >
      <NativeSelect
        path="name"
        label={t('operator.products.key')}
        value={name}
        data={KEY_NAMES.map((one) => ({ value: one, label: t(`operator.products.names.${one}`) }))}
        onChange={({ currentTarget }) =>
          isKeyName(currentTarget.value) && setName(currentTarget.value)
        }
      />
      <Textarea
        path="key_block"
        label={t('operator.products.block')}
        description={t('operator.products.block_hint')}
        required
        withAsterisk={false}
        dir="ltr"
        rows={4}
        autoComplete="off"
        spellCheck={false}
        value={key_block}
        onChange={({ currentTarget }) => setBlock(currentTarget.value)}
      />
    </Act>
  )
}
