import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useActing } from '../api/acting.ts'
import { changeTenant } from '../api/session.ts'
import styles from './acting.module.css'

/** Tells a member of the operator's team for whom each call of the page is made. */
export function ActingBanner() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const acting = useActing()
  if (!acting) return null
  const leave = () => {
    changeTenant(undefined)
    void navigate({ to: '/home' })
  }
  return (
    <section className={styles['banner']} aria-label={t('acting.title')}>
      <span className={styles['text']}>
        {t('acting.now')} <bdi className={styles['name']}>{acting.name}</bdi>
      </span>
      <Button size="xs" variant="default" onClick={leave}>
        {t('acting.leave')}
      </Button>
    </section>
  )
}
