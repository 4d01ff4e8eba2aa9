import { useTranslation } from 'react-i18next'
import type { Reconciliation } from '../../api/types.ts'
import { type Column, Listing } from '../../parts/listing.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { countText } from '../../parts/values.tsx'
import { Amount } from './amount.tsx'
import { ObjectOf } from './object_of.tsx'
import styles from './reconciliation.module.css'

type Files = Reconciliation['files']
type Row = Files[number] & { id: string }
type Difference = Reconciliation['file_differences'][number] & { id: string }

const PARTS = ['records', 'posted', 'fees', 'suspense', 'resolved', 'waiting'] as const

/** The clearing files of the day: the parts of each are together its records. */
export function FilesPanel({ files }: { files: Files }) {
  const { t } = useTranslation()
  const file: Column<Row> = {
    title: t('operator.reconciliation.file'),
    cell: ({ clearing_id, file: name }) => (
      <ObjectLink to={`/clearings/${clearing_id}`}>
        <bdi dir="ltr">{name ?? clearing_id}</bdi>
      </ObjectLink>
    ),
  }
  const parts = PARTS.map(
    (part): Column<Row> => ({
      title: t(`operator.reconciliation.parts.${part}`),
      isFigure: true,
      cell: ({ [part]: { count, amount }, currency }) => (
        <span className={styles['sum']}>
          <span className={styles['count']}>{countText(count)}</span>
          <Amount amount={amount} currency={currency} />
        </span>
      ),
    }),
  )
  const title = t('operator.reconciliation.files')
  const rows = files.map((one) => ({
    ...one,
    id: `${one.clearing_id} ${one.tenant_id} ${one.currency}`,
  }))
  return (
    <Panel title={title} flush>
      <Listing label={title} rows={rows} columns={[file, ...parts]} empty={null} />
    </Panel>
  )
}

/** The first ones: the rest is in the file. */
export function FileDifferences({ report }: { report: Reconciliation }) {
  const { t } = useTranslation()
  const { file_differences, file_differences_count: all } = report
  const title = t('operator.reconciliation.file_differences')
  const rows = file_differences.map((one, at) => ({ ...one, id: String(at) }))
  const columns: Column<Difference>[] = [
    {
      title: t('operator.reconciliation.what'),
      cell: ({ kind, detail }) => (
        <span className={styles['what']}>
          <strong>{t(`operator.reconciliation.file_kinds.${kind}`)}</strong>
          <bdi dir="ltr">{detail}</bdi>
        </span>
      ),
    },
    {
      title: t('operator.reconciliation.transaction'),
      cell: ({ tenant_id, transaction_id }) =>
        transaction_id === undefined ? (
          '–'
        ) : (
          <ObjectOf tenant_id={tenant_id} to={`/transactions/${transaction_id}`}>
            {t('operator.reconciliation.transaction')}
          </ObjectOf>
        ),
    },
  ]
  return (
    <Panel title={title} flush>
      <Listing label={title} rows={rows} columns={columns} empty={null} />
      {all > rows.length && (
        <p className={styles['more']}>
          {t('operator.reconciliation.more', { n: countText(all - rows.length) })}
        </p>
      )}
    </Panel>
  )
}
