import { useTranslation } from 'react-i18next'
import { Tabs } from '../../parts/tabs.tsx'

const TABS = ['orders', 'captures', 'refunds', 'endpoints'] as const

/** The orders of the shop, what was captured and refunded of all of them, and who hears of them. */
export function OrdersTabs({ present }: { present: (typeof TABS)[number] }) {
  const { t } = useTranslation()
  const tabs = TABS.map((name) => ({
    to: `/${name}`,
    text: t(`pages.${name}`),
    isPresent: name === present,
  }))
  return <Tabs label={t('pages.orders')} tabs={tabs} />
}
