import { IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { User } from '../../api/types.ts'
import { Empty } from '../empty.tsx'
import { type Column, Listing } from '../listing.tsx'
import { Panel } from '../panel.tsx'
import { Code, Status } from '../values.tsx'
import { nameOfUser } from './name.ts'
import { linkedUsersOf, type Person } from './person.ts'

type LinkedUsersProps = {
  person: Person
  /** The page of a linked user. */
  to: (user: User) => string
}

/** The directors, signatories and shareholders of a business, and whom a person answers for. */
export function LinkedUsers({ person, to }: LinkedUsersProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(linkedUsersOf(person))
  const columns: Column<User>[] = [
    { title: t('fields.name'), cell: (user) => <bdi>{nameOfUser(user) || user.id}</bdi> },
    { title: t('fields.type'), cell: ({ user_type }) => <Code>{user_type}</Code> },
    {
      title: t('reviews.share'),
      cell: ({ shares_percentage, designation }) =>
        shares_percentage ? <bdi dir="ltr">{shares_percentage}%</bdi> : designation,
    },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
  ]
  return (
    <Panel title={t('reviews.linked')} flush>
      <Listing
        label={t('reviews.linked')}
        columns={columns}
        rows={data}
        error={error}
        retry={refetch}
        expected={1}
        to={to}
        empty={
          <Empty
            icon={IconUsersGroup}
            title={t('reviews.no_linked')}
            text={t('reviews.no_linked_text')}
            isSmall
          />
        }
      />
    </Panel>
  )
}
