import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { allTenants, tenantChoices } from '../../api/tenants.ts'
import type { Shop } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Edit } from '../../parts/edit/edit.tsx'
import { NativeSelect } from '../../parts/fields.tsx'
import { useChoice } from '../../parts/use_choice.ts'
import { readMerchant, updateMerchant } from './merchant_calls.ts'
import { bodyOf, MerchantFields, NEW, typedOf, useLabels } from './merchant_fields.tsx'

export function CreateMerchant() {
  const { t } = useTranslation()
  const may = useMay()
  const navigate = useNavigate()
  const { data: tenants = [] } = useQuery(allTenants)
  const [chosen, setChosen] = useState('')
  const tenant_id = useChoice(tenants, chosen)?.id ?? ''
  const form = useForm({ initialValues: NEW })
  if (!may('createMerchant')) return null
  const act = (key: string) => {
    const body = { ...bodyOf(form.values), tenant_id }
    return answered(issuing.operator.createMerchant(body, { idempotencyKey: key }))
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
        path="tenant_id"
        label={t('operator.tenant')}
        value={tenant_id}
        data={tenantChoices(tenants)}
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
  const labels = useLabels()
  const { id } = merchant
  if (!may('updateMerchant')) return null
  return (
    <Edit
      label={t('operator.merchants.change')}
      text={t('operator.merchants.change_text')}
      item={merchant}
      read={() => readMerchant(id)}
      typed={form.values}
      setTyped={form.setValues}
      save={(changes, header) => updateMerchant(id, changes, header)}
      {...{ typedOf, bodyOf, labels }}
    >
      <MerchantFields form={form} />
    </Edit>
  )
}
