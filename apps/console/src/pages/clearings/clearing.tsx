import { Progress } from '@mantine/core'
import { IconFileInvoice } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Clearing } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FilterSelect, Filters, useFilters } from '../../parts/filters.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, countText, Money, Status, When } from '../../parts/values.tsx'
import { countIn, pollOf, readFile, readRecords, STATES } from './calls.ts'
import styles from './clearings.module.css'
import { Decided, SumsOf, toRecord, useRecordColumns } from './parts.tsx'

/** One clearing file: its progress, its sums and its records. */
export function ClearingPage() {
  return (
    <ObjectPage name="clearings" read={readFile} poll={pollOf}>
      {(file) => <Loaded key={file.id} file={file} />}
    </ObjectPage>
  )
}

function Loaded({ file }: { file: Clearing }) {
  const { t } = useTranslation()
  return (
    <Page
      name="clearings"
      title={
        file.file ? (
          <bdi dir="ltr">{file.file}</bdi>
        ) : (
          <span>{t('operator.clearings.unnamed')}</span>
        )
      }
      status={file.state}
    >
      <Standing file={file} />
      <Columns facts={<FileFacts file={file} />}>
        {file.faults.length > 0 && <Faults file={file} />}
        <Sums file={file} />
        <Records file={file} />
      </Columns>
    </Page>
  )
}

/** The state of the file, in a sentence. */
function Standing({ file }: { file: Clearing }) {
  const { t } = useTranslation()
  const { state, records, faults_count } = file
  if (state === 'CHECKING') return <Notice tone="warn" title={t('operator.clearings.checking')} />
  if (state === 'REJECTED') {
    const n = countText(faults_count)
    return <Notice tone="bad" title={t('operator.clearings.faulty', { n })} />
  }
  const waiting = countIn(file, 'WAITING')
  if (waiting > 0) {
    const text = t('operator.clearings.posting', { n: countText(waiting) })
    return (
      <div className={styles['progress']}>
        <Notice tone="warn" title={text} />
        <Progress value={((records - waiting) / records) * 100} aria-label={text} />
      </div>
    )
  }
  const suspended = countIn(file, 'SUSPENDED')
  if (suspended === 0) return <Notice tone="good" title={t('operator.clearings.posted')} />
  const n = countText(suspended)
  return <Notice tone="warn" title={t('operator.clearings.suspended', { n })} />
}

/** The first ones: the API keeps no more. */
function Faults({ file: { faults, faults_count } }: { file: Clearing }) {
  const { t } = useTranslation()
  const left = faults_count - faults.length
  return (
    <Panel title={t('operator.clearings.faults')}>
      <ul className={styles['faults']}>
        {faults.map((fault) => (
          <li key={fault}>
            <bdi>{fault}</bdi>
          </li>
        ))}
      </ul>
      {left > 0 && <p>{t('operator.clearings.faults_more', { n: countText(left) })}</p>}
    </Panel>
  )
}

type Sum = NonNullable<Clearing['sums']>[number] & { id: string }

function Sums({ file: { sums = [] } }: { file: Clearing }) {
  const { t } = useTranslation()
  const columns: Column<Sum>[] = [
    { title: t('operator.clearings.state'), cell: ({ state }) => <Status>{state}</Status> },
    {
      title: t('operator.clearings.kind'),
      cell: ({ kind }) => t(`operator.clearings.kinds.${kind}`),
    },
    {
      title: t('operator.clearings.direction'),
      cell: ({ direction, currency }) =>
        currency === undefined ? '–' : t(`operator.clearings.directions.${direction}`),
    },
    {
      title: t('operator.clearings.count'),
      isFigure: true,
      cell: ({ count }) => countText(count),
    },
    {
      title: t('fields.amount'),
      isFigure: true,
      cell: ({ amount, currency }) =>
        currency === undefined ? '–' : <Money amount={amount} currency={currency} />,
    },
  ]
  return (
    <Panel title={t('operator.clearings.sums')} flush>
      <Listing
        label={t('operator.clearings.sums')}
        columns={columns}
        rows={sums.map((sum, at) => ({ ...sum, id: String(at) }))}
        empty={
          <Empty
            isSmall
            icon={IconFileInvoice}
            title={t('operator.clearings.no_sums')}
            text={t('operator.clearings.no_sums_text')}
          />
        }
      />
    </Panel>
  )
}

function Records({ file }: { file: Clearing }) {
  const { t } = useTranslation()
  const { values, set } = useFilters(['state'])
  const state = STATES.find((one) => one === values.state)
  return (
    <Panel title={t('operator.clearings.of_file')} flush>
      <Filters>
        <FilterSelect
          label={t('operator.clearings.state')}
          all={t('filters.all')}
          data={STATES}
          value={state}
          onChange={(value) => set('state', value)}
        />
      </Filters>
      <Paged
        label={t('operator.clearings.of_file')}
        queryKey={['clearings', file.id, 'records', state]}
        read={(after) => readRecords(file, { state, after })}
        columns={useRecordColumns()}
        to={toRecord}
        filters={values}
        empty={
          <Empty
            isSmall
            icon={IconFileInvoice}
            title={t('operator.clearings.no_records')}
            text={t('operator.clearings.no_records_text')}
          />
        }
      />
    </Panel>
  )
}

function FileFacts({ file }: { file: Clearing }) {
  const { t } = useTranslation()
  return (
    <Panel title={t('operator.clearings.facts')}>
      <Facts
        rows={[
          [t('operator.clearings.progress'), <Decided key="decided" file={file} />],
          [t('operator.clearings.settles'), <SumsOf key="settles" file={file} direction="DEBIT" />],
          [t('operator.clearings.pays'), <SumsOf key="pays" file={file} direction="CREDIT" />],
          [t('operator.clearings.imported_at'), <When key="created" at={file.created} />],
          [t('operator.clearings.digest'), file.sha256 && <Code key="digest">{file.sha256}</Code>],
          [t('fields.id'), <Code key="id">{file.id}</Code>],
        ]}
      />
    </Panel>
  )
}
