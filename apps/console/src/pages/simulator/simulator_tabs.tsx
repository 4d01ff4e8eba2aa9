import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import { Tabs } from '../../parts/tabs.tsx'

const TABS = [
  ['terminal', '/simulator', 'simulateAuthorization'],
  ['traffic', '/simulator/traffic', 'simulateAuthorization'],
  ['clock', '/simulator/clock', 'moveClock'],
] as const

/** One payment, a day of them, and the time at which they happen. */
export function SimulatorTabs({ present }: { present: (typeof TABS)[number][0] }) {
  const { t } = useTranslation()
  const may = useMay()
  const tabs = TABS.filter(([, , operation]) => may(operation)).map(([name, to]) => ({
    to,
    text: t(`simulator.tabs.${name}`),
    isPresent: name === present,
  }))
  return <Tabs label={t('pages.simulator')} tabs={tabs} />
}
