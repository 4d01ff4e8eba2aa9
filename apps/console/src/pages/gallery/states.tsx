import { IconCreditCard } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../api/problem.ts'
import { Crashed } from '../../parts/crashed.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import styles from './gallery.module.css'
import { PROBLEM } from './samples.ts'

const retry = () => undefined

/** Parts for good states, for faults, for waiting and for empty lists. */
export function StateParts() {
  const { t } = useTranslation()
  const words = { title: t('gallery.nothing'), text: t('gallery.nothing_text') }
  return (
    <Panel title={t('gallery.sections.states')}>
      <div className={styles['stack']}>
        <Notice tone="good" title={t('gallery.good')}>
          {t('gallery.what')}
        </Notice>
        <Notice tone="warn" title={t('gallery.warn')}>
          {t('gallery.what')}
        </Notice>
        <Notice tone="bad" title={t('gallery.bad')}>
          {t('gallery.what')}
        </Notice>
        <Failing error={new Problem(422, PROBLEM)} title={t('states.rejected')} />
        <Failing error={new Problem(0)} retry={retry} />
        <Waiting height={48} />
        <div className={styles['pair']}>
          <div className={styles['frame']}>
            <Empty icon={IconCreditCard} {...words} />
          </div>
          <div className={styles['frame']}>
            <Empty isSmall icon={IconCreditCard} {...words} />
          </div>
        </div>
        <div className={styles['frame']}>
          <Crashed error={null} />
        </div>
      </div>
    </Panel>
  )
}
