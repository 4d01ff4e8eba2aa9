import { NativeSelect } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing, once } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { allTenants } from '../../api/tenants.ts'
import type { Shop } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { bodyOf, MerchantFields, NEW, typedOf } from './merchant_fields.tsx'

export function CreateMerchant() {
  const { t } = useTranslation()
  const may = useMay()
  const navigate = useNavigate()
  const { data: tenants } = useQuery(allTenants)
  const [chosen, setChosen] = useState<string>()
  const form = useForm({ initialValues: NEW })
  if (!may('createMerchant')) return null
  const tenant_id = chosen ?? tenants?.[0]?.id ?? ''
  const act = (key: string) => {
    const body = { ...bodyOf(form.values), tenant_id }
    return answered(issuing.POST('/operator/merchants', { body, params: { header: once(key) } }))
  }
  return (
    <Act
      label={t('operator.merchants.create')}
      text={t('operator.merchants.create_text')}
      act={act}
      onDone={({ id }) => void navigate({ to: `/merchants/${id}` })}
      isMain
    >
      <NativeSelect
        label={t('operator.tenant')}
        value={tenant_id}
        data={(tenants ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      <MerchantFields form={form} />
    </Act>
  )
}

export function ChangeMerchant({ merchant }: { merchant: Shop }) {
  const { t } = useTranslation()
  const may = useMay()
  const form = useForm({ initialValues: typedOf(merchant) })
  if (!may('updateMerchant')) return null
  const act = () => {
    const params = { path: { id: merchant.id } }
    const body = bodyOf(form.values)
    return answered(issuing.PUT('/operator/merchants/{id}', { params, body }))
  }
  return (
    <Act
      label={t('operator.merchants.change')}
      text={t('operator.merchants.change_text')}
      submit={t('actions.save')}
      act={act}
    >
      <MerchantFields form={form} />
    </Act>
  )
}
