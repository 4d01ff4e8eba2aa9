import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { jobsQuery } from '../../api/jobs.ts'
import type { Job, Process } from '../../api/types.ts'
import { Ago } from '../../parts/ago.tsx'
import { FilterSelect, Filters, useFilters } from '../../parts/filters.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status } from '../../parts/values.tsx'
import styles from './jobs.module.css'
import { Milliseconds } from './milliseconds.tsx'
import { NoJobs, NoProcesses } from './none.tsx'

const POLL_MS = 5_000
const NAMES = ['status', 'process'] as const
const STATUSES = ['FAILING', 'OVERDUE', 'WAITING', 'OK']

/** The processes and the results of their jobs, as the heartbeats have them (D-630). */
export function Jobs() {
  const { t } = useTranslation()
  return (
    <Page name="jobs" lead={t('operator.jobs.lead')}>
      <Processes />
      <JobsPanel />
    </Page>
  )
}

const processesQuery = {
  queryKey: ['processes'],
  queryFn: () => answered(issuing.operator.listProcesses()),
  refetchInterval: POLL_MS,
}

function Processes() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(processesQuery)
  const columns: Column<Process>[] = [
    { title: t('operator.jobs.process'), cell: ({ name }) => <Code>{name}</Code> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    { title: t('operator.jobs.version'), cell: ({ version }) => <Code>{version}</Code> },
    { title: t('operator.jobs.started'), cell: ({ started }) => <Ago at={started} /> },
    { title: t('operator.jobs.seen'), isFigure: true, cell: ({ seen }) => <Ago at={seen} /> },
    {
      title: t('operator.jobs.connections'),
      isFigure: true,
      cell: ({ connections }) => <Code>{String(connections)}</Code>,
    },
  ]
  return (
    <Panel title={t('operator.jobs.processes')} flush>
      <Listing
        label={t('operator.jobs.processes')}
        columns={columns}
        rows={data?.processes}
        error={error}
        retry={refetch}
        expected={1}
        empty={<NoProcesses />}
      />
    </Panel>
  )
}

function JobsPanel() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const { data, error, refetch } = useQuery({ ...jobsQuery, refetchInterval: POLL_MS })
  const jobs = data?.jobs.filter(
    ({ status, process_name }) =>
      status === (values.status ?? status) && process_name === (values.process ?? process_name),
  )
  const rows = jobs?.map((job) => ({ ...job, id: `${job.process_id} ${job.name}` }))
  const processes = [...new Set(data?.jobs.map(({ process_name }) => process_name))]
  // The name of a process matters only if there are several.
  const columns = useJobColumns(processes.length > 1)
  return (
    <Panel title={t('operator.jobs.all')} flush>
      <Filters>
        <FilterSelect
          label={t('fields.status')}
          all={t('filters.all')}
          data={STATUSES}
          value={values.status}
          onChange={(value) => set('status', value)}
        />
        <FilterSelect
          label={t('operator.jobs.process')}
          all={t('filters.all')}
          data={processes}
          value={values.process}
          onChange={(value) => set('process', value)}
        />
      </Filters>
      <Listing
        label={t('operator.jobs.all')}
        columns={columns}
        rows={rows}
        error={error}
        retry={refetch}
        expected={12}
        filters={values}
        empty={<NoJobs />}
      />
    </Panel>
  )
}

function useJobColumns(hasProcesses: boolean): Column<Job>[] {
  const { t } = useTranslation()
  const columns: Column<Job>[] = [
    { title: t('operator.jobs.job'), cell: ({ name }) => <Code>{name}</Code> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    {
      title: t('operator.jobs.last_run'),
      cell: ({ last_run }) => (last_run ? <Ago at={last_run} /> : '–'),
    },
    {
      title: t('operator.jobs.took'),
      isFigure: true,
      cell: ({ took_ms }) => (took_ms === undefined ? '–' : <Milliseconds ms={took_ms} />),
    },
    // A job that has never failed has nothing here.
    {
      title: t('operator.jobs.failures'),
      cell: ({ failures }) => (failures === 0 ? null : <Code>{String(failures)}</Code>),
    },
    {
      title: t('operator.jobs.last_error'),
      cell: ({ last_error, last_failed }) =>
        last_error === undefined ? null : (
          <span className={styles['error']}>
            <bdi dir="ltr">{last_error}</bdi>
            {last_failed && <Ago at={last_failed} />}
          </span>
        ),
    },
  ]
  if (!hasProcesses) return columns
  const process = ({ process_name }: Job) => <Code>{process_name}</Code>
  return [...columns, { title: t('operator.jobs.process'), cell: process }]
}
