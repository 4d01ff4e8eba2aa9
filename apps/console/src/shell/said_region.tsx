import { CloseButton } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { forgetSaid, useSaid } from '../parts/said.ts'
import styles from './said.module.css'

/** Long enough to be read twice. A refusal stays until it is closed. */
const SHOWN_MS = 8000

/** Says what the last action has changed. The region is there before, so that it is heard. */
export function SaidRegion() {
  const { t } = useTranslation()
  const said = useSaid()
  useEffect(() => {
    if (!said || said.isFault) return
    const timer = setTimeout(forgetSaid, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [said])
  const Picture = said?.isFault ? IconAlertCircle : IconCircleCheck
  return (
    <div className={styles['around']}>
      <div role="status" aria-label={t('done.title')} className={styles['region']}>
        {said && (
          <p key={said.at} data-fault={said.isFault} className={styles['said']}>
            <Picture size={18} aria-hidden />
            <bdi>{said.text}</bdi>
            <CloseButton size="sm" aria-label={t('done.close')} onClick={forgetSaid} />
          </p>
        )}
      </div>
    </div>
  )
}
