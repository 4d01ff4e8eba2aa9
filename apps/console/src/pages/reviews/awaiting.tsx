import { IconChecklist } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { User } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterSelect, Filters, type FilterValues, useFilters } from '../../parts/filters.tsx'
import { KeysHelp } from '../../parts/keys_help.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { nameOfUser } from '../../parts/person/name.ts'
import { USER_STATUSES, USER_TYPES } from '../../parts/person/person.ts'
import { StateOfUser } from '../../parts/person/state.tsx'
import { useRowKeys } from '../../parts/row_keys.ts'
import { Code, When } from '../../parts/values.tsx'
import { useListKeys } from './shortcuts.ts'

/** Statuses in which a check can be open. */
const STATUSES = USER_STATUSES.filter((status) => status !== 'TERMINATED')

type Values = FilterValues<'status' | 'user_type'>

function read({ status, user_type }: Values, after: string | undefined) {
  const chosen = {
    status: STATUSES.find((one) => one === status),
    user_type: USER_TYPES.find((one) => one === user_type),
  }
  const query = {
    awaits_checks: true,
    ...(chosen.status && { status: chosen.status }),
    ...(chosen.user_type && { user_type: chosen.user_type }),
    ...(after !== undefined && { after }),
  }
  return answered(issuing.users.list(query))
}

/** The users of the tenant whose checks are open; each is worked on at its own page. */
export function Awaiting() {
  const { t } = useTranslation()
  const { values, set } = useFilters(['status', 'user_type'])
  const keys = useListKeys()
  const rows = useRowKeys()
  const columns: Column<User>[] = [
    { title: t('fields.name'), cell: (user) => <bdi>{nameOfUser(user) || user.id}</bdi> },
    { title: t('fields.type'), cell: ({ user_type }) => <Code>{user_type}</Code> },
    {
      title: t('fields.status'),
      cell: ({ status, status_reason_code: reason }) => (
        <span>
          <StateOfUser status={status} reason={reason} />
        </span>
      ),
    },
    { title: t('reviews.since'), cell: ({ modified }) => <When at={modified} /> },
  ]
  return (
    <Page name="reviews" lead={t('reviews.own_lead')} actions={<KeysHelp groups={keys} />}>
      <Panel title={t('reviews.own')} flush>
        <Filters>
          <FilterSelect
            label={t('fields.status')}
            value={values.status}
            onChange={(value) => set('status', value)}
            all={t('filters.all')}
            data={STATUSES}
          />
          <FilterSelect
            label={t('fields.type')}
            value={values.user_type}
            onChange={(value) => set('user_type', value)}
            all={t('filters.all')}
            data={USER_TYPES}
          />
        </Filters>
        <div ref={rows}>
          <Paged
            label={t('reviews.own')}
            queryKey={['users', 'awaiting', values]}
            read={(after) => read(values, after)}
            columns={columns}
            to={({ id }) => `/users/${id}`}
            expected={8}
            filters={values}
            empty={
              <Empty
                icon={IconChecklist}
                title={t('reviews.own_none')}
                text={t('reviews.own_none_text')}
              />
            }
          />
        </div>
      </Panel>
    </Page>
  )
}
