import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import { HealthPanel } from '../../parts/health.tsx'
import { Page } from '../../parts/page.tsx'
import { FailingJobs } from './failing_jobs.tsx'
import { LowFunding } from './low_funding.tsx'
import styles from './operator_home.module.css'
import { ReviewsWaiting } from './reviews_waiting.tsx'
import { StaleRates } from './stale_rates.tsx'

/** Matters of the whole platform that need attention. */
export function OperatorHome() {
  const { t } = useTranslation()
  const may = useMay()
  return (
    <Page name="home" lead={t('operator.home.lead')}>
      {may('getHealth') && <HealthPanel />}
      <div className={styles['grid']}>
        {may('listReviews') && <ReviewsWaiting />}
        {may('listJobs') && <FailingJobs />}
        {may('listLowFunding') && <LowFunding />}
        {may('listRates') && <StaleRates />}
      </div>
    </Page>
  )
}
