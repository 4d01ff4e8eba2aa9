import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import { useMay, useSession } from '../../api/session.ts'
import type { Role } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { ShownOnce } from '../../parts/shown_once.tsx'
import { RoleField } from './roles.tsx'

type Invited = { email: string; role: Role }

/** Invites a person; if no mail is sent, the link is shown to copy (D-142). */
export function Invite() {
  const { t } = useTranslation()
  const may = useMay()
  const { data: session } = useSession()
  const [link, setLink] = useState<string>()
  const first: Role = session?.role.startsWith('operator_') ? 'operator_support' : 'developer'
  const form = useForm<Invited>({ initialValues: { email: '', role: first } })
  if (!may('createInvitation')) return null
  const act = (key: string) =>
    answered(portal.team.createInvitation(form.values, { idempotencyKey: key }))
  return (
    <>
      <Act
        label={t('team.invite')}
        text={t('team.invite_text')}
        act={act}
        onDone={(made) => {
          setLink(made.link)
          form.reset()
        }}
        isMain
      >
        <TextInput
          type="email"
          label={t('account.email')}
          required
          withAsterisk={false}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <RoleField value={form.values.role} onChange={(role) => form.setFieldValue('role', role)} />
      </Act>
      <ShownOnce
        title={t('team.link_title')}
        text={t('team.link_text')}
        label={t('team.link')}
        value={link}
        onClose={() => setLink(undefined)}
      />
    </>
  )
}
