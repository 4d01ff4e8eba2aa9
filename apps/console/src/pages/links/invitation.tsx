import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import { Entrance } from '../../parts/entrance.tsx'
import { NewPassword } from './new_password.tsx'
import { useToken } from './token.ts'

/** Joins a team by the link of an invitation (D-139). */
export function InvitationPage() {
  const { t } = useTranslation()
  const token = useToken()
  const navigate = useNavigate()
  const accept = (password: string) => answered(portal.team.acceptInvitation({ token, password }))
  const goOn = () => navigate({ to: '/home' })
  return (
    <Entrance name="invitation" lead={t('mailed.invitation_lead')}>
      <NewPassword submit={t('mailed.join')} act={accept} onDone={goOn} />
    </Entrance>
  )
}
