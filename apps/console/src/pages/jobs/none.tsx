import { IconHeartbeat } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../parts/empty.tsx'

export function NoProcesses() {
  const { t } = useTranslation()
  const text = t('operator.jobs.no_processes_text')
  return <Empty icon={IconHeartbeat} title={t('operator.jobs.no_processes')} text={text} isSmall />
}

export function NoJobs() {
  const { t } = useTranslation()
  return (
    <Empty
      icon={IconHeartbeat}
      title={t('operator.jobs.none')}
      text={t('operator.jobs.none_text')}
    />
  )
}
