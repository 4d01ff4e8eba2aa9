import { IconCircleCheck, IconFileInvoice } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import type { Clearing } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, countText, Status, When } from '../../parts/values.tsx'
import { ReconciliationTabs } from '../reconciliation/reconciliation_tabs.tsx'
import { countIn, QUEUE_FILES, QUEUE_RECORDS, queue, readFiles } from './calls.ts'
import styles from './clearings.module.css'
import { ImportFile } from './import_file.tsx'
import { Decided, SumsOf, toRecord, useRecordColumns } from './parts.tsx'

/** The clearing files of card networks, and what of them waits for a person (D-1048). */
export function Clearings() {
  const { t } = useTranslation()
  const may = useMay()
  return (
    <Page name="clearings" lead={t('operator.clearings.lead')}>
      <ReconciliationTabs present="clearings" />
      {may('importClearing') && <ImportFile />}
      <Queue />
      <Panel title={t('operator.clearings.files')} flush>
        <Paged
          label={t('pages.clearings')}
          queryKey={['clearings', 'list']}
          read={readFiles}
          columns={useFileColumns()}
          to={({ id }) => `/clearings/${id}`}
          empty={
            <Empty
              icon={IconFileInvoice}
              title={t('operator.clearings.none')}
              text={t('operator.clearings.none_text')}
            />
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
    <Panel title={t('operator.clearings.queue')} flush>
      <Listing
        label={t('operator.clearings.queue')}
        columns={useRecordColumns()}
        rows={data?.rows}
        error={error}
        retry={refetch}
        expected={2}
        to={toRecord}
        empty={
          <Empty
            isSmall
            icon={IconCircleCheck}
            title={t('operator.clearings.queue_none')}
            text={t('operator.clearings.queue_none_text', { n: countText(QUEUE_FILES) })}
          />
        }
      />
      {data?.isCut && (
        <p className={styles['note']}>
          {t('operator.clearings.queue_most', { n: countText(QUEUE_RECORDS) })}
        </p>
      )}
    </Panel>
  )
}

function useFileColumns(): Column<Clearing>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('operator.clearings.file'),
      cell: ({ file }) => (file ? <Code>{file}</Code> : t('operator.clearings.unnamed')),
    },
    { title: t('operator.clearings.state'), cell: ({ state }) => <Status>{state}</Status> },
    {
      title: t('operator.clearings.progress'),
      isFigure: true,
      cell: (file) => <Decided file={file} />,
    },
    {
      title: t('operator.clearings.queue'),
      isFigure: true,
      cell: (file) => countText(countIn(file, 'SUSPENDED')),
    },
    {
      title: t('operator.clearings.settles'),
      isFigure: true,
      cell: (file) => <SumsOf file={file} direction="DEBIT" />,
    },
    {
      title: t('operator.clearings.pays'),
      isFigure: true,
      cell: (file) => <SumsOf file={file} direction="CREDIT" />,
    },
    {
      title: t('operator.clearings.imported_at'),
      cell: ({ created }) => <When at={created} />,
    },
  ]
}
