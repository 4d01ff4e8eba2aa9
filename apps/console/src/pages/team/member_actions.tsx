import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import { useMay, useSession } from '../../api/session.ts'
import type { Member } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { KeysOfMember } from './keys_of_member.tsx'
import { RoleField } from './roles.tsx'

type OfMember = { member: Member }

export function ChangeRole({ member: { id, email, role: present } }: OfMember) {
  const { t } = useTranslation()
  const [role, setRole] = useState(present)
  const [revoke_keys, setRevoke] = useState(true)
  const isLess = role !== present && !role.endsWith('owner')
  const body = { role, ...(isLess && { revoke_keys }) }
  return (
    <Act
      label={t('team.change_role')}
      of={email}
      text={t('team.change_role_text')}
      act={() => answered(portal.team.updateMember(id, body))}
    >
      <RoleField value={role} onChange={setRole} />
      {isLess && <KeysOfMember id={id} isRevoked={revoke_keys} onChange={setRevoke} hasNewRole />}
    </Act>
  )
}

export function Remove({ member: { id, email } }: OfMember) {
  const { t } = useTranslation()
  const [revoke_keys, setRevoke] = useState(true)
  return (
    <Act
      label={t('team.remove')}
      of={email}
      text={t('team.remove_text', { email })}
      act={() => answered(portal.team.deleteMember(id, { revoke_keys }))}
      isDangerous
    >
      <KeysOfMember id={id} isRevoked={revoke_keys} onChange={setRevoke} />
    </Act>
  )
}

/** Resets the factors of a member who has lost one, or has an intruder's (D-1001). */
export function ResetFactors({ member: { id, email, second_factor } }: OfMember) {
  const { t } = useTranslation()
  const may = useMay()
  const { data: session } = useSession()
  if (!second_factor || !may('resetMemberFactors') || session?.member.id === id) return null
  return (
    <Act
      label={t('team.reset_factors')}
      of={email}
      text={t('team.reset_factors_text', { email })}
      act={() => answered(portal.team.resetMemberFactors(id))}
      isDangerous
    />
  )
}
