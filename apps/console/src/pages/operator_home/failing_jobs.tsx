import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { jobsQuery } from '../../api/jobs.ts'
import { Code, Status } from '../../parts/values.tsx'
import { Attention } from './attention.tsx'

const BAD = ['FAILING', 'OVERDUE']
const POLL_MS = 5_000

export function FailingJobs() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({ ...jobsQuery, refetchInterval: POLL_MS })
  const items = data?.jobs
    .filter(({ status }) => BAD.includes(status))
    .map(({ name, status, process_id, process_name }) => ({
      id: `${process_id} ${name}`,
      what: (
        <>
          <Code>{name}</Code> <Status>{status}</Status>
        </>
      ),
      how: <Code>{process_name}</Code>,
    }))
  return (
    <Attention
      title={t('operator.home.jobs')}
      to="/jobs"
      items={items}
      good={t('operator.home.jobs_good')}
      error={error}
      retry={refetch}
    />
  )
}
