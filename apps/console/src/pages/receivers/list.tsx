import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import type { WebhookReceiver } from '../../api/types.ts'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import { useReceivers } from './read.ts'

/** Receivers of the sandbox; nothing if there is none. */
export function ReceiverList() {
  const { t } = useTranslation()
  const may = useMay()
  const { data } = useReceivers(may('listWebhookReceivers'))
  const columns: Column<WebhookReceiver>[] = [
    {
      title: t('receiver.address'),
      cell: ({ url }) => <Code isLong>{new URL(url).pathname}</Code>,
    },
    {
      title: t('receiver.answers'),
      cell: ({ answer_status: status, delay_ms: ms }) =>
        ms === 0 ? <Code>{String(status)}</Code> : <Code>{`${status} · ${ms} ms`}</Code>,
    },
    {
      title: t('receiver.received'),
      isFigure: true,
      cell: ({ received }) => String(received),
    },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
  ]
  if (!data || data.data.length === 0) return null
  return (
    <Panel title={t('receiver.list')} flush>
      <Listing
        label={t('receiver.list')}
        columns={columns}
        rows={data.data}
        isNamed
        to={({ id }) => `/webhooks/receivers/${id}`}
        empty={null}
      />
    </Panel>
  )
}
