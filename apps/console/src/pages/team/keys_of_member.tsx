import { Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { Failing } from '../../parts/failing.tsx'
import { Code } from '../../parts/values.tsx'

/** The number of keys on a page of the API. */
const SHOWN = 100

type KeysOfMemberProps = {
  id: string
  isRevoked: boolean
  onChange: (isRevoked: boolean) => void
  hasNewRole?: boolean
}

/** The API keys that a member has made, and whether they are revoked with the membership (D-1002). */
export function KeysOfMember({ id, isRevoked, onChange, hasNewRole = false }: KeysOfMemberProps) {
  const { t } = useTranslation()
  const may = useMay()
  const { data, error } = useQuery({
    queryKey: ['keys', id],
    queryFn: () => {
      const query = { created_by: id, limit: SHOWN }
      return answered(portal.apiKeys.list(query))
    },
    enabled: may('listKeys'),
  })
  if (error) return <Failing error={error} />
  if (!data) return null
  if (data.data.length === 0) return <p>{t('team.no_keys')}</p>
  return (
    <div>
      <strong>{t('team.keys')}</strong>
      <ul>
        {data.data.map(({ id: key, name, prefix, permissions }) => (
          <li key={key}>
            <bdi>{name ?? prefix}</bdi> <Code>{permissions.join(', ')}</Code>
          </li>
        ))}
      </ul>
      <Checkbox
        label={t('team.revoke_keys')}
        description={hasNewRole ? t('team.revoke_keys_role') : t('team.revoke_keys_hint')}
        checked={isRevoked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    </div>
  )
}
