import { CloseButton } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { forgetSaid, type Said } from '../parts/said.ts'
import styles from './said.module.css'

/** The sentence of one change. */
export function SaidLine({ said: { text, isFault } }: { said: Said }) {
  const { t } = useTranslation()
  const Picture = isFault ? IconAlertCircle : IconCircleCheck
  return (
    <p data-fault={isFault} className={styles['said']}>
      <Picture size={18} aria-hidden />
      <bdi>{text}</bdi>
      <CloseButton size="sm" aria-label={t('actions.close')} onClick={forgetSaid} />
    </p>
  )
}
