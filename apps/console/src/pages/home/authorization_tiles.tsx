import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Tile } from '../../parts/tile.tsx'
import { countText, hourText, percentText } from '../../parts/values.tsx'
import { dayOf, rateOf, type Today, todayOf } from './figures.ts'
import { statisticsQuery } from './queries.ts'

/** Authorizations of today, and how many of them were approved. */
export function AuthorizationTiles() {
  const { t } = useTranslation()
  const { data } = useQuery(statisticsQuery)
  const today = data && todayOf(data)
  const search = { first: dayOf(data?.now ?? new Date().toISOString()) }
  const rate = today && rateOf(today.sums)
  return (
    <>
      <Tile
        label={t('home.authorizations')}
        figure={today && <bdi>{countText(today.sums.total)}</bdi>}
        note={today && <Change today={today} />}
        to="/transactions"
        search={search}
      />
      <Tile
        label={t('home.approval_rate')}
        figure={today && <bdi>{rate === undefined ? t('none') : percentText(rate)}</bdi>}
        note={today && <Declined today={today} />}
        to="/transactions"
        search={{ ...search, status: 'DECLINED' }}
      />
    </>
  )
}

/** More or less than yesterday, by whole hours. */
function Change({ today: { whole } }: { today: Today }) {
  const { t } = useTranslation()
  if (!whole) return null
  const { until, today, yesterday } = whole
  const hour = hourText(until)
  if (yesterday.total === 0) return t('home.none_yesterday', { hour })
  const part = today.total / yesterday.total - 1
  const change = `${part > 0 ? '+' : ''}${percentText(part).replace('-', '−')}`
  return t('home.change', { change, hour })
}

function Declined({ today: { sums, whole } }: { today: Today }) {
  const { t } = useTranslation()
  const before = whole && rateOf(whole.yesterday)
  const number = countText(sums.declined)
  if (before === undefined) return t('home.declined', { number })
  return t('home.declined_before', { number, rate: percentText(before) })
}
