import { IconCircleCheck, IconGavel } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Dispute } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import {
  FilterDay,
  FilterSelect,
  Filters,
  type FilterValues,
  useFilters,
} from '../../parts/filters.tsx'
import { Listing } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { countText } from '../../parts/values.tsx'
import { useDisputeColumns } from './columns.tsx'
import { QUEUE_MOST, queue, STATUSES } from './data.ts'
import { reasonOf, useReasons } from './reason.ts'

const NAMES = ['status', 'reason', 'before'] as const
type Values = FilterValues<(typeof NAMES)[number]>

function read({ status, reason, before }: Values, after: string | undefined) {
  const chosen = { status: STATUSES.find((one) => one === status), reason: reasonOf(reason) }
  const query = {
    ...(chosen.status && { status: chosen.status }),
    ...(chosen.reason && { reason: chosen.reason }),
    ...(before !== undefined && { deadline_before: new Date(`${before}T00:00`).toISOString() }),
    ...(after !== undefined && { after }),
  }
  return answered(issuing.disputes.list(query))
}

const CSV: readonly CsvColumn<Dispute>[] = [
  ['id', ({ id }) => id],
  ['created', ({ created }) => created],
  ['status', ({ status }) => status],
  ['outcome', ({ outcome }) => outcome],
  ['reason', ({ reason }) => reason],
  ['reason_code', ({ reason_code }) => reason_code],
  ['amount', ({ amount }) => amount],
  ['currency', ({ currency }) => currency],
  ['deadline', ({ deadline }) => deadline],
  ['transaction_id', ({ transaction_id }) => transaction_id],
  ['card_id', ({ card_id }) => card_id],
]

/** The issuer's disputes: those that wait by their deadline, and all of them (D-1066). */
export function Disputes() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const columns = useDisputeColumns()
  const readPage = (after: string | undefined) => read(values, after)
  return (
    <Page
      name="disputes"
      lead={t('disputes.lead')}
      actions={<ExportCsv name="disputes" columns={CSV} read={readPage} />}
    >
      <Queue />
      <Panel title={t('disputes.all')} flush>
        <Search values={values} set={set} />
        <Paged
          label={t('pages.disputes')}
          queryKey={['disputes', 'list', values]}
          read={readPage}
          columns={columns}
          to={({ id }) => `/disputes/${id}`}
          filters={values}
          empty={
            <Empty icon={IconGavel} title={t('disputes.none')} text={t('disputes.none_text')} />
          }
        />
      </Panel>
    </Page>
  )
}

function Queue() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(queue)
  return (
    <Panel title={t('disputes.queue')} flush>
      <Listing
        label={t('disputes.queue')}
        columns={useDisputeColumns()}
        rows={data}
        error={error}
        retry={refetch}
        expected={2}
        to={({ id }) => `/disputes/${id}`}
        empty={
          <Empty
            isSmall
            icon={IconCircleCheck}
            title={t('disputes.queue_none')}
            text={t('disputes.queue_none_text')}
          />
        }
      />
      {data && data.length >= QUEUE_MOST && (
        <p>{t('disputes.queue_most', { n: countText(QUEUE_MOST) })}</p>
      )}
    </Panel>
  )
}

type SearchProps = { values: Values; set: (name: keyof Values, value: string) => void }

function Search({ values, set }: SearchProps) {
  const { t } = useTranslation()
  const taking = (name: keyof Values, label: string) => ({
    label,
    value: values[name],
    onChange: (value: string) => set(name, value),
  })
  return (
    <Filters>
      <FilterSelect
        all={t('filters.all')}
        data={STATUSES}
        {...taking('status', t('fields.status'))}
      />
      <FilterSelect
        all={t('filters.all')}
        data={useReasons()}
        {...taking('reason', t('disputes.reason'))}
      />
      <FilterDay {...taking('before', t('disputes.before'))} />
    </Filters>
  )
}
