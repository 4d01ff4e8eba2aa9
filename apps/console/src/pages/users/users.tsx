import { IconUsers } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { User } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status, When } from '../../parts/values.tsx'
import { CreateUser } from './create_user.tsx'
import { nameOfUser } from './name.ts'

const CSV: readonly CsvColumn<User>[] = [
  ['id', ({ id }) => id],
  ['name', nameOfUser],
  ['type', ({ user_type }) => user_type],
  ['status', ({ status }) => status],
  ['email', ({ email }) => email],
  ['created', ({ created }) => created],
]

const read = (after: string | undefined) => {
  const query = after === undefined ? {} : { after }
  return answered(issuing.GET('/users', { params: { query } }))
}

/** The people and companies that hold cards. */
export function Users() {
  const { t } = useTranslation()
  const columns: Column<User>[] = [
    { title: t('fields.name'), cell: (user) => <bdi>{nameOfUser(user) || user.id}</bdi> },
    { title: t('fields.type'), cell: ({ user_type }) => <Code>{user_type}</Code> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    { title: t('account.email'), cell: ({ email }) => email && <bdi>{email}</bdi> },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
  ]
  return (
    <Page
      name="users"
      lead={t('users.lead')}
      actions={
        <>
          <ExportCsv name="users" columns={CSV} read={read} />
          <CreateUser />
        </>
      }
    >
      <Panel title={t('users.all')} flush>
        <Paged
          label={t('pages.users')}
          queryKey={['users', 'list']}
          read={read}
          columns={columns}
          to={({ id }) => `/users/${id}`}
          expected={10}
          empty={<Empty icon={IconUsers} title={t('users.none')} text={t('users.none_text')} />}
        />
      </Panel>
    </Page>
  )
}
