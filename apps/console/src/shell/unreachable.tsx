import { Button } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './session.module.css'

/** Above a page that stays while the server does not answer who has signed in. */
export function Unreachable({ retry }: { retry: () => unknown }) {
  const { t } = useTranslation()
  return (
    <div role="alert" className={styles['unreachable']}>
      <IconCloudOff size={20} aria-hidden />
      <p>
        <strong>{t('session.unreachable')}</strong> {t('session.unreachable_text')}
      </p>
      <Button variant="default" size="xs" onClick={() => void retry()}>
        {t('actions.retry')}
      </Button>
    </div>
  )
}
