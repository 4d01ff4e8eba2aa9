import { IconFingerprint } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import type { Passkey } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextInput } from '../../parts/fields.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { createPasskey, lackOfPasskeys } from '../../parts/passkeys.ts'
import { PasskeysElsewhere } from '../../parts/passkeys_elsewhere.tsx'
import { When } from '../../parts/values.tsx'
import { given, OwnPassword } from './own_password.tsx'

/** Keys of the member's devices, which sign in without a password. */
export function Passkeys() {
  const { t } = useTranslation()
  const lack = lackOfPasskeys()
  const textOf = {
    NONE: t('me.no_passkeys_text'),
    BROWSER: t('me.cannot'),
    ADDRESS: <PasskeysElsewhere />,
  }
  const columns: Column<Passkey>[] = [
    { title: t('fields.name'), cell: ({ name }) => <bdi>{name}</bdi> },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    {
      title: t('fields.last_used'),
      cell: ({ last_used }) => (last_used ? <When at={last_used} /> : t('api_keys.never')),
    },
    {
      title: t('me.remove'),
      cell: (passkey) => <RemovePasskey passkey={passkey} />,
      isAction: true,
    },
  ]
  return (
    <Panel title={t('me.passkeys')} actions={!lack && <AddPasskey />} flush>
      <Paged
        label={t('me.passkeys')}
        queryKey={['passkeys']}
        read={() => answered(portal.passkeys.list())}
        columns={columns}
        isNamed
        expected={1}
        empty={
          <Empty
            icon={IconFingerprint}
            title={t('me.no_passkeys')}
            text={textOf[lack ?? 'NONE']}
            isSmall
          />
        }
      />
    </Panel>
  )
}

function AddPasskey() {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const act = async (key: string) => {
    const { options } = await answered(
      portal.passkeys.create(given(password), { idempotencyKey: key }),
    )
    const credential = await createPasskey(options)
    const body = { name, credential }
    return answered(portal.passkeys.confirm(body, { idempotencyKey: key }))
  }
  return (
    <Act
      label={t('me.add_passkey')}
      text={t('me.add_passkey_text')}
      act={act}
      onDone={() => {
        setName('')
        setPassword('')
      }}
    >
      <TextInput
        path="name"
        label={t('fields.name')}
        description={t('me.name_hint')}
        required
        withAsterisk={false}
        maxLength={100}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <OwnPassword value={password} onChange={setPassword} mayBeFirst />
    </Act>
  )
}

function RemovePasskey({ passkey: { id, name } }: { passkey: Passkey }) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  return (
    <Act
      label={t('me.remove')}
      of={name}
      text={t('me.remove_passkey_text')}
      act={() => answered(portal.passkeys.delete(id, { password }))}
      isDangerous
    >
      <OwnPassword value={password} onChange={setPassword} />
    </Act>
  )
}
