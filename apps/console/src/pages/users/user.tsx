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
import { LinkedUsers } from '../../parts/person/linked_users.tsx'
import { nameOfUser } from '../../parts/person/name.ts'
import { StatusChanges } from '../../parts/person/status_changes.tsx'
import { FurtherFacts, UserFacts } from '../../parts/person/user_facts.tsx'
import { TransactionTable } from '../../parts/transaction_table.tsx'
import { Code } from '../../parts/values.tsx'
import { Identifications } from './identifications.tsx'
import { Kyc } from './kyc.tsx'
import { UserActions } from './status.tsx'

const readUser = (id: string) => answered(issuing.users.get(id))
const SHOWN = 10

/** One user: checks and documents, the latest transactions, and what has changed. */
export function UserPage() {
  return (
    <ObjectPage name="users" read={readUser}>
      {(user) => <Loaded key={user.id} user={user} />}
    </ObjectPage>
  )
}

function Loaded({ user }: { user: User }) {
  // A user that is not ACTIVE needs its checks next.
  const isActive = user.status === 'ACTIVE'
  return (
    <Page
      name="users"
      title={<bdi>{nameOfUser(user) || user.id}</bdi>}
      status={user.status}
      lead={<Code>{user.id}</Code>}
      actions={<UserActions user={user} />}
    >
      <Columns
        facts={
          <>
            <UserFacts user={user} />
            <Belongings user={user} />
            <FurtherFacts user={user} />
          </>
        }
      >
        {isActive && <Latest user={user} />}
        <Identifications user={user} />
        {user.user_type === 'INDIVIDUAL' && <Kyc user={user} />}
        {!isActive && <Latest user={user} />}
        <LinkedUsers person={{ user }} to={({ id }) => `/users/${id}`} />
        <StatusChanges person={{ user }} />
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
      return answered(issuing.transactions.list(query))
    },
  })
  return (
    <Panel title={t('home.recent')} flush>
      <TransactionTable rows={data?.data} error={error} retry={refetch} expected={3} />
    </Panel>
  )
}

/** Links to the user's cards and accounts, and to its parent. */
function Belongings({ user: { id, parent_user_id } }: { user: User }) {
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
          [t('pages.cards'), link(`/cards?user_id=${id}`, t('users.cards'))],
          [t('pages.accounts'), link(`/accounts?user_id=${id}`, t('users.accounts'))],
          [
            t('reviews.parent'),
            parent_user_id && link(`/users/${parent_user_id}`, t('reviews.parent_link')),
          ],
        ]}
      />
    </Panel>
  )
}
