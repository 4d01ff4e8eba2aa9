import { IconSend } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Delivery } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterSelect, Filters, useFilters } from '../../parts/filters.tsx'
import { KINDS } from '../../parts/issuing/event_kinds.ts'
import type { Column } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status, When } from '../../parts/values.tsx'

const NAMES = ['status', 'event'] as const
const STATUSES = ['PENDING', 'RETRYING', 'DELIVERED', 'EXPIRED']

/** What was sent to one webhook, newest first. */
export function Deliveries({ webhook_id }: { webhook_id: string }) {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const columns = useDeliveryColumns()
  const read = (after: string | undefined) => {
    const query = { ...values, ...(after !== undefined && { after }) } as object
    const params = { path: { id: webhook_id }, query }
    return answered(issuing.GET('/webhooks/{id}/deliveries', { params }))
  }
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
          data={[...KINDS, 'PING']}
          value={values.event}
          onChange={(value) => set('event', value)}
        />
      </Filters>
      <Paged
        label={t('webhooks.deliveries')}
        queryKey={['webhooks', webhook_id, 'deliveries', values]}
        read={read}
        columns={columns}
        to={({ id }) => `/deliveries/${id}`}
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

function useDeliveryColumns(): Column<Delivery>[] {
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
