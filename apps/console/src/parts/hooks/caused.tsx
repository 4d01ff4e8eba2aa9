import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Transaction } from '../../api/types.ts'
import { type Column, Listing } from '../listing.tsx'
import { ObjectLink } from '../object_link.tsx'
import { Panel } from '../panel.tsx'
import { Code, Status, When } from '../values.tsx'
import styles from './hooks.module.css'

type Row = Awaited<ReturnType<typeof readCaused>>[number]

/** As many as one request answers. */
const SHOWN = 200
const SENDING_MS = 3000
/** A payment without a webhook is not looked at for ever. */
const LOOKS_MAX = 20

type CausedProps = {
  transaction: Transaction
  /** The region is half as wide as the page. */
  isNarrow?: boolean
}

/** Deliveries to webhooks about the payment, and their answers. */
export function Caused({ transaction, isNarrow = false }: CausedProps) {
  const { t } = useTranslation()
  const may = useMay()
  const { id, modified } = transaction
  const isOpen = may('listObjectDeliveries')
  const { data, error, refetch } = useQuery({
    queryKey: ['transactions', id, 'caused', modified],
    queryFn: () => readCaused(transaction),
    enabled: isOpen,
    refetchInterval: ({ state }) =>
      state.dataUpdateCount < LOOKS_MAX && isOpenEnded(state.data) && SENDING_MS,
  })
  const columns = useColumns(isNarrow)
  if (!isOpen) return null
  return (
    <Panel title={t('payment.caused')} flush>
      <Listing
        label={t('payment.caused')}
        columns={columns}
        rows={data}
        error={error}
        retry={refetch}
        expected={1}
        isNamed
        empty={<p className={styles['none']}>{t('payment.caused_none')}</p>}
      />
    </Panel>
  )
}

/** Deliveries are made after the event, and sent after that. */
const isOpenEnded = (rows: readonly Row[] = []): boolean =>
  rows.length === 0 || rows.some(({ status }) => status === 'PENDING')

function useColumns(isNarrow: boolean): Column<Row>[] {
  const { t } = useTranslation()
  const created: Column<Row> = {
    title: t('fields.created'),
    cell: (row) => <When at={row.created} />,
  }
  return [
    {
      title: t('payment.webhook'),
      cell: ({ endpoint }) => <Code isLong>{endpoint}</Code>,
    },
    { title: t('payment.event'), cell: ({ event }) => <Code>{event}</Code> },
    {
      title: t('payment.delivery'),
      cell: ({ id, status }) => (
        <ObjectLink to={`/deliveries/${id}`}>
          <Status>{status}</Status>
        </ObjectLink>
      ),
    },
    {
      title: t('payment.answer'),
      cell: ({ response_status, error = '–' }) => <Code>{String(response_status ?? error)}</Code>,
    },
    ...(isNarrow ? [] : [created]),
  ]
}

/** The newest deliveries about the payment; each message of it is one to each webhook. */
async function readCaused({ id }: Transaction) {
  const query = { object_id: id, limit: SHOWN }
  const { data } = await answered(issuing.webhooks.listObjectDeliveries(query))
  return data
}
