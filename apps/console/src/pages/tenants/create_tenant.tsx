import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { Act } from '../../parts/act.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { ShownOnce } from '../../parts/shown_once.tsx'

/** Makes a tenant with its first key, which is shown once; then the page of the tenant follows. */
export function CreateTenant() {
  const { t } = useTranslation()
  const may = useMay()
  const navigate = useNavigate()
  const [made, setMade] = useState<{ id: string; api_key: string }>()
  const form = useForm({ initialValues: { name: '', default_currency: 'AED' } })
  if (!may('createTenant')) return null
  const act = (key: string) => {
    const { name, default_currency } = form.values
    const body = { name, settings: { default_currency: default_currency.toUpperCase() } }
    return answered(issuing.operator.createTenant(body, { idempotencyKey: key }))
  }
  return (
    <>
      <Act
        label={t('operator.tenants.create')}
        text={t('operator.tenants.create_text')}
        act={act}
        onDone={(answer) => {
          setMade(answer)
          form.reset()
        }}
        isMain
      >
        <TextInput
          label={t('fields.name')}
          required
          withAsterisk={false}
          maxLength={100}
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('operator.tenants.currency')}
          required
          withAsterisk={false}
          dir="ltr"
          maxLength={3}
          autoComplete="off"
          {...form.getInputProps('default_currency')}
        />
      </Act>
      <ShownOnce
        title={t('operator.tenants.made')}
        text={t('operator.tenants.made_text')}
        label={t('account.key')}
        value={made?.api_key}
        onClose={() => made && void navigate({ to: `/tenants/${made.id}` })}
      />
    </>
  )
}
