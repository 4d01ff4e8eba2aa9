import { Checkbox } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { TenantKey } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ShownOnce } from '../../parts/shown_once.tsx'
import { Code, When } from '../../parts/values.tsx'
import styles from './tenants.module.css'

const PERMISSIONS = ['read', 'write', 'cards:reveal', 'cards:widget'] as const

type OfTenant = { tenant_id: string }

/** The API keys of a tenant. */
export function TenantKeys({ tenant_id }: OfTenant) {
  const { t } = useTranslation()
  const read = (after: string | undefined) => {
    const query = after === undefined ? {} : { after }
    return answered(issuing.operator.listApiKeys(tenant_id, query))
  }
  return (
    <Panel title={t('pages.api_keys')} actions={<CreateKey tenant_id={tenant_id} />} flush>
      <Paged
        label={t('pages.api_keys')}
        queryKey={['tenants', tenant_id, 'keys']}
        read={read}
        columns={useKeyColumns(tenant_id)}
        expected={2}
        empty={
          <Empty
            icon={IconKey}
            title={t('operator.keys.none')}
            text={t('operator.keys.none_text')}
            isSmall
          />
        }
      />
    </Panel>
  )
}

function useKeyColumns(tenant_id: string): Column<TenantKey>[] {
  const { t } = useTranslation()
  const may = useMay()
  const columns: Column<TenantKey>[] = [
    { title: t('api_keys.prefix'), cell: ({ hint }) => <Code>{hint}</Code> },
    {
      title: t('api_keys.permissions'),
      cell: ({ permissions }) => <Code>{permissions.join(', ')}</Code>,
    },
    {
      title: t('api_keys.made_by'),
      cell: ({ created_by_email }) => <bdi>{created_by_email ?? t('api_keys.operator')}</bdi>,
    },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
  ]
  if (!may('revokeApiKey')) return columns
  const revoke = ({ id: key_id, hint }: TenantKey) => {
    return (
      <Act
        label={t('api_keys.revoke')}
        of={hint}
        text={t('api_keys.revoke_text')}
        act={() => answered(issuing.operator.revokeApiKey(tenant_id, key_id))}
        isDangerous
      />
    )
  }
  return [...columns, { title: t('api_keys.revoke'), cell: revoke, isAction: true }]
}

function CreateKey({ tenant_id }: OfTenant) {
  const { t } = useTranslation()
  const may = useMay()
  const [made, setMade] = useState<string>()
  const [chosen, setChosen] = useState<string[]>(['read', 'write'])
  if (!may('createApiKey')) return null
  const act = (key: string) => {
    const permissions = PERMISSIONS.filter((one) => chosen.includes(one))
    return answered(
      issuing.operator.createApiKey(tenant_id, { permissions }, { idempotencyKey: key }),
    )
  }
  return (
    <>
      <Act
        label={t('api_keys.create')}
        text={t('operator.keys.create_text')}
        act={act}
        onDone={({ key }) => setMade(key)}
      >
        <Checkbox.Group label={t('api_keys.permissions')} value={chosen} onChange={setChosen}>
          <div className={styles['choices']}>
            {PERMISSIONS.map((one) => (
              <Checkbox key={one} value={one} label={<Code>{one}</Code>} />
            ))}
          </div>
        </Checkbox.Group>
      </Act>
      <ShownOnce
        title={t('api_keys.made')}
        text={t('api_keys.made_text')}
        label={t('account.key')}
        value={made}
        onClose={() => setMade(undefined)}
      />
    </>
  )
}
