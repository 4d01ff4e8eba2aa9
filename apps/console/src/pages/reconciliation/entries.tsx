import { useTranslation } from 'react-i18next'
import type { Reconciliation } from '../../api/types.ts'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, countText, utcText } from '../../parts/values.tsx'
import { Amount } from './amount.tsx'
import { ObjectOf } from './object_of.tsx'
import styles from './reconciliation.module.css'

type Difference = Reconciliation['differences'][number]
type Open = Reconciliation['open'][number]
type Entry = Omit<Difference, 'kind'> & { id: string; name: string } & Shown
/** Whether the sides differ in their days, and whether one that is absent may still come. */
type Shown = { isOfDays: boolean; isOpen: boolean }
type Side = Difference['orders']

export function Differences({ report }: { report: Reconciliation }) {
  const { t } = useTranslation()
  const { differences, differences_count: all } = report
  const rows = differences.map((one, at) => ({
    ...rowOf(one, at),
    name: t(`operator.reconciliation.kinds.${one.kind}`),
    isOfDays: one.kind === 'other_day',
    isOpen: false,
  }))
  return <Entries title={t('operator.reconciliation.differences')} rows={rows} all={all} />
}

export function OpenEntries({ report }: { report: Reconciliation }) {
  const { t } = useTranslation()
  const { open, open_count: all } = report
  const rows = open.map((one, at) => ({
    ...rowOf(one, at),
    name: t(`operator.reconciliation.reasons.${one.reason}`),
    isOfDays: one.reason === 'over_midnight',
    isOpen: true,
  }))
  return <Entries title={t('operator.reconciliation.open')} rows={rows} all={all} />
}

const rowOf = <One extends Difference | Open>(one: One, at: number) => ({ ...one, id: String(at) })

type EntriesProps = { title: string; rows: readonly Entry[]; all: number }

/** The first ones: the rest is in the file. */
function Entries({ title, rows, all }: EntriesProps) {
  const { t } = useTranslation()
  return (
    <Panel title={title} flush>
      <Listing label={title} rows={rows} columns={useEntryColumns()} empty={null} />
      {all > rows.length && (
        <p className={styles['more']}>
          {t('operator.reconciliation.more', { n: countText(all - rows.length) })}
        </p>
      )}
    </Panel>
  )
}

function useEntryColumns(): Column<Entry>[] {
  const { t } = useTranslation()
  const side = (book: 'orders' | 'acquirer' | 'issuer'): Column<Entry> => ({
    title: t(`operator.reconciliation.sides.${book}`),
    isFigure: true,
    cell: ({ [book]: one, isOfDays, isOpen }) => <SideOf side={one} {...{ isOfDays, isOpen }} />,
  })
  return [
    {
      title: t('operator.reconciliation.what'),
      cell: ({ name, entry }) => (
        <span className={styles['what']}>
          <strong>{name}</strong>
          <span>{t(`operator.reconciliation.entries.${entry}`)}</span>
        </span>
      ),
    },
    ...(['orders', 'acquirer', 'issuer'] as const).map(side),
    { title: t('operator.reconciliation.objects'), cell: (entry) => <Objects entry={entry} /> },
  ]
}

function SideOf({ side, isOfDays, isOpen }: Shown & { side: Side }) {
  const { t } = useTranslation()
  if (!side && isOpen) return '–'
  if (!side) return <span className={styles['absent']}>{t('operator.reconciliation.absent')}</span>
  const { amount, currency, time } = side
  return (
    <span className={styles['side']}>
      <Amount amount={amount} currency={currency} />
      {isOfDays && (
        <time dateTime={time} dir="ltr">
          {utcText(time)}
        </time>
      )}
    </span>
  )
}

/** The pages of the order and of the transaction, which belong to their tenants. */
function Objects({ entry }: { entry: Entry }) {
  const { t } = useTranslation()
  const { entry: kind, order_reference, issuer, rrn, tenant_id } = entry
  return (
    <span className={styles['objects']}>
      {order_reference !== undefined && (
        <ObjectOf tenant_id={tenant_id} to={`/orders/${encodeURIComponent(order_reference)}`}>
          <bdi dir="ltr">{order_reference}</bdi>
        </ObjectOf>
      )}
      {issuer && (
        <ObjectOf
          tenant_id={issuer.tenant_id}
          to={`/${kind === 'CHARGEBACK' ? 'disputes' : 'transactions'}/${issuer.id}`}
        >
          {t(`operator.reconciliation.${kind === 'CHARGEBACK' ? 'dispute' : 'transaction'}`)}
        </ObjectOf>
      )}
      {rrn !== undefined && <Code>{rrn}</Code>}
    </span>
  )
}
