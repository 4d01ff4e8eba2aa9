import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import type { Point, Series } from './series.ts'

const HEIGHT = 220
/** The largest number of the axis stands beside its line. */
const MARGIN = { top: 8 }

const COLORS = {
  good: 'var(--good-fill)',
  bad: 'var(--bad-fill)',
  accent: 'var(--accent)',
  calm: 'var(--line-strong)',
} as const

type DrawingProps = {
  points: readonly Point[]
  series: readonly Series[]
  isStacked: boolean
}

/** The bars alone, for the eye. */
export function Drawing({ points, series, isStacked }: DrawingProps) {
  return (
    <BarChart
      h={HEIGHT}
      data={[...points]}
      dataKey="at"
      type={isStacked ? 'stacked' : 'default'}
      series={series.map(({ name, label, tone }) => ({ name, label, color: COLORS[tone] }))}
      tickLine="none"
      gridAxis="x"
      maxBarWidth={24}
      barProps={{ isAnimationActive: false }}
      barChartProps={{ accessibilityLayer: false, margin: MARGIN }}
      yAxisProps={{ allowDecimals: false, width: 44 }}
      xAxisProps={{ minTickGap: 24, interval: 'equidistantPreserveEnd' }}
    />
  )
}
