import { useTranslation } from 'react-i18next'
import { Tile } from '../../parts/tile.tsx'
import { countText, percentText } from '../../parts/values.tsx'
import { dayOf, rateOf, sumOf } from './figures.ts'
import { type Counted, DAYS, type Period } from './period.ts'

type PeriodTilesProps = { period: Period; counted: Counted | undefined }

/** Authorizations of some days beside those of as many days before. */
export function PeriodTiles({ period, counted }: PeriodTilesProps) {
  const { t } = useTranslation()
  const now = counted && sumOf(counted.present)
  const before = counted && sumOf(counted.before)
  const days = DAYS[period]
  const first = counted?.present[0]?.hour
  const search: Record<string, string> = first === undefined ? {} : { first: dayOf(first) }
  const rate = now && rateOf(now)
  const rateBefore = before && rateOf(before)
  const number = countText(now?.declined ?? 0)
  const change = (total: number, earlier: number) => {
    const part = total / earlier - 1
    const text = `${part > 0 ? '+' : ''}${percentText(part).replace('-', '−')}`
    return t('program.change', { change: text, days })
  }
  return (
    <>
      <Tile
        label={t('program.authorizations')}
        figure={now && <bdi>{countText(now.total)}</bdi>}
        note={
          now &&
          before &&
          (before.total === 0
            ? t('program.none_before', { days })
            : change(now.total, before.total))
        }
        to="/transactions"
        search={search}
      />
      <Tile
        label={t('program.approval_rate')}
        figure={now && <bdi>{rate === undefined ? t('none') : percentText(rate)}</bdi>}
        note={
          rateBefore === undefined
            ? t('program.declined', { number })
            : t('program.declined_before', { number, rate: percentText(rateBefore) })
        }
        to="/transactions"
        search={{ ...search, status: 'DECLINED' }}
      />
    </>
  )
}
