import { useTranslation } from 'react-i18next'
import { Tabs } from '../../parts/tabs.tsx'

const TABS = [
  ['orders', '/orders'],
  ['captures', '/captures'],
  ['refunds', '/refunds'],
  ['kept_cards', '/kept-cards'],
  ['endpoints', '/endpoints'],
] as const

/** The orders of the shop, what was captured and refunded of all of them, its customers' cards and its servers. */
export function OrdersTabs({ present }: { present: (typeof TABS)[number][0] }) {
  const { t } = useTranslation()
  const tabs = TABS.map(([name, to]) => ({
    to,
    text: t(`pages.${name}`),
    isPresent: name === present,
  }))
  return <Tabs label={t('pages.orders')} tabs={tabs} />
}
