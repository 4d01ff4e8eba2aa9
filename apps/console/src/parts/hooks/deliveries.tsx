import { IconSend } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ListPage } from '../../api/types.ts'
import { Empty } from '../empty.tsx'
import { FilterSelect, Filters, type FilterValues, useFilters } from '../filters.tsx'
import type { Column } from '../listing.tsx'
import { Paged } from '../paged.tsx'
import { Panel } from '../panel.tsx'
import { Code, Status, When } from '../values.tsx'
import type { HookDelivery } from './hook.ts'

const NAMES = ['status', 'event'] as const
const STATUSES = ['PENDING', 'RETRYING', 'DELIVERED', 'EXPIRED']

export type DeliveryFilters = FilterValues<(typeof NAMES)[number]>

type DeliveriesProps = {
  /** The key of the query, beside the filters. */
  queryKey: readonly unknown[]
  /** Kinds of events that may have been sent. */
  kinds: readonly string[]
  read: (filters: DeliveryFilters, after: string | undefined) => Promise<ListPage<HookDelivery>>
  to: (delivery: HookDelivery) => string
}

/** Deliveries to one server, newest first. */
export function Deliveries({ queryKey, kinds, read, to }: DeliveriesProps) {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  return (
    <Panel title={t('webhooks.deliveries')} flush>
      <Filters>
        <FilterSelect
          label={t('fields.status')}
          all={t('filters.all')}
          data={STATUSES}
          value={values.status}
          onChange={(value) => set('status', value)}
        />
        <FilterSelect
          label={t('events.kind')}
          all={t('filters.all')}
          data={[...kinds, 'PING']}
          value={values.event}
          onChange={(value) => set('event', value)}
        />
      </Filters>
      <Paged
        label={t('webhooks.deliveries')}
        queryKey={[...queryKey, 'deliveries', values]}
        read={(after) => read(values, after)}
        columns={useDeliveryColumns()}
        isNamed
        to={to}
        filters={values}
        empty={
          <Empty
            icon={IconSend}
            title={t('webhooks.no_deliveries')}
            text={t('webhooks.no_deliveries_text')}
          />
        }
      />
    </Panel>
  )
}

function useDeliveryColumns(): Column<HookDelivery>[] {
  const { t } = useTranslation()
  return [
    { title: t('events.kind'), cell: ({ event }) => <Code>{event}</Code> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    {
      title: t('webhooks.answer'),
      cell: ({ response_status, error }) => (
        <Code>{response_status === undefined ? (error ?? '–') : String(response_status)}</Code>
      ),
    },
    { title: t('webhooks.attempts'), isFigure: true, cell: ({ attempts }) => String(attempts) },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
  ]
}
