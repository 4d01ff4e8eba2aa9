import { useTranslation } from 'react-i18next'
import { Tabs } from '../../parts/tabs.tsx'

const TABS = [
  ['payouts', '/payouts'],
  ['statement', '/payouts/statement'],
] as const

/** Payouts to the shop, and the days that they are for. */
export function PayoutsTabs({ present }: { present: (typeof TABS)[number][0] }) {
  const { t } = useTranslation()
  const tabs = TABS.map(([name, to]) => ({
    to,
    text: t(`pages.${name}`),
    isPresent: name === present,
  }))
  return <Tabs label={t('pages.payouts')} tabs={tabs} />
}
