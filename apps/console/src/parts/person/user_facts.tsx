import { useTranslation } from 'react-i18next'
import type { User } from '../../api/types.ts'
import { Facts } from '../facts.tsx'
import { Panel } from '../panel.tsx'
import { Code, Day, When } from '../values.tsx'
import { nameOfUser } from './name.ts'
import { StateOfUser } from './state.tsx'

/** Members that have a line of their own; every other one is shown under its name in the API. */
const NAMED: readonly (keyof User)[] = [
  'id',
  'user_type',
  'status',
  'status_reason_code',
  'first_name',
  'middle_name',
  'last_name',
  'native_name',
  'business_legal_name',
  'date_of_birth',
  'nationality',
  'email',
  'mobile',
  'address',
  'parent_user_id',
  'default_user',
  'kyc_policy_passed',
  'director_list',
  'signature_list',
  'shareholder_list',
  'created',
  'modified',
]

/** The person or company as described by the tenant. Documents are compared with this. */
export function UserFacts({ user }: { user: User }) {
  const { t } = useTranslation()
  const { mobile, status, status_reason_code: reason, kyc_policy_passed: passed } = user
  return (
    <Panel title={t(user.user_type === 'BUSINESS' ? 'reviews.company' : 'reviews.person')}>
      <Facts
        rows={[
          [t('fields.name'), <bdi key="name">{nameOfUser(user)}</bdi>],
          [
            t('reviews.native_name'),
            user.native_name && <bdi key="native">{user.native_name}</bdi>,
          ],
          [t('fields.status'), <StateOfUser key="state" status={status} reason={reason} />],
          [t('fields.type'), <Code key="type">{user.user_type}</Code>],
          [t('users.born'), user.date_of_birth && <Day key="born" at={user.date_of_birth} />],
          [
            t('users.nationality'),
            user.nationality && <Code key="nation">{user.nationality}</Code>,
          ],
          [t('account.email'), user.email && <bdi key="email">{user.email}</bdi>],
          [t('users.mobile'), mobile && <Code key="mobile">{mobile}</Code>],
          [t('reviews.address'), user.address && <bdi key="address">{lineOf(user.address)}</bdi>],
          [t('reviews.policy'), passed && <Code key="passed">{passed}</Code>],
          [t('fields.created'), <When key="created" at={user.created} />],
          [t('fields.modified'), <When key="modified" at={user.modified} />],
        ]}
      />
    </Panel>
  )
}

/** The fields that have no line above, under their names of the API. */
export function FurtherFacts({ user }: { user: User }) {
  const { t } = useTranslation()
  const rows = Object.entries(user)
    .filter(([name]) => !NAMED.some((named) => named === name))
    .flatMap(([name, value]) => partsOf(name, value))
  if (rows.length === 0) return null
  return (
    <Panel title={t('reviews.further')}>
      <Facts rows={rows.map(([name, text]) => [name, <bdi key={name}>{text}</bdi>])} />
    </Panel>
  )
}

const lineOf = (address: object): string => Object.values(address).filter(Boolean).join(', ')

function partsOf(name: string, value: unknown): [name: string, text: string][] {
  if (typeof value !== 'object' || value === null) return [[name, String(value)]]
  return Object.entries(value).flatMap(([member, part]) => partsOf(`${name}.${member}`, part))
}
