import { useTranslation } from 'react-i18next'
import { Page } from '../../parts/page.tsx'
import { Invitations } from './invitations.tsx'
import { Invite } from './invite.tsx'
import { Members } from './members.tsx'
import { Roles } from './roles.tsx'

/** Members of the organization, and their roles (D-137, D-139). */
export function Team() {
  const { t } = useTranslation()
  return (
    <Page name="team" lead={t('team.lead')} actions={<Invite />}>
      <Members />
      <Invitations />
      <Roles />
    </Page>
  )
}
