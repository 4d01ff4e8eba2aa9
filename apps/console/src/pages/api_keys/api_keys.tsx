import { Checkbox } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import { useMay, useSession } from '../../api/session.ts'
import type { Key } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextInput } from '../../parts/fields.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ShownOnce } from '../../parts/shown_once.tsx'
import { Code, When } from '../../parts/values.tsx'
import styles from './api_keys.module.css'

const PERMISSIONS = ['read', 'write', 'cards:reveal', 'cards:widget'] as const

const read = (after: string | undefined) => {
  const query = after === undefined ? {} : { after }
  return answered(portal.apiKeys.list(query))
}

/** The keys with which the organization's own programs call the API (D-138). */
export function ApiKeys() {
  const { t } = useTranslation()
  const [made, setMade] = useState<string>()
  return (
    <Page name="api_keys" lead={t('api_keys.lead')} actions={<CreateKey onMade={setMade} />}>
      <ShownOnce
        title={t('api_keys.made')}
        text={t('api_keys.made_text')}
        label={t('account.key')}
        value={made}
        onClose={() => setMade(undefined)}
      />
      <Panel title={t('api_keys.all')} flush>
        <Paged
          label={t('pages.api_keys')}
          queryKey={['keys']}
          read={read}
          columns={useKeyColumns()}
          isNamed
          empty={<Empty icon={IconKey} title={t('api_keys.none')} text={t('api_keys.none_text')} />}
        />
      </Panel>
    </Page>
  )
}

function useKeyColumns(): Column<Key>[] {
  const { t } = useTranslation()
  const may = useMay()
  const columns: Column<Key>[] = [
    { title: t('fields.name'), cell: ({ name }) => <KeyName name={name} /> },
    { title: t('api_keys.prefix'), cell: ({ prefix }) => <Code>{prefix}</Code> },
    {
      title: t('api_keys.permissions'),
      cell: ({ permissions }) => <Code>{permissions.join(', ')}</Code>,
    },
    {
      title: t('api_keys.made_by'),
      cell: ({ created_by_email }) => <bdi>{created_by_email ?? t('api_keys.operator')}</bdi>,
    },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    {
      title: t('fields.last_used'),
      cell: ({ last_used }) => (last_used ? <When at={last_used} /> : t('api_keys.never')),
    },
  ]
  if (!may('revokeKey')) return columns
  const cell = (key: Key) => <Revoke apiKey={key} />
  return [...columns, { title: t('api_keys.revoke'), cell, isAction: true }]
}

/** Keys that the operator has created have no name. */
function KeyName({ name }: { name: string | undefined }) {
  const { t } = useTranslation()
  return name ? <bdi>{name}</bdi> : <span className={styles['soft']}>{t('api_keys.unnamed')}</span>
}

function Revoke({ apiKey: { id, name, prefix } }: { apiKey: Key }) {
  const { t } = useTranslation()
  return (
    <Act
      label={t('api_keys.revoke')}
      of={name ?? prefix}
      text={t('api_keys.revoke_text')}
      act={() => answered(portal.apiKeys.revoke(id))}
      isDangerous
    />
  )
}

function CreateKey({ onMade }: { onMade: (value: string) => void }) {
  const { t } = useTranslation()
  const may = useMay()
  const { data: session } = useSession()
  const form = useForm({ initialValues: { name: '', permissions: ['read', 'write'] } })
  if (!may('createKey')) return null
  const allowed = PERMISSIONS.filter((one) => session?.permissions.includes(one))
  const act = (key: string) => {
    const permissions = allowed.filter((one) => form.values.permissions.includes(one))
    const body = { name: form.values.name, permissions }
    return answered(portal.apiKeys.create(body, { idempotencyKey: key }))
  }
  return (
    <Act
      label={t('api_keys.create')}
      text={t('api_keys.create_text')}
      act={act}
      onDone={({ api_key }) => {
        onMade(api_key)
        form.reset()
      }}
      isMain
    >
      <TextInput
        label={t('fields.name')}
        required
        withAsterisk={false}
        maxLength={100}
        {...form.getInputProps('name')}
      />
      <Checkbox.Group label={t('api_keys.permissions')} {...form.getInputProps('permissions')}>
        <div className={styles['choices']}>
          {allowed.map((one) => (
            <Checkbox key={one} value={one} label={one} />
          ))}
        </div>
      </Checkbox.Group>
    </Act>
  )
}
