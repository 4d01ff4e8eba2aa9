import { IconUsers } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { User } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import {
  FilterSelect,
  Filters,
  FilterText,
  type FilterValues,
  useFilters,
} from '../../parts/filters.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { nameOfUser } from '../../parts/person/name.ts'
import { USER_STATUSES, USER_TYPES } from '../../parts/person/person.ts'
import { Code, Status, When } from '../../parts/values.tsx'
import { CreateUser } from './create_user.tsx'

const CSV: readonly CsvColumn<User>[] = [
  ['id', ({ id }) => id],
  ['name', nameOfUser],
  ['type', ({ user_type }) => user_type],
  ['status', ({ status }) => status],
  ['email', ({ email }) => email],
  ['created', ({ created }) => created],
]

const NAMES = ['status', 'user_type', 'find'] as const
type Values = FilterValues<(typeof NAMES)[number]>

const SEARCH_LENGTH = 200

/** The search comes first: that operation of the API has no other filters. */
function read({ status, user_type, find }: Values, after: string | undefined) {
  const page = after === undefined ? {} : { after }
  if (find !== undefined) {
    const sought = find.includes('@') ? { email: find } : { name: find }
    return answered(issuing.users.search({ ...sought, ...page }))
  }
  const chosen = {
    status: USER_STATUSES.find((one) => one === status),
    user_type: USER_TYPES.find((one) => one === user_type),
  }
  const query = {
    ...page,
    ...(chosen.status && { status: chosen.status }),
    ...(chosen.user_type && { user_type: chosen.user_type }),
  }
  return answered(issuing.users.list(query))
}

/** The people and companies that hold cards. */
export function Users() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const readPage = (after: string | undefined) => read(values, after)
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
          <ExportCsv name="users" columns={CSV} read={readPage} />
          <CreateUser />
        </>
      }
    >
      <Panel title={t('users.all')} flush>
        <UserFilters values={values} set={set} />
        <Paged
          label={t('pages.users')}
          queryKey={['users', 'list', values]}
          read={readPage}
          columns={columns}
          to={({ id }) => `/users/${id}`}
          expected={10}
          filters={values}
          empty={<Empty icon={IconUsers} title={t('users.none')} text={t('users.none_text')} />}
        />
      </Panel>
    </Page>
  )
}

type UserFiltersProps = { values: Values; set: (name: keyof Values, value: string) => void }

function UserFilters({ values, set }: UserFiltersProps) {
  const { t } = useTranslation()
  const isSought = values.find !== undefined
  return (
    <Filters>
      <FilterText
        label={t('reviews.find')}
        value={values.find}
        maxLength={SEARCH_LENGTH}
        onChange={(value) => set('find', value)}
      />
      <FilterSelect
        label={t('fields.status')}
        isOff={isSought}
        value={isSought ? '' : values.status}
        onChange={(value) => set('status', value)}
        all={t('filters.all')}
        data={USER_STATUSES}
      />
      <FilterSelect
        label={t('fields.type')}
        isOff={isSought}
        value={isSought ? '' : values.user_type}
        onChange={(value) => set('user_type', value)}
        all={t('filters.all')}
        data={USER_TYPES}
      />
    </Filters>
  )
}
