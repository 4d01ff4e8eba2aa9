import { IconChecklist } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { tenantChoices } from '../../api/tenants.ts'
import type { Review } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterSelect, Filters } from '../../parts/filters.tsx'
import { KeysHelp } from '../../parts/keys_help.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { nameOfUser } from '../../parts/person/name.ts'
import { USER_TYPES } from '../../parts/person/person.ts'
import { useRowKeys } from '../../parts/row_keys.ts'
import { Code, Status, When } from '../../parts/values.tsx'
import { addressOf, readQueue, useQueueFilters, useTenants } from './queue_data.ts'
import { useListKeys } from './shortcuts.ts'

/** Statuses that users of the queue have. */
const STATUSES = ['PENDINGKYB', 'PENDINGKYC', 'SUSPENDED'] as const

type Row = Review & { id: string }

/** Two tenants may have chosen one id. */
const rowOf = (review: Review): Row => ({
  ...review,
  id: `${review.tenant_id}:${review.user.id}`,
})

/** The users of all tenants that await compliance. */
export function Queue() {
  const { t } = useTranslation()
  const { values, set } = useQueueFilters()
  const { tenants } = useTenants()
  const columns = useColumns()
  const keys = useListKeys()
  const rows = useRowKeys()
  const read = async (after: string | undefined) => {
    const page = await readQueue(values, after)
    return { ...page, data: page.data.map(rowOf) }
  }
  return (
    <Page name="reviews" lead={t('reviews.lead')} actions={<KeysHelp groups={keys} />}>
      <Panel title={t('reviews.queue')} flush>
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
          <FilterSelect
            label={t('reviews.tenant')}
            value={values.tenant_id}
            onChange={(value) => set('tenant_id', value)}
            all={t('filters.all')}
            data={tenantChoices(tenants)}
          />
        </Filters>
        <div ref={rows}>
          <Paged
            label={t('reviews.queue')}
            queryKey={['reviews', 'pages', values]}
            read={read}
            columns={columns}
            to={(review) => addressOf(review, values)}
            expected={8}
            filters={values}
            empty={
              <Empty icon={IconChecklist} title={t('reviews.none')} text={t('reviews.none_text')} />
            }
          />
        </div>
      </Panel>
    </Page>
  )
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation()
  const { nameOf } = useTenants()
  return [
    { title: t('fields.name'), cell: ({ user }) => <bdi>{nameOfUser(user) || user.id}</bdi> },
    { title: t('reviews.tenant'), cell: ({ tenant_id }) => <bdi>{nameOf(tenant_id)}</bdi> },
    { title: t('fields.type'), cell: ({ user }) => <Code>{user.user_type}</Code> },
    { title: t('fields.status'), cell: ({ user }) => <Status>{user.status}</Status> },
    {
      title: t('reviews.documents'),
      cell: ({ identifications }) => identifications.length,
      isFigure: true,
    },
    {
      title: t('reviews.open_kyc'),
      cell: ({ kyc_requests }) => kyc_requests.length,
      isFigure: true,
    },
    { title: t('reviews.since'), cell: ({ user }) => <When at={user.modified} /> },
  ]
}
