import { useTranslation } from 'react-i18next'
import { Block } from '../../parts/block.tsx'
import { Panel } from '../../parts/panel.tsx'
import styles from './audit_log.module.css'

/** How the chain of records is checked: on the operator's machine, which has the keys for it. */
export function Verification() {
  const { t } = useTranslation()
  return (
    <Panel title={t('audit.verification')}>
      <div className={styles['verification']}>
        <p>{t('audit.verification_text')}</p>
        <Block label={t('audit.command')} text="bezant audit verify" />
      </div>
    </Panel>
  )
}
