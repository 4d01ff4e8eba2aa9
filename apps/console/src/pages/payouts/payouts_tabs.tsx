import { useTranslation } from 'react-i18next'
import { Tabs } from '../../parts/tabs.tsx'

const TABS = [
  ['payouts', '/payouts'],
  ['statement', '/payouts/statement'],
  ['disputes', '/payouts/disputes'],
] as const

/** Payouts to the shop, the days that they are for, and the disputes that reduce them. */
export function PayoutsTabs({ present }: { present: (typeof TABS)[number][0] }) {
  const { t } = useTranslation()
  const tabs = TABS.map(([name, to]) => ({
    to,
    text: t(`pages.${name}`),
    isPresent: name === present,
  }))
  return <Tabs label={t('pages.payouts')} tabs={tabs} />
}
