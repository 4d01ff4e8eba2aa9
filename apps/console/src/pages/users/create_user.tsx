import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { Act } from '../../parts/act.tsx'
import { TextInput } from '../../parts/fields.tsx'

/** A person with the least that is needed; the API takes all the rest. */
export function CreateUser() {
  const { t } = useTranslation()
  const may = useMay()
  const navigate = useNavigate()
  const form = useForm({ initialValues: { first_name: '', last_name: '', email: '' } })
  if (!may('createUser')) return null
  const act = (key: string) => {
    const { email, ...names } = form.values
    const body = { ...names, ...(email !== '' && { email }) }
    return answered(issuing.users.create(body, { idempotencyKey: key }))
  }
  return (
    <Act
      label={t('users.create')}
      text={t('users.create_text')}
      act={act}
      onDone={({ id }) => void navigate({ to: `/users/${id}` })}
      isMain
    >
      <TextInput
        label={t('users.first_name')}
        required
        withAsterisk={false}
        {...form.getInputProps('first_name')}
      />
      <TextInput
        label={t('users.last_name')}
        required
        withAsterisk={false}
        {...form.getInputProps('last_name')}
      />
      <TextInput label={t('account.email')} type="email" {...form.getInputProps('email')} />
    </Act>
  )
}
