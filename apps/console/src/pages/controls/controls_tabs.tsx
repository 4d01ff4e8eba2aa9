import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import { Tabs } from '../../parts/tabs.tsx'
import { KIND_NAMES, type KindName } from './kinds.ts'

/** The kinds of controls, and backtests of them. */
export function ControlsTabs({ present }: { present: KindName | 'backtests' }) {
  const { t } = useTranslation()
  const may = useMay()
  const kinds = KIND_NAMES.map((kind) => ({
    to: `/controls?kind=${kind}`,
    text: t(`controls.kinds.${kind}`),
    isPresent: kind === present,
  }))
  const backtests = {
    to: '/controls/backtests',
    text: t('controls.backtests'),
    isPresent: present === 'backtests',
  }
  return (
    <Tabs label={t('pages.controls')} tabs={may('listBacktests') ? [...kinds, backtests] : kinds} />
  )
}
