import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { isUnloaded } from '../api/problem.ts'
import { Empty } from './empty.tsx'

/** Takes the place of a page that has failed while it was drawn, or that did not arrive. */
export function Crashed({ error }: { error: unknown }) {
  const { t } = useTranslation()
  const action = <Button onClick={() => location.reload()}>{t('states.reload')}</Button>
  return (
    <Empty
      icon={IconAlertCircle}
      title={t('states.failed')}
      text={isUnloaded(error) ? t('states.offline') : t('states.crashed')}
      action={action}
    />
  )
}
