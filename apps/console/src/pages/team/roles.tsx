import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import type { Role } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'

const OF_TENANT: readonly Role[] = [
  'owner',
  'developer',
  'finance',
  'compliance',
  'support',
  'viewer',
]
const OF_OPERATOR: readonly Role[] = ['operator_owner', 'operator_compliance', 'operator_support']

/** The roles of the member's own team. */
function useRoles(): readonly Role[] {
  const { data: session } = useSession()
  return session?.role.startsWith('operator_') ? OF_OPERATOR : OF_TENANT
}

/** Operations that each role may do, in words; docs/roles.md has every operation. */
export function Roles() {
  const { t } = useTranslation()
  return (
    <Panel title={t('team.roles')}>
      <Facts isWide rows={useRoles().map((role) => [t(`roles.${role}`), t(`team.may.${role}`)])} />
    </Panel>
  )
}

type RoleFieldProps = { value: Role; onChange: (role: Role) => void }

export function RoleField({ value, onChange }: RoleFieldProps) {
  const { t } = useTranslation()
  const roles = useRoles()
  const take = (text: string) => onChange(roles.find((role) => role === text) ?? value)
  return (
    <NativeSelect
      label={t('team.role')}
      description={t(`team.may.${value}`)}
      value={value}
      data={roles.map((role) => ({ value: role, label: t(`roles.${role}`) }))}
      onChange={({ currentTarget }) => take(currentTarget.value)}
    />
  )
}
