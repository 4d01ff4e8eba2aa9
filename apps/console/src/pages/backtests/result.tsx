import { useTranslation } from 'react-i18next'
import type { Backtest } from '../../api/types.ts'
import { Bars } from '../../parts/chart/bars.tsx'
import type { Point } from '../../parts/chart/series.ts'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money } from '../../parts/values.tsx'
import { Examples } from '../controls/shadow.tsx'
import styles from './backtests.module.css'

type BacktestResult = Backtest['result']

const sumOf = (rows: readonly { number: number }[]): number =>
  rows.reduce((sum, { number }) => sum + number, 0)

/** Decisions that would change, with amounts and cases. */
export function Result({ result }: { result: BacktestResult }) {
  const { t } = useTranslation()
  const { evaluated, unchanged, would_decline, would_approve } = result
  const { would_decline_otherwise: otherwise, not_evaluated } = result
  const figures = [
    ['evaluated', evaluated],
    ['unchanged', unchanged],
    ['would_decline', sumOf(would_decline)],
    ['would_approve', sumOf(would_approve)],
    ['otherwise', sumOf(otherwise)],
    ['not_evaluated', sumOf(not_evaluated)],
  ] as const
  return (
    <Panel title={t('backtests.result')} flush>
      <div className={styles['result']}>
        <dl className={styles['figures']}>
          {figures.map(([name, number]) => (
            <div key={name}>
              <dt>{t(`backtests.figures.${name}`)}</dt>
              <dd>{number}</dd>
            </div>
          ))}
        </dl>
        <Turns result={result} />
      </div>
    </Panel>
  )
}

type Turn = {
  id: string
  code: string
  way: 'decline' | 'approve' | 'otherwise'
  number: number
  amount: number
  currency: string
  examples: readonly string[]
}

function turnsOf({
  would_decline,
  would_approve,
  would_decline_otherwise,
}: BacktestResult): Turn[] {
  const turn = (way: Turn['way'], code: string, row: Omit<Turn, 'id' | 'code' | 'way'>): Turn => ({
    ...row,
    id: `${way}${code}${row.currency}`,
    way,
    code,
  })
  return [
    ...would_decline.map((row) => turn('decline', row.status_code, row)),
    ...would_approve.map((row) => turn('approve', row.former_status_code, row)),
    ...would_decline_otherwise.map((row) => turn('otherwise', row.status_code, row)),
  ]
}

/** Turns of one code stand on each other. */
function pointsOf(turns: readonly Turn[]): Point[] {
  const points = new Map<string, Point>()
  for (const { way, code, currency, number } of turns) {
    const at = `${code} ${currency}`
    points.set(at, { ...points.get(at), at, [way]: number })
  }
  return [...points.values()]
}

function Turns({ result }: { result: BacktestResult }) {
  const { t } = useTranslation()
  const turns = turnsOf(result)
  const columns: Column<Turn>[] = [
    { title: t('backtests.turn'), cell: ({ way }) => t(`backtests.ways.${way}`) },
    { title: t('fields.status_code'), cell: ({ code }) => <Code>{code}</Code> },
    { title: t('controls.number'), isFigure: true, cell: ({ number }) => String(number) },
    {
      title: t('fields.amount'),
      isFigure: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ]
  if (turns.length === 0) return <p className={styles['none']}>{t('backtests.no_turns')}</p>
  return (
    <>
      <Bars
        label={t('backtests.turns')}
        points={pointsOf(turns)}
        series={[
          { name: 'decline', label: t('backtests.ways.decline'), tone: 'bad' },
          { name: 'approve', label: t('backtests.ways.approve'), tone: 'good' },
          { name: 'otherwise', label: t('backtests.ways.otherwise'), tone: 'calm' },
        ]}
      />
      <Listing label={t('backtests.turns')} columns={columns} rows={turns} empty={null} />
      <Examples label={t('controls.cases')} ids={turns.flatMap(({ examples }) => examples)} />
    </>
  )
}
