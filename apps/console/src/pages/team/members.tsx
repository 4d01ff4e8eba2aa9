import { IconUsers } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import { useMay, useSession } from '../../api/session.ts'
import type { Member } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { When } from '../../parts/values.tsx'
import { ChangeRole, Remove, ResetFactors } from './member_actions.tsx'
import styles from './team.module.css'

const read = (after: string | undefined) => {
  const query = after === undefined ? {} : { after }
  return answered(portal.team.listMembers(query))
}

export function Members() {
  const { t } = useTranslation()
  return (
    <Panel title={t('team.members')} flush>
      <Paged
        label={t('team.members')}
        queryKey={['members']}
        read={read}
        columns={useMemberColumns()}
        isNamed
        empty={<Empty icon={IconUsers} title={t('team.alone')} text={t('team.alone_text')} />}
      />
    </Panel>
  )
}

function useMemberColumns(): Column<Member>[] {
  const { t } = useTranslation()
  const may = useMay()
  const columns: Column<Member>[] = [
    { title: t('account.email'), cell: (member) => <Name member={member} /> },
    { title: t('team.role'), cell: ({ role }) => t(`roles.${role}`) },
    {
      title: t('team.second_factor'),
      cell: ({ second_factor }) => (second_factor ? t('team.set_up') : t('team.not_set_up')),
    },
    { title: t('team.joined'), cell: ({ created }) => <When at={created} /> },
  ]
  if (!may('updateMember')) return columns
  const change = (member: Member) => (
    <div className={styles['actions']}>
      <ChangeRole member={member} />
      <ResetFactors member={member} />
      <Remove member={member} />
    </div>
  )
  return [...columns, { title: t('team.actions'), cell: change, isAction: true }]
}

function Name({ member: { id, email } }: { member: Member }) {
  const { t } = useTranslation()
  const { data: session } = useSession()
  return (
    <span>
      <bdi>{email}</bdi>
      {session?.member.id === id && <span className={styles['me']}> {t('team.you')}</span>}
    </span>
  )
}
