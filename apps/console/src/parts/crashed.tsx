import { Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Empty } from './empty.tsx'

/** In the place of a page that has failed while it was drawn. */
export function Crashed() {
  const { t } = useTranslation()
  const action = <Button onClick={() => location.reload()}>{t('states.reload')}</Button>
  return (
    <Empty
      icon={IconAlertCircle}
      title={t('states.failed')}
      text={t('states.crashed')}
      action={action}
    />
  )
}
