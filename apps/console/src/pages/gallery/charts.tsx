import { useTranslation } from 'react-i18next'
import { Bars } from '../../parts/chart/bars.tsx'
import { Panel } from '../../parts/panel.tsx'

const POINTS = [
  { at: '08:00', approved: 24, declined: 3 },
  { at: '09:00', approved: 41, declined: 6 },
  { at: '10:00', approved: 33, declined: 2 },
]

/** Numbers by time. */
export function ChartParts() {
  const { t } = useTranslation()
  return (
    <Panel title={t('gallery.sections.charts')}>
      <Bars
        label={t('gallery.sections.charts')}
        points={POINTS}
        series={[
          { name: 'approved', label: t('gallery.approved'), tone: 'good' },
          { name: 'declined', label: t('gallery.declined'), tone: 'bad' },
        ]}
      />
    </Panel>
  )
}
