import { useTranslation } from 'react-i18next'
import { Tabs } from '../../parts/tabs.tsx'

const TABS = ['orders', 'captures', 'refunds'] as const

/** The orders of the shop, and what was captured and refunded of all of them. */
export function OrdersTabs({ present }: { present: (typeof TABS)[number] }) {
  const { t } = useTranslation()
  const tabs = TABS.map((name) => ({
    to: `/${name}`,
    text: t(`pages.${name}`),
    isPresent: name === present,
  }))
  return <Tabs label={t('pages.orders')} tabs={tabs} />
}
