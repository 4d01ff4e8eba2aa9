import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { User } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { History } from '../../parts/object/history.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { TransactionTable } from '../../parts/transaction_table.tsx'
import { Code, Status, When } from '../../parts/values.tsx'
import { nameOfUser } from './name.ts'

const readUser = (id: string) => answered(issuing.GET('/users/{id}', { params: { path: { id } } }))
const SHOWN = 10

/** One user, with the latest transactions and what has changed. */
export function UserPage() {
  return (
    <ObjectPage name="users" read={readUser}>
      {(user) => <Loaded key={user.id} user={user} />}
    </ObjectPage>
  )
}

function Loaded({ user }: { user: User }) {
  return (
    <Page
      name="users"
      title={<bdi>{nameOfUser(user) || user.id}</bdi>}
      lead={<Code>{user.id}</Code>}
    >
      <Columns facts={<UserFacts user={user} />}>
        <Latest user={user} />
        <History of={user.id} />
      </Columns>
    </Page>
  )
}

function Latest({ user: { id } }: { user: User }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['transactions', 'user', id],
    queryFn: () => {
      const query = { user_id: id, limit: SHOWN }
      return answered(issuing.GET('/transactions', { params: { query } }))
    },
  })
  return (
    <Panel title={t('home.recent')} flush>
      <TransactionTable rows={data?.data} error={error} retry={refetch} expected={3} />
    </Panel>
  )
}

function UserFacts({ user }: { user: User }) {
  const { t } = useTranslation()
  const link = (path: string, text: string) => (
    <ObjectLink key={path} to={path}>
      {text}
    </ObjectLink>
  )
  return (
    <Panel title={t('users.facts')}>
      <Facts
        rows={[
          [t('fields.status'), <Status key="status">{user.status}</Status>],
          [t('fields.type'), <Code key="type">{user.user_type}</Code>],
          [t('account.email'), user.email],
          [t('users.mobile'), user.mobile && <Code key="mobile">{user.mobile}</Code>],
          [t('users.born'), user.date_of_birth],
          [t('users.nationality'), user.nationality],
          [t('fields.created'), <When key="created" at={user.created} />],
          [t('fields.modified'), <When key="modified" at={user.modified} />],
          [t('pages.cards'), link(`/cards?user_id=${user.id}`, t('users.cards'))],
          [t('pages.accounts'), link(`/accounts?user_id=${user.id}`, t('users.accounts'))],
        ]}
      />
    </Panel>
  )
}
