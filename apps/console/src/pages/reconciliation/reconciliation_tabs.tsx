import { useTranslation } from 'react-i18next'
import { Tabs } from '../../parts/tabs.tsx'

const TABS = ['reconciliation', 'settlements', 'clearings'] as const

/** The books of a day, and the files by which acquirers and networks settle. */
export function ReconciliationTabs({ present }: { present: (typeof TABS)[number] }) {
  const { t } = useTranslation()
  const tabs = TABS.map((name) => ({
    to: `/${name}`,
    text: t(`pages.${name}`),
    isPresent: name === present,
  }))
  return <Tabs label={t('pages.reconciliation')} tabs={tabs} />
}
