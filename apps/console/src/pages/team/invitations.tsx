import { IconMail } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Invitation } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { When } from '../../parts/values.tsx'

const read = (after: string | undefined) => {
  const query = after === undefined ? {} : { after }
  return answered(portal.team.listInvitations(query))
}

/** Persons who were invited and have not joined yet. */
export function Invitations() {
  const { t } = useTranslation()
  const may = useMay()
  const columns: Column<Invitation>[] = [
    { title: t('account.email'), cell: ({ email }) => <bdi>{email}</bdi> },
    { title: t('team.role'), cell: ({ role }) => t(`roles.${role}`) },
    { title: t('team.invited'), cell: ({ created }) => <When at={created} /> },
    { title: t('fields.expires'), cell: ({ expires }) => <When at={expires} /> },
  ]
  const withdraw = (invitation: Invitation) => <Withdraw invitation={invitation} />
  if (!may('listInvitations')) return null
  return (
    <Panel title={t('team.invitations')} flush>
      <Paged
        label={t('team.invitations')}
        queryKey={['invitations']}
        read={read}
        columns={
          may('deleteInvitation')
            ? [...columns, { title: t('team.actions'), cell: withdraw, isAction: true }]
            : columns
        }
        isNamed
        expected={1}
        empty={
          <Empty
            icon={IconMail}
            title={t('team.none_invited')}
            text={t('team.none_invited_text')}
            isSmall
          />
        }
      />
    </Panel>
  )
}

function Withdraw({ invitation: { id, email } }: { invitation: Invitation }) {
  const { t } = useTranslation()
  return (
    <Act
      label={t('team.withdraw')}
      of={email}
      text={t('team.withdraw_text', { email })}
      act={() => answered(portal.team.deleteInvitation(id))}
      isDangerous
    />
  )
}
